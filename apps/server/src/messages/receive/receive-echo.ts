import type { Context } from "../../context.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { adapterFor } from "../../channels/registry.ts";
import type { ChannelType } from "../../wire/words.ts";
import { lockAgainstDeletion } from "../../contacts/identity/lock-against-deletion.ts";
import { matchContacts } from "../../contacts/identity/match-contacts.ts";
import { conversationEvent } from "../../conversations/conversation.ts";
import { changeHandlers, NOBODY } from "../../conversations/handler.ts";
import { openConversations } from "../../conversations/open-conversations.ts";
import { recordOutbound } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { planInbound, storeInbound } from "../../media/attach-inbound.ts";
import { attachedMedia } from "../../media/media.ts";
import { countMessages } from "../../usage/count-messages.ts";
import { reserveSlots } from "../../usage/reserve-slots.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { popEarlyChanges, withChanges } from "./early-change-store.ts";
import { cleanContent } from "./inbound-content.ts";
import { OUTBOUND } from "../record/insert-messages.ts";
import { messageEvent, type Message } from "../record/message.ts";
import { insertRows, providerKeyOf, selectArrived } from "../record/message-store.ts";
import { partCorrelation, readCorrelation } from "../send/message-part.ts";
import { nameReferences } from "../accept/name-references.ts";
import { shownText } from "../accept/plan-sends.ts";
import { EVIDENCE_WAIT_MS } from "../../sending/give-up-lost.ts";
import {
  CLOCKS_APART_MS,
  isOutboundOf,
  selectGivenUp,
  selectInFlight,
  setEarlierSentAt,
  type OpenSend,
} from "./own-echo-store.ts";
import { selectPartHolders } from "../send/part-store.ts";
import type { InboundAccount } from "./receive-events.ts";
import { settleMessages } from "../record/settle-messages.ts";

/**
 * Stores a message that the workspace sent from the platform's own app: outbound, source `channel`, status `sent`. It
 * does not touch the reply window. What the platform wrote automatically is such a message too, but it ends no wait and takes
 * no conversation from its bot. It takes a slot when one is left. The message is out already, so without a slot it
 * is stored and not counted: the limit is never passed (contract §5, Quota).
 * An echo of a message that we know is our own send and is not stored again. So is an echo of a send whose answer was
 * lost or has not come yet: the echo then proves that it was sent, and settles it.
 */
export async function receiveEcho(
  context: Context,
  tx: Tx,
  account: InboundAccount,
  event: Extract<InboundEvent, { kind: "echo" }>,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = account;
  const key = { workspaceId, channelId, providerMessageId: event.externalMessageId };
  if ((await selectArrived(tx, [key])).has(providerKeyOf(key))) {
    // Watermarks use the platform's clock, which may be behind ours.
    if (event.maybeOurs) await setEarlierSentAt(tx, key, event.occurredAt);
    return [];
  }
  if (event.maybeOurs) {
    const isOfPart = async () => (await selectPartHolders(tx, [key])).length > 0;
    if (await isOfPart()) return [];
    const messageId = await findOwn(context, tx, account, event);
    if (messageId !== null)
      return settleMessages(context, tx, [
        {
          ...key,
          messageId,
          status: "sent",
          at: event.occurredAt,
          errorCode: null,
          errorMessage: null,
        },
      ]);
    // The answer may have been stored between the two looks.
    if (await isOfPart()) return [];
  }
  const { matches, events } = await matchContacts(context, tx, [
    { ...account, ...event.to, name: null, at: context.clock.now(), seen: false },
  ]);
  // Taken after the contact was created, so that no message is older than its contact.
  const at = context.clock.now();
  const contactId = matches[0]?.contactId ?? "";
  const [opened] = await openConversations(context, tx, [
    { ...account, contactId, externalId: event.threadId ?? event.to.externalId, at },
  ]);
  if (!opened) throw new Error("no conversation for the echo");
  if (opened.created && matches[0]?.created === false)
    await lockAgainstDeletion(tx, [{ workspaceId: account.workspaceId, id: contactId }]);
  const id = context.ids.next();
  const { attachments } = event.content;
  const [named] = await nameReferences(tx, [
    { account, conversationId: opened.conversation.id, attachments },
  ]);
  const content = cleanContent({ ...event.content, attachments: named ?? attachments });
  const files = planInbound(
    context,
    { workspaceId, id, channelId },
    content.attachments,
    event.content.media,
  );
  const sent: Message = {
    ...OUTBOUND,
    ...account,
    ...content,
    attachments: files.attachments,
    id,
    conversationId: opened.conversation.id,
    contactId,
    source: "channel",
    providerMessageId: event.externalMessageId,
    createdAt: at,
    sentAt: event.occurredAt,
    ...(event.automatic && { answers: false }),
  };
  // A person may withdraw the message in the phone's app before its echo comes. It is stored as it is now.
  const message = withChanges(sent, (await popEarlyChanges(tx, [key])).get(providerKeyOf(key)));
  if (!(await insertRows(tx, [message], null)).has(message.id)) return events;
  if (message.type !== "deleted") await storeInbound(context, tx, files.rows);
  await recordOutbound(tx, [opened.conversation], at);
  // A person wrote it at the phone: from now on a person answers.
  const taken = { ...opened.conversation, conversationId: opened.conversation.id, by: null };
  const left = await changeHandlers(
    context,
    tx,
    event.automatic ? [] : [{ ...taken, to: "person" }],
  );
  const slot = (await reserveSlots(tx, at, [{ workspaceId, count: 1 }])).get(workspaceId);
  if (slot?.granted === 1) await countMessages(tx, [{ workspaceId, channelId, at, sent: 1 }]);
  if (opened.created) {
    const conversation = { ...opened.conversation, lastMessageAt: at, handler: NOBODY };
    events.push(conversationEvent("conversation.created", conversation));
  }
  for (const handler of left.changed.values()) {
    const conversation = { ...opened.conversation, lastMessageAt: at, handler };
    events.push(conversationEvent("conversation.updated", conversation));
  }
  events.push(...(await left.settle()));
  return [...events, messageEvent(message), ...(slot?.events ?? [])];
}

/**
 * Which send of ours an echo with an unknown id belongs to. A platform that hands our id back says so itself. Instagram
 * and TikTok hand none back: there it is the send to that customer that says the same, and is under way or lost its
 * answer. An echo that arrives after the send was given up says when it was sent: that is within the same quarter of an
 * hour.
 */
async function findOwn(
  { clock }: Pick<Context, "clock">,
  tx: Tx,
  { workspaceId, channelId, channelType }: InboundAccount,
  event: Extract<InboundEvent, { kind: "echo" }>,
): Promise<string | null> {
  const correlation = event.correlationId ?? null;
  const named = readCorrelation(correlation);
  if (named && (await isOutboundOf(tx, { workspaceId, channelId, id: named.messageId })))
    return correlation;
  const said = { text: wordsOf(event.content.text), kind: event.content.media?.[0]?.kind ?? null };
  if ((said.text === "" && said.kind === null) || correlation !== null) return null;
  const customerExternalId = event.to.externalId;
  const place = { workspaceId, channelId, customerExternalId };
  const address = event.threadId ?? customerExternalId;
  const same = (send: OpenSend) => {
    const sent = saidBy(send, channelType);
    return sent.kind === said.kind && wordsOf(sent.text) === said.text;
  };
  let own = (await selectInFlight(tx, { ...place, address })).find(same);
  const ageMs = clock.now().getTime() - event.occurredAt.getTime();
  if (!own && ageMs >= EVIDENCE_WAIT_MS - CLOCKS_APART_MS)
    own = (await selectGivenUp(tx, { ...place, at: event.occurredAt })).find(same);
  if (!own) return null;
  return own.part === null ? own.messageId : partCorrelation(own.messageId, own.part);
}

/** What the platform was given: choices without buttons are lines of the text. */
function saidBy(send: OpenSend, channelType: ChannelType) {
  if (send.part !== null) return { text: send.partText, kind: send.partKind };
  const { text } = shownText(send, adapterFor(channelType));
  return { text, kind: attachedMedia(send.attachments)[0]?.kind ?? null };
}

/** Platforms change blanks and the ends of lines. */
const wordsOf = (text: string | null): string => (text ?? "").replaceAll(/\s+/g, " ").trim();
