import { updateContact } from "../../contacts/record/update-contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";
import type { ContactCard } from "../../wire/desk-shapes.ts";

/** Attributes with these names are shown in places of their own. */
const textOf = (contact: ContactJson, name: string): string | null => {
  const value = contact.attributes[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** A contact as the pane beside a thread shows it. */
export function cardOf(contact: ContactJson): ContactCard {
  return {
    id: contact.id,
    name: contact.name,
    phone: contact.phone,
    email: contact.email,
    language: textOf(contact, "language"),
    country: textOf(contact, "country"),
    tags: contact.tags,
    attributes: contact.attributes,
    optedOut: contact.optedOut,
    optedOutAt: contact.optedOutAt,
    lastSeenAt: contact.lastSeenAt,
    createdAt: contact.createdAt,
  };
}

/** The customer beside a thread, edited in place. */
export const contactCardHandlers: Handlers<Pick<typeof inbox, "editContact">> = {
  async editContact(context, { caller, params, body }) {
    return cardOf(await updateContact(caller.actor, context, caller.workspaceId, params.id, body));
  },
};
