import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { normaliseFields } from "../record/contact-input.ts";
import { lockContacts } from "../record/contact-store.ts";
import { presentContact, type Attributes } from "../record/contact.ts";
import { sameContact } from "../record/update-contact.ts";
import { writeChanges } from "../record/write-changes.ts";

/**
 * Adds attributes to a contact, and a name when it has none. Other attributes stay. Gives the `contact.updated`
 * event; gives nothing when nothing changed or the contact does not exist. Throws VALIDATION_FAILED when the
 * attributes are too large.
 */
export async function addAttributes(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  workspaceId: string,
  contactId: string,
  facts: { readonly name?: string; readonly attributes: Attributes },
): Promise<NewEvent[]> {
  const [before] = await lockContacts(tx, workspaceId, [contactId]);
  if (!before) return [];
  const attributes = { ...before.attributes, ...facts.attributes };
  const fields = normaliseFields({ attributes, ...(facts.name && { name: facts.name }) });
  const row = {
    ...before,
    attributes: fields.attributes,
    name: before.name ?? fields.name,
  };
  if (sameContact(before, row)) return [];
  await writeChanges(context, tx, [{ before, after: row }], { source: "site", ref: null });
  return [{ workspaceId, type: "contact.updated", data: { contact: presentContact(row) } }];
}
