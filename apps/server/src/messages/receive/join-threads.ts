import type { Context } from "../../context.ts";
import { conversationEvent } from "../../conversations/conversation.ts";
import {
  absorbConversation,
  redirectThread,
  lockJoining,
} from "../../conversations/join-conversations.ts";
import type { Tx } from "../../db/database.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { moveMessages, publishThreadChanges } from "../record/thread-store.ts";

/**
 * Moves the conversation of one contact on a channel to another contact. Replies then go to `externalId`. When the
 * other contact has a conversation there already, the messages move into that one and the emptied conversation is
 * deleted. When both contacts are the same, only the address of replies changes. Gives the events, which the caller
 * emits last.
 */
export async function joinThreads(
  context: Pick<Context, "ids" | "clock" | "topics" | "joinFollowers">,
  tx: Tx,
  people: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly fromContactId: string;
    readonly intoContactId: string;
    readonly externalId: string;
  },
): Promise<NewEvent[]> {
  const { workspaceId, fromContactId, intoContactId, externalId } = people;
  const { from, into } = await lockJoining(tx, people, fromContactId, intoContactId);
  if (into) await redirectThread(tx, into, intoContactId, externalId);
  if (!from) return [];
  if (!into) {
    await redirectThread(tx, from, intoContactId, externalId);
    const moved = { ...from, contactId: intoContactId, externalId };
    return [conversationEvent("conversation.updated", moved)];
  }
  const ids = await moveMessages(tx, workspaceId, from.id, into.id);
  const join = { workspaceId, fromId: from.id, intoId: into.id, contactId: intoContactId };
  const events: NewEvent[] = [];
  for (const follower of context.joinFollowers)
    events.push(...(await follower(tx, { ...join, at: context.clock.now() })));
  const joined = await absorbConversation(context, tx, from, into);
  await publishThreadChanges(
    context,
    tx,
    ids.map((id) => ({ ...into, conversationId: into.id, id })),
  );
  return [conversationEvent("conversation.updated", joined), ...events];
}
