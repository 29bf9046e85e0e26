import type { Actor } from "../../actor.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import { recipientDigits } from "../../contacts/record/contact-input.ts";
import { listContacts } from "../../contacts/record/list-contacts.ts";
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import type { ContactJson } from "../../wire/contact.ts";

type Person = Pick<ContactJson, "id" | "name" | "phone">;

const SHOWN = 8;

/** The newest contacts with the text in their name, address or number. */
export async function findTestPeople(
  context: Context,
  workspaceId: string,
  search: string,
): Promise<Person[]> {
  const found = await listContacts(context, workspaceId, { search, page: 1, pageSize: SHOWN });
  const contacts = JSON.parse(`[${found.documents}]`) as ContactJson[];
  return contacts.map(({ id, name, phone }) => ({ id, name, phone }));
}

/** The contact with a number, which gets a test; it is created when there is none. VALIDATION_FAILED (`phone`). */
export async function testedContact(
  actor: Actor,
  context: Context,
  workspaceId: string,
  number: string,
): Promise<string> {
  const phone = recipientDigits(number);
  if (phone === null) throw invalid("phone", "must be a phone number with its country code");
  const people = await findTestPeople(context, workspaceId, phone);
  const known = people.find((one) => one.phone === phone);
  return (known ?? (await createContact(actor, context, workspaceId, { phone }))).id;
}
