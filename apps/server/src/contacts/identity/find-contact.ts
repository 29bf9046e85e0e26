import type { Queryable } from "../../db/database.ts";
import { isId } from "../../lib/ids.ts";
import { parseContact } from "../record/contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { contactDocuments } from "../record/contact-store.ts";

/** Contacts of a workspace by id, in no order. Leaves out ids that are unknown, malformed or of another workspace. */
export async function findContacts(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<ContactJson[]> {
  const wanted = ids.filter(isId);
  if (!isId(workspaceId) || wanted.length === 0) return [];
  return (await contactDocuments(db, workspaceId, wanted)).map(parseContact);
}

/** One contact, or null when the workspace has none with that id. */
export async function findContact(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<ContactJson | null> {
  return (await findContacts(db, workspaceId, [id]))[0] ?? null;
}
