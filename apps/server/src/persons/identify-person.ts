import { personRecipients } from "../broadcasts/audience/erase-recipients.ts";
import { findPerson, type Person } from "../contacts/record/person.ts";
import { personThreads, type PersonThread } from "../conversations/person-threads.ts";
import type { Queryable } from "../db/database.ts";
import { MAX_ID } from "../lib/ids.ts";

/** How many of a person's newest campaigns are read. */
export const MOST_CAMPAIGNS = 5_000;

/**
 * A person with their conversations, by the id of a contact or of one merged into it; also of a deleted contact
 * that left something behind. Null: nothing is known.
 */
export async function identifyPerson(
  db: Queryable,
  workspaceId: string,
  contactId: string,
): Promise<{ readonly person: Person; readonly threads: readonly PersonThread[] } | null> {
  const first = await findPerson(db, workspaceId, contactId);
  if (!first) return null;
  const threads = await personThreads(db, workspaceId, first.ids);
  if (first.alive) return { person: first, threads };
  const recipients = await personRecipients(db, workspaceId, first.ids, MAX_ID, MOST_CAMPAIGNS);
  // A row that an erasure blanked has nothing to tell.
  const left = recipients.filter((one) => one.address !== null || one.messageId !== null);
  if (threads.length === 0 && left.length === 0 && first.phones.length === 0) return null;
  const numbers = [
    ...threads.map((thread) => thread.externalId),
    ...left.flatMap(({ address }) => address ?? []),
  ].filter((number) => /^\d{7,15}$/.test(number));
  const person = await findPerson(db, workspaceId, contactId, numbers);
  return person && { person, threads };
}
