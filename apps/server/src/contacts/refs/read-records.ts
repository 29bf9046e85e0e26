import type { Queryable } from "../../db/database.ts";
import type { ContactRecordJson } from "../../wire/contact-record.ts";
import { parseContact } from "../record/contact.ts";
import { selectDocuments } from "../record/contact-store.ts";
import { refsByContact } from "./contact-refs.ts";
import { selectRefs } from "./ref-store.ts";

/** Contacts as records with their refs, in the order of these ids. Leaves out those that do not exist. */
export async function readRecords(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<ContactRecordJson[]> {
  if (ids.length === 0) return [];
  const [documents, rows] = await Promise.all([
    selectDocuments(db, workspaceId, ids),
    selectRefs(db, workspaceId, ids),
  ]);
  const refs = refsByContact(rows);
  const byId = new Map(documents.map((one) => [one.id, one]));
  return ids.flatMap((id) => {
    const found = byId.get(id);
    if (!found) return [];
    const { document, updatedAt } = found;
    return [{ ...parseContact(document), refs: refs.get(id) ?? {}, updatedAt }];
  });
}
