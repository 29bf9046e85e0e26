import type { Actor } from "../actor.ts";
import { findContact } from "../contacts/identity/find-contact.ts";
import { openContact } from "../contacts/identity/open-contact.ts";
import { normalisePhone } from "../contacts/record/contact-input.ts";
import type { Context } from "../context.ts";
import { openCampaignThreads } from "../conversations/open-campaign-threads.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { acceptMessages } from "../messages/accept/accept-message.ts";
import type { InputOf } from "../operations/operation.ts";
import { templateMessages } from "../operations/template-messages.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { perform } from "../write.ts";
import { chooseTemplate, fillChosen } from "./choose-template.ts";

/**
 * Sends a template of a program to a number or a contact, who need not have written yet. Contact, conversation, message,
 * slot and events are stored in one transaction, with the answer under the caller's key. Throws VALIDATION_FAILED,
 * NOT_FOUND for an unknown contact, TEMPLATE_NOT_APPROVED, TEMPLATE_PARAMETERS, CHANNEL_NEEDED, CONTACT_OPTED_OUT,
 * MESSAGE_LIMIT_REACHED, SUBSCRIPTION_SUSPENDED.
 */
export const sendTemplateMessage = perform(
  templateMessages.sendTemplateMessage,
  async (actor, context: Context, workspaceId, input, { keep }) => {
    const addressee = await addresseeOf(actor, context, workspaceId, input);
    const template = await chooseTemplate(context, workspaceId, input, input.channelId);
    const filled = await fillChosen(context, template, input);
    const on = { workspaceId, channelId: template.channelId, channelType: "WHATSAPP" } as const;
    return context.db.transaction(async (tx) => {
      const contact = await addressee(tx, on);
      const at = context.clock.now();
      const { threads, events } = await openCampaignThreads(context, tx, on, [contact], at);
      const thread = threads.get(contact.contactId);
      if (!thread) throw new Error("the conversation was not opened");
      const reply = { actor, workspaceId, conversationId: thread.id, ...filled };
      const [settled] = await acceptMessages(context, tx, [reply], [...contact.events, ...events]);
      if (!settled?.ok) throw settled?.error ?? new Error("no answer for the message");
      const { id, status } = settled.value;
      const { created: contactCreated } = contact;
      return keep(tx, {
        id,
        status,
        conversationId: thread.id,
        contactId: thread.contactId,
        contactCreated,
      });
    });
  },
);

type On = {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: "WHATSAPP";
};
/** Gives the contact within the transaction, made when there was none, and where the message goes. */
type Addressee = (
  tx: Tx,
  on: On,
) => Promise<{
  readonly contactId: string;
  readonly externalId: string;
  readonly created: boolean;
  readonly events: readonly NewEvent[];
}>;

async function addresseeOf(
  actor: Actor,
  context: Context,
  workspaceId: string,
  { to, contactId, contact = {} }: InputOf<typeof templateMessages.sendTemplateMessage>,
): Promise<Addressee> {
  if ((to === undefined) === (contactId === undefined))
    throw invalid("to", "must be given, or `contactId`: one of them");
  if (contactId !== undefined) {
    const known = await findContact(context.db, workspaceId, contactId);
    if (!known) throw new AppError("NOT_FOUND", { explanation: "no such contact" });
    const { id, phone } = known;
    if (phone === null) throw invalid("contactId", "must be a contact with a phone number");
    return async () => ({ contactId: id, externalId: phone, created: false, events: [] });
  }
  const phone = normalisePhone(to ?? "");
  if (phone === null) throw invalid("to", "must be 1 to 40 digits");
  return async (tx, on) => {
    const opened = await openContact(actor, context, tx, { ...on, phone }, contact).catch(
      (error: unknown) => {
        throw within("contact", error);
      },
    );
    return { ...opened, externalId: phone };
  };
}

/** The faults of a member's own value, under the member's name. */
function within(name: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") return error;
  const details = error.facts.details?.map((one) => ({ ...one, path: `${name}.${one.path}` }));
  return new AppError("VALIDATION_FAILED", { ...error.facts, ...(details && { details }) });
}
