import type { NewEvent } from "../../webhooks/event.ts";

/** The event that a contact was deleted. `erased`: the person is forgotten, not only the record deleted. */
export const deletedEvent = (
  workspaceId: string,
  contactId: string,
  erased: boolean,
  at: Date,
): NewEvent => ({
  workspaceId,
  type: "contact.deleted",
  data: { contactId, erased, occurredAt: at.toISOString() },
});
