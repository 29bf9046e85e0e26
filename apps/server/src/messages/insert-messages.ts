import type { Context } from "../context.ts";
import type { TemplateContent } from "../channels/adapter.ts";
import { noteOutbound } from "../conversations/touch-conversations.ts";
import type { Tx } from "../db/database.ts";
import { countMessages } from "../usage/count-messages.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { messageEvent, type Message, type MessageSource } from "./message.ts";
import { insertRows } from "./message-store.ts";

/** An outbound message that its caller sends itself (campaigns): it is not put in the outbox of replies. */
export interface NewOutbound {
  readonly workspaceId: string;
  /** Made by the caller (`context.ids.next()`), who hands it to the provider as the correlation. */
  readonly id: string;
  /** Null: SMS. Otherwise locked by `openConversations` in this transaction. */
  readonly conversationId: string | null;
  /** It was made with this message, and has its time already. */
  readonly conversationIsNew: boolean;
  readonly contactId: string | null;
  /** Null: SMS. */
  readonly channelId: string | null;
  readonly channelType: string | null;
  /** text, template … */
  readonly type: string;
  readonly text: string | null;
  readonly template: TemplateContent | null;
  readonly source: MessageSource;
  readonly broadcastId: string | null;
}

/**
 * Stores outbound messages as `sent`, their slots reserved by the caller before, counts them in the meter and gives
 * one `message.created` each; the caller emits them, last. Settle them with `settleMessages` by their ids.
 */
export async function insertMessages(
  context: Pick<Context, "clock">,
  tx: Tx,
  rows: readonly NewOutbound[],
): Promise<NewEvent[]> {
  if (rows.length === 0) return [];
  const at = context.clock.now();
  const messages: Message[] = rows.map((row) => ({ ...OUTBOUND, ...row, createdAt: at }));
  await insertRows(tx, messages, null);
  await noteOutbound(tx, rows.flatMap(conversationKey), at);
  await countMessages(
    tx,
    messages.map(({ workspaceId, channelId }) => ({ workspaceId, channelId, at, sent: 1 })),
  );
  return messages.map(messageEvent);
}

/** What every outbound message starts with. */
export const OUTBOUND = {
  direction: "outbound",
  attachments: [],
  template: null,
  status: "sent",
  errorCode: null,
  errorMessage: null,
  providerMessageId: null,
  broadcastId: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
} as const satisfies Partial<Message>;

function conversationKey(row: NewOutbound): { workspaceId: string; id: string }[] {
  return row.conversationId === null || row.conversationIsNew
    ? []
    : [{ workspaceId: row.workspaceId, id: row.conversationId }];
}
