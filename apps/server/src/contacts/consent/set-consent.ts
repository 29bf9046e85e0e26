import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { parseContact } from "../record/contact.ts";
import { spellingsOf } from "../identity/other-spelling.ts";
import { lockAffected, selectUneven, updateConsent } from "./consent-store.ts";
import {
  contactPhones,
  hashUnownedLedger,
  moveNumbers,
  revealNumbers,
  writeEntries,
  type ConsentTarget,
} from "./opted-out-store.ts";

/** One opt-out or opt-in: of a contact, or of a number that perhaps no contact has (`contactId` null). */
export type ConsentChange = {
  readonly workspaceId: string;
  readonly optedOut: boolean;
  /** What asked for it: "stop_word", "platform", "dashboard", "api", "import", "cli", "number", "merge". */
  readonly source: string;
  /** The type of the channel that a word or signal came from, or SMS. */
  readonly channelType?: string;
  readonly channelId?: string | null;
  /** The word, the platform's code, or the actor (for "api" the public half of the key). */
  readonly detail?: string | null;
  readonly at: Date;
} & (
  | { readonly contactId: string; readonly phone?: undefined }
  | { readonly contactId: null; readonly phone: string }
);

/**
 * Opts contacts out or in (contract §5, Opt-out) and gives the `contact.opted_out` / `contact.opted_in` events for
 * the caller to emit last. A change to the present state does nothing; every other is a row of the consent ledger.
 * Consent belongs to the number: other contacts of the workspace with the same phone follow, the number stays
 * opted out when its contact goes, and a contact created with it later is opted out from the start
 * (docs/identities.md). Unknown contacts are left out. Changes of one contact take effect in the order given. An
 * opt-in older than the opt-out in force came late and changes nothing.
 */
export async function setConsent(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (let rest = [...changes]; rest.length > 0;) {
    const seen = new Set<string>();
    const round: ConsentChange[] = [];
    for (const change of rest) {
      const key = `${change.workspaceId}:${change.contactId ?? `+${change.phone}`}`;
      if (!seen.has(key)) round.push(change);
      seen.add(key);
    }
    // Two changes of one round can share a number, and one statement cannot set it to both. So everything from the
    // first change of direction on waits for the next round, and the order given holds for the number too.
    const direction = round[0]?.optedOut;
    const turn = round.findIndex((change) => change.optedOut !== direction);
    const together = turn < 0 ? round : round.slice(0, turn);
    for (const { workspaceId, document, change } of await applyConsent(context, tx, together)) {
      events.push({
        workspaceId,
        type: change.optedOut ? "contact.opted_out" : "contact.opted_in",
        data: {
          contact: parseContact(document),
          source: change.source,
          occurredAt: change.at.toISOString(),
        },
      });
    }
    const done = new Set(together);
    rest = rest.filter((change) => !done.has(change));
  }
  return events;
}

/**
 * Runs after contacts got a number: the opt-out wins. A contact with an opted-out number is opted out, and an
 * opted-out contact opts its number out.
 */
export async function followNumbers(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<NewEvent[]> {
  if (contactIds.length === 0) return [];
  const phones = await contactPhones(tx, workspaceId, contactIds);
  await revealNumbers(
    context,
    tx,
    phones.map(({ phone }) => ({ workspaceId, phone })),
  );
  const uneven = await selectUneven(tx, { workspaceId, contactIds });
  const at = context.clock.now();
  const change = { workspaceId, optedOut: true, source: "number", at };
  return setConsent(
    context,
    tx,
    uneven.map(({ id }) => ({ ...change, contactId: id })),
  );
}

interface ChangedConsent {
  readonly workspaceId: string;
  readonly document: string;
  /** The change that caused it. */
  readonly change: ConsentChange;
}

/**
 * One round of changes in the same direction, with each contact or number once. Gives the contacts that changed.
 * Contacts are locked before numbers.
 */
async function applyConsent(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<ChangedConsent[]> {
  const optedOut = changes[0]?.optedOut;
  if (optedOut === undefined) return [];
  let locked = await lockAffected(tx, changes);
  const asked = new Set(locked.map((row) => row.asked));
  // A contact that was merged while we waited has another id now.
  if (changes.some((change, index) => change.contactId !== null && !asked.has(index + 1)))
    locked = await lockAffected(tx, changes);
  const due = locked.flatMap((row) => {
    const change = changes[row.asked - 1];
    return change && moves(row.opted_out_at, change)
      ? [{ workspaceId: row.workspace_id, id: row.id, phone: row.phone, change }]
      : [];
  });
  const numbers = new Map<string, ConsentTarget & { phone: string }>();
  const reach = [
    ...locked.map((row) => ({ phone: row.phone, change: changes[row.asked - 1] })),
    ...changes.map((change) => ({ phone: change.phone ?? null, change })),
  ];
  for (const { phone, change } of reach) {
    if (!change || phone === null) continue;
    const { workspaceId } = change;
    for (const spelling of spellingsOf(phone))
      numbers.set(JSON.stringify([workspaceId, spelling]), {
        workspaceId,
        phone: spelling,
        change,
      });
  }
  const had = new Set(locked.map((row) => JSON.stringify([row.workspace_id, row.phone])));
  const moved = await moveNumbers(context, tx, [...numbers.values()], optedOut, had);
  const told = new Set(due.map((row) => JSON.stringify([row.workspaceId, row.phone])));
  await writeEntries(context, tx, [
    ...due,
    // No contact has the number: the ledger gets a line, and no event is told.
    ...[...numbers].flatMap(([key, one]) => {
      const phone = moved.get(key);
      return phone === undefined || told.has(key) ? [] : [{ ...one, phone, id: null }];
    }),
  ]);
  // A lifted opt-out leaves no row that the next sweep would look at.
  const lifted = optedOut ? [] : [...numbers].filter(([key]) => moved.has(key) && !had.has(key));
  await hashUnownedLedger(
    context,
    tx,
    lifted.map(([, one]) => one),
  );
  if (due.length === 0) return [];
  const rows = await updateConsent(tx, due, optedOut);
  const changeOf = new Map(due.map((row) => [row.id, row.change]));
  return rows.flatMap((row) => {
    const change = changeOf.get(row.id);
    return change ? [{ workspaceId: row.workspace_id, document: row.document, change }] : [];
  });
}

/**
 * An opt-out always counts. An opt-in older than the opt-out it would lift came late and does not count. Times are
 * compared in seconds, because that is what platforms give.
 */
function moves(optedOutAt: Date | null, change: ConsentChange): boolean {
  if (change.optedOut) return optedOutAt === null;
  return optedOutAt !== null && seconds(change.at) >= seconds(optedOutAt);
}
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
