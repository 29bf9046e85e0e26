import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import {
  deleteOldChanges,
  insertChanges,
  selectChanges,
  type StoredChange,
} from "./contact-change-store.ts";
import { differences, type ChangeCause, type ContactPair } from "./contact-change.ts";
import { updateContacts } from "./contact-store.ts";
import type { ContactRow } from "./contact.ts";

/** How long changes and their sources are kept. */
const KEPT_MS = 365 * 86_400_000;

/** A contact before and after a change. `refs` are not columns of the contact: they are only recorded here. */
interface WrittenPair extends ContactPair {
  readonly before: ContactRow & ContactPair["before"];
  readonly after: ContactRow & ContactPair["after"];
}

/**
 * Writes changed contacts, which the caller has locked, and stores who changed what (docs/privacy.md, Timeline):
 * two statements, however many contacts. This is the only writer of fields, tags and attributes of existing
 * contacts, except for what a message fills in (`match-contacts.ts`), so that every change is recorded.
 */
export async function writeChanges(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  pairs: readonly WrittenPair[],
  cause: ChangeCause,
): Promise<void> {
  if (pairs.length === 0) return;
  const at = context.clock.now();
  recordChanges(context, tx, pairs, cause);
  await updateContacts(
    tx,
    pairs.map(({ after }) => after),
    at,
  );
}

/**
 * Records what was changed in this transaction, without a round trip of its own. Records nothing when nothing
 * changed that the timeline tells.
 */
export function recordChanges(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  pairs: readonly ContactPair[],
  cause: ChangeCause | ((pair: ContactPair) => ChangeCause),
): void {
  const at = context.clock.now();
  const rows = pairs.flatMap((pair) => {
    const changes = differences(pair);
    if (changes.length === 0) return [];
    const { workspaceId, id: contactId } = pair.after;
    const of = typeof cause === "function" ? cause(pair) : cause;
    return [{ workspaceId, id: context.ids.next(), contactId, cause: of, changes, at }];
  });
  if (rows.length > 0) tx.later(insertChanges(tx, rows));
}

/** Changes of contacts, newest first: `limit` changes with ids below `below`. */
export function contactChanges(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
  below: string,
  limit: number,
): Promise<StoredChange[]> {
  return selectChanges(db, workspaceId, contactIds, below, limit);
}

const BATCH = 1_000;

/** Removes changes older than a year from the histories. Gives how many. */
export function pruneContactChanges(context: Pick<Context, "db" | "clock">): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS);
  return deleteOldChanges(context.db, before, BATCH);
}
