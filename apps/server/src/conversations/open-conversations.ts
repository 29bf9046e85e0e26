import type { Context } from "../context.ts";
import type { ChannelType } from "../wire/words.ts";
import type { Tx } from "../db/database.ts";
import type { Conversation } from "./conversation.ts";
import { insertMissing, lockByThread } from "./conversation-store.ts";

export interface ConversationWant {
  readonly workspaceId: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** The address of replies, for a conversation that is created now. */
  readonly externalId: string;
  readonly at: Date;
  /** Of the message that goes with it, when the conversation is created now. */
  readonly lastMessageAt?: Date;
}

/**
 * The conversation of each contact on each channel, created when there is none. The answers have the order of the
 * wants, and equal wants give one conversation. The rows are locked until the transaction ends: call it before
 * slots are reserved. The caller emits `conversation.created` (`conversationEvent`) where `created` is true: on
 * the first of equal wants.
 */
export async function openConversations(
  context: Pick<Context, "ids">,
  tx: Tx,
  wants: readonly ConversationWant[],
): Promise<{ conversation: Conversation; created: boolean }[]> {
  if (wants.length === 0) return [];
  const distinct = new Map(wants.map((want) => [keyOf(want), want]));
  const found = new Map<string, Conversation>();
  const keep = (rows: readonly Conversation[]) => {
    for (const row of rows) found.set(keyOf(row), row);
  };
  const missing = () => [...distinct].filter(([key]) => !found.has(key)).map(([, want]) => want);
  keep(await lockByThread(tx, [...distinct.values()]));
  const fresh = new Set<string>();
  if (missing().length > 0) {
    const made = await insertMissing(
      tx,
      missing().map((want) => ({ ...want, id: context.ids.next() })),
    );
    for (const row of made) fresh.add(keyOf(row));
    keep(made);
    // Another transaction created these first. It has committed by now.
    if (missing().length > 0) keep(await lockByThread(tx, missing()));
  }
  return wants.map((want) => {
    const key = keyOf(want);
    const conversation = found.get(key);
    if (!conversation) throw new Error("conversation vanished while it was opened");
    return { conversation, created: fresh.delete(key) };
  });
}

const keyOf = (one: { workspaceId: string; channelId: string; contactId: string }): string =>
  `${one.workspaceId}/${one.channelId}/${one.contactId}`;
