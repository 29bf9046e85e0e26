import { findContacts } from "../contacts/identity/find-contact.ts";
import { findPerson, type KnownIdentity } from "../contacts/record/person.ts";
import { personHistory, type PersonHistory } from "../contacts/record/person-history.ts";
import { refsByContact, type Refs } from "../contacts/refs/contact-refs.ts";
import { findRefs } from "../contacts/refs/find-refs.ts";
import type { Context } from "../context.ts";
import { personThreads, type PersonThread } from "../conversations/person-threads.ts";
import { deskRows } from "../desk/read-desk.ts";
import { AppError } from "../errors.ts";
import type { ContactJson } from "../wire/contact.ts";

/** A person as a page shows them. */
export interface PersonCard {
  readonly contact: ContactJson;
  readonly merged: PersonHistory["merged"];
  readonly identities: readonly KnownIdentity[];
  /** What other systems call the contact. */
  readonly refs: Refs;
  /** Other contacts with the same number or e-mail address. */
  readonly alike: readonly ContactJson[];
  readonly threads: readonly (PersonThread & {
    /** Whether members find the conversation in the inbox: a campaign alone puts none there. */
    readonly inInbox: boolean;
    readonly preview: string;
  })[];
}

const MOST_ALIKE = 10;

/** A person by the id of the contact, or of one merged into it. Throws NOT_FOUND when the contact does not exist. */
export async function readPerson(
  context: Pick<Context, "db">,
  workspaceId: string,
  contactId: string,
): Promise<PersonCard> {
  const { db } = context;
  const person = await findPerson(db, workspaceId, contactId);
  if (!person?.alive) throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
  const [{ contact, merged }, threads, alike, refs] = await Promise.all([
    personHistory(db, person),
    personThreads(db, workspaceId, person.ids),
    findContacts(db, workspaceId, person.alike.slice(0, MOST_ALIKE)),
    findRefs(db, workspaceId, [person.contactId]),
  ]);
  if (!contact) throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
  const ids = threads.map(({ id }) => id);
  const rows = await deskRows(db, workspaceId, ids);
  const previews = new Map(rows.map((row) => [row.id, row.preview]));
  return {
    contact,
    merged,
    identities: person.identities,
    refs: refsByContact(refs).get(person.contactId) ?? {},
    alike,
    threads: threads.map((thread) => ({
      ...thread,
      inInbox: previews.has(thread.id),
      preview: previews.get(thread.id) ?? "",
    })),
  };
}
