import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { parseContact } from "../record/contact.ts";
import { spellingsOf } from "../identity/other-spelling.ts";
import {
  lockAffected,
  selectReturned,
  selectUneven,
  updateConsent,
  type LockedRow,
} from "./consent-store.ts";
import { stoppedAmong } from "./stopped-by-customer.ts";
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
  /** For an opt-in: how a person knows that the customer asked for it. It lifts the customer's own STOP. */
  readonly evidence?: string | undefined;
  /** Where the customer said so, in the words of the program that asks. Nothing depends on it. */
  readonly givenSource?: string | undefined;
  /** The customer's own word, though `source` says otherwise: it passed on in a merge. */
  readonly byCustomer?: boolean;
  /** Of an opt-in: it lifts an opt-out of this source alone. */
  readonly lifts?: "platform" | undefined;
} & (
  | { readonly contactId: string; readonly phone?: undefined }
  | { readonly contactId: null; readonly phone: string }
);

/** Whether the customer asked for it: by a word, or at the platform. */
export const isCustomers = ({ source, byCustomer = false }: ConsentChange): boolean =>
  byCustomer || source === "stop_word" || source === "platform";

/** What `changeConsents` did. */
export interface ConsentOutcome {
  readonly events: NewEvent[];
  /** Opt-ins that were held against the customer's own STOP: they stand in the ledger and changed nothing. */
  readonly held: readonly ConsentChange[];
}

/** As `changeConsents`, for callers to whom it does not matter what was held. */
export const setConsent = async (
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<NewEvent[]> => (await changeConsents(context, tx, changes)).events;

/**
 * Opts contacts out or in (contract §5, Opt-out) and gives the `contact.opted_out` / `contact.opted_in` events for
 * the caller to emit last. A change to the present state does nothing; every other is a row of the consent ledger.
 * Consent belongs to the number: other contacts of the workspace with the same phone follow, the number stays
 * opted out when its contact goes, and a contact created with it later is opted out from the start
 * (docs/identities.md). Unknown contacts are left out. Changes of one contact take effect in the order given. An
 * opt-in older than the opt-out in force came late and changes nothing; nor does a platform's report of an opt-out that
 * is older than the customer's return. The customer's own STOP is lifted by the customer or by `evidence`; every other
 * opt-in against it is held (contract §6, Consent). So is what `lifts` less.
 */
export async function changeConsents(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<ConsentOutcome> {
  const events: NewEvent[] = [];
  const held: ConsentChange[] = [];
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
    const applied = await applyConsent(context, tx, together);
    held.push(...applied.held);
    for (const { workspaceId, document, change } of applied.changed) {
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
  return { events, held };
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

interface Applied {
  readonly changed: readonly ChangedConsent[];
  readonly held: readonly ConsentChange[];
}

/**
 * One round of changes in the same direction, with each contact or number once. Gives the contacts that changed, and
 * the opt-ins that were held. Contacts are locked before numbers.
 */
async function applyConsent(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  given: readonly ConsentChange[],
): Promise<Applied> {
  const optedOut = given[0]?.optedOut;
  if (optedOut === undefined) return { changed: [], held: [] };
  const { changes, locked, held } = optedOut
    ? { ...(await withoutLate(tx, given)), held: [] }
    : await holdBack(context, tx, given);
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
  if (optedOut) await recordRepeatedStops(context, tx, changes, locked);
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
  if (due.length === 0) return { changed: [], held };
  const rows = await updateConsent(tx, due, optedOut);
  const changeOf = new Map(due.map((row) => [row.id, row.change]));
  const changed = rows.flatMap((row) => {
    const change = changeOf.get(row.id);
    return change ? [{ workspaceId: row.workspace_id, document: row.document, change }] : [];
  });
  return { changed, held };
}

/** Locks what the changes reach. */
async function lockReached(tx: Tx, changes: readonly ConsentChange[]): Promise<LockedRow[]> {
  const locked = await lockAffected(tx, changes);
  const asked = new Set(locked.map((row) => row.asked));
  // A contact that was merged while we waited has another id now.
  return changes.some((change, index) => change.contactId !== null && !asked.has(index + 1))
    ? lockAffected(tx, changes)
    : locked;
}

/**
 * What is left of opt-outs without reports of a platform that come late or again, after the customer returned (contract
 * §5: a late or repeated callback changes nothing).
 */
async function withoutLate(
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<{
  readonly changes: readonly ConsentChange[];
  readonly locked: readonly LockedRow[];
}> {
  const locked = await lockReached(tx, changes);
  const told = locked.flatMap(({ id: contactId, asked }) => {
    const change = changes[asked - 1];
    return change?.source === "platform"
      ? [{ place: asked, workspaceId: change.workspaceId, contactId, at: change.at }]
      : [];
  });
  const late = new Set(await selectReturned(tx, told));
  if (late.size === 0) return { changes, locked };
  const left = changes.filter((_, index) => !late.has(index + 1));
  return { changes: left, locked: left.length > 0 ? await lockReached(tx, left) : [] };
}

/** What is left of the opt-ins after those against the customer's own STOP, which are written to the ledger. */
async function holdBack(
  context: Pick<Context, "ids" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<{
  readonly changes: readonly ConsentChange[];
  readonly locked: readonly LockedRow[];
  readonly held: readonly ConsentChange[];
}> {
  const locked = await lockReached(tx, changes);
  const free = (change: ConsentChange) =>
    change.evidence !== undefined || (isCustomers(change) && change.lifts === undefined);
  if (changes.every(free)) return { changes, locked, held: [] };
  const reached = [
    ...locked.map((row) => ({ ...row, contactId: row.id, change: changes[row.asked - 1] })),
    ...changes.flatMap((change) =>
      change.contactId === null
        ? [{ contactId: null, phone: change.phone, opted_out_at: null, change }]
        : [],
    ),
  ].flatMap(({ contactId, phone, opted_out_at: since, change }) =>
    // Who is not opted out has nothing that could be undone; of a number without a contact only the ledger says it.
    change && !free(change) && (since !== null || contactId === null)
      ? [{ workspaceId: change.workspaceId, contactId, phone, change }]
      : [],
  );
  const sources = await stoppedAmong(context, tx, reached);
  const isHeld = ({ change }: (typeof reached)[number], n: number) =>
    sources.has(n) && sources.get(n) !== change.lifts;
  const held = new Set(reached.filter(isHeld).map(({ change }) => change));
  if (held.size === 0) return { changes, locked, held: [] };
  await writeEntries(
    context,
    tx,
    reached.flatMap(({ contactId, ...one }, n) =>
      isHeld({ contactId, ...one }, n) ? [{ ...one, id: contactId, held: true }] : [],
    ),
  );
  const left = changes.filter((change) => !held.has(change));
  return { changes: left, locked: await lockReached(tx, left), held: [...held] };
}

/**
 * A STOP by the customer of somebody who was opted out by others changes nothing now, but counts from now on: the
 * ledger keeps the first one.
 */
async function recordRepeatedStops(
  context: Pick<Context, "ids" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
  locked: readonly LockedRow[],
): Promise<void> {
  const repeated = locked.flatMap((row) => {
    const change = changes[row.asked - 1];
    const { workspace_id: workspaceId, id, phone, opted_out_at: since } = row;
    return change && since !== null && isCustomers(change)
      ? [{ workspaceId, contactId: id, id, phone, change }]
      : [];
  });
  const stopped = await stoppedAmong(context, tx, repeated);
  await writeEntries(
    context,
    tx,
    repeated.filter((_, index) => !stopped.has(index)),
  );
}

/**
 * An opt-out in time always counts. An opt-in older than the opt-out it would lift is late and does not count. Times are
 * compared in seconds, because that is what platforms give.
 */
function moves(optedOutAt: Date | null, change: ConsentChange): boolean {
  if (change.optedOut) return optedOutAt === null;
  return optedOutAt !== null && seconds(change.at) >= seconds(optedOutAt);
}
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
