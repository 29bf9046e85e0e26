import type { Context } from "../context.ts";
import type { InboundEvent } from "../channels/adapter.ts";
import { matchContacts } from "../contacts/match-contacts.ts";
import { conversationEvent } from "../conversations/conversation.ts";
import { openConversations } from "../conversations/open-conversations.ts";
import { noteOutbound } from "../conversations/touch-conversations.ts";
import type { Tx } from "../db/database.ts";
import { countMessages } from "../usage/count-messages.ts";
import { reserveSlots } from "../usage/reserve-slots.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { cleanContent } from "./inbound-content.ts";
import { OUTBOUND } from "./insert-messages.ts";
import { messageEvent, type Message } from "./message.ts";
import { insertRows, providerKeyOf, selectByProviderId } from "./message-store.ts";
import type { InboundAccount } from "./receive-events.ts";

/**
 * Stores a message that the workspace sent from the platform's own app, as outbound from `channel`, `sent`, out of
 * the reply window's sight. It takes its slot when one is left; it is out already, so beyond the limit it is stored
 * but not counted: the limit is never passed (contract §5, Quota). One that we know is our own send, come back.
 */
export async function receiveEcho(
  context: Context,
  tx: Tx,
  account: InboundAccount,
  event: Extract<InboundEvent, { kind: "echo" }>,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = account;
  const key = { workspaceId, channelId, providerMessageId: event.externalMessageId };
  if ((await selectByProviderId(tx, [key])).has(providerKeyOf(key))) return [];
  const at = context.clock.now();
  const { matches, events } = await matchContacts(context, tx, [
    { ...account, ...event.to, name: null, at, seen: false },
  ]);
  const contactId = matches[0]?.contactId ?? "";
  const [opened] = await openConversations(context, tx, [
    { ...account, contactId, externalId: event.threadId ?? event.to.externalId, at },
  ]);
  if (!opened) throw new Error("no conversation for the echo");
  const message: Message = {
    ...OUTBOUND,
    ...account,
    ...cleanContent(event.content),
    id: context.ids.next(),
    conversationId: opened.conversation.id,
    contactId,
    source: "channel",
    providerMessageId: event.externalMessageId,
    createdAt: at,
    sentAt: event.occurredAt,
  };
  if (!(await insertRows(tx, [message], null)).has(message.id)) return events;
  await noteOutbound(tx, [opened.conversation], at);
  const slot = (await reserveSlots(context, tx, [{ workspaceId, count: 1 }])).get(workspaceId);
  if (slot?.granted === 1) await countMessages(tx, [{ workspaceId, channelId, at, sent: 1 }]);
  if (opened.created) {
    const conversation = { ...opened.conversation, lastMessageAt: at };
    events.push(conversationEvent("conversation.created", conversation));
  }
  return [...events, messageEvent(message), ...(slot?.events ?? [])];
}
