import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { erasedForms, numberForms } from "../identity/erased-number.ts";
import { spellingsOf } from "../identity/other-spelling.ts";
import { selectNewestWishes } from "./consent-store.ts";

/**
 * The places in `people` of those whose opt-out in force is the customer's own (a stop word, the platform's switch):
 * of the ledger's entries that are the customer's opt-outs or lifted an opt-out, the newest is the customer's. The
 * contact, the contacts merged into it and its number count, the number also from before an earlier owner was erased.
 * Each with the opt-out's source.
 */
export async function stoppedAmong(
  context: Pick<Context, "sealer">,
  tx: Tx,
  people: readonly {
    readonly workspaceId: string;
    readonly contactId: string | null;
    readonly phone: string | null;
  }[],
): Promise<ReadonlyMap<number, string>> {
  if (people.length === 0) return new Map();
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
  const newest = new Map<number, Awaited<ReturnType<typeof selectNewestWishes>>[number]>();
  for (const wish of await selectNewestWishes(tx, keys))
    if (wish.id > (newest.get(wish.place)?.id ?? "")) newest.set(wish.place, wish);
  return new Map(
    [...newest].flatMap(([place, { optedOut, source }]) => (optedOut ? [[place, source]] : [])),
  );
}
