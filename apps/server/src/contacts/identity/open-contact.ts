import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import type { ChannelType } from "../../wire/words.ts";
import type { ContactInput } from "../record/contact.ts";
import { insertNewContacts } from "../record/create-contact.ts";
import { lockPeople, readPeople } from "./identity-store.ts";

/** A number on a channel, to which we write first. */
export interface NumberOnChannel {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** Digits. */
  readonly phone: string;
}

/**
 * The contact that a message to this number reaches, found by the rules of docs/identities.md, so that the customer's
 * answer finds the same one. Creates it with `fields` when there is none; two calls at once create one. Call it first in
 * the transaction, and emit the events last. Throws VALIDATION_FAILED for `fields` of a contact that has to be created.
 */
export async function openContact(
  actor: Actor,
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  to: NumberOnChannel,
  fields: Omit<ContactInput, "phone">,
): Promise<{
  readonly contactId: string;
  readonly created: boolean;
  readonly events: readonly NewEvent[];
}> {
  const { workspaceId, phone } = to;
  const at = context.clock.now();
  const sighting = { ...to, externalId: phone, name: null, at, seen: false };
  // Sent together: the second statement runs when the lock is there.
  const [, people] = await Promise.all([lockPeople(tx, [sighting]), readPeople(tx, [sighting])]);
  const known = people.find(sighting);
  if (known) return { contactId: known.contactId, created: false, events: [] };
  const item = { actor, workspaceId, contact: { ...fields, phone } };
  const { outcomes, events } = await insertNewContacts(context, tx, [item]);
  const [outcome] = outcomes;
  if (!outcome?.ok) throw outcome?.error ?? new Error("no answer for the contact");
  return { contactId: outcome.value.id, created: true, events };
}
