import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { erasedForms, numberForms } from "../identity/erased-number.ts";
import { spellingsOf } from "../identity/other-spelling.ts";
import { selectNewestWishes } from "./consent-store.ts";

/**
 * The places in `people` of those whose opt-out in force is the customer's own (a stop word, the platform's switch):
 * of the ledger's entries that are the customer's opt-outs or lifted an opt-out, the newest is the customer's. The
 * contact, the contacts merged into it and its number count, the number also from before an earlier owner was erased.
 */
export async function stoppedAmong(
  context: Pick<Context, "sealer">,
  tx: Tx,
  people: readonly {
    readonly workspaceId: string;
    readonly contactId: string | null;
    readonly phone: string | null;
  }[],
): Promise<ReadonlySet<number>> {
  if (people.length === 0) return new Set();
  const keys = people.flatMap(({ workspaceId, contactId, phone }, place) => [
    ...(contactId === null ? [] : [{ place, workspaceId, contactId, phone: null }]),
    ...(phone === null ? [] : spellingsOf(phone)).flatMap((spelling) => {
      const forms = numberForms(context, workspaceId, spelling);
      return [forms.phone, ...erasedForms(forms)].map((form) => ({
        place,
        workspaceId,
        contactId: null,
        phone: form,
      }));
    }),
  ]);
  const newest = new Map<number, { readonly id: string; readonly optedOut: boolean }>();
  for (const { place, ...wish } of await selectNewestWishes(tx, keys))
    if (wish.id > (newest.get(place)?.id ?? "")) newest.set(place, wish);
  return new Set([...newest].flatMap(([place, { optedOut }]) => (optedOut ? [place] : [])));
}
