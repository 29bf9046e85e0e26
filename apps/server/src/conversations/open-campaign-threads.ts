import type { Context } from "../context.ts";
import type { ChannelType } from "../channels/adapter.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { lockThreads } from "./campaign-thread-store.ts";
import { conversationEvent } from "./conversation.ts";
import { insertMissing } from "./conversation-store.ts";
import { noteOutbound } from "./touch-conversations.ts";

export interface CampaignThreads {
  /** By contact. */
  readonly ids: ReadonlyMap<string, string>;
  /** `conversation.created` of those made now: the caller emits them, last. */
  readonly events: readonly NewEvent[];
}

/**
 * The conversations of many contacts on one channel for a message of ours to each, made where there are none, with
 * that message's time as their last. What `openConversations` and `noteOutbound` do, for those who look at nothing
 * else of a conversation. The rows are locked until the transaction ends: call it before slots are reserved.
 */
export async function openCampaignThreads(
  context: Pick<Context, "ids">,
  tx: Tx,
  on: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly channelType: ChannelType;
  },
  contacts: readonly { readonly contactId: string; readonly externalId: string }[],
  at: Date,
): Promise<CampaignThreads> {
  const ids = new Map<string, string>();
  const events: NewEvent[] = [];
  const missing = () => contacts.filter((one) => !ids.has(one.contactId));
  const touch = async () => {
    const contactIds = missing().map((one) => one.contactId);
    const found = await lockThreads(tx, on, contactIds);
    for (const row of found) ids.set(row.contactId, row.id);
    await noteOutbound(
      tx,
      found.map(({ id }) => ({ workspaceId: on.workspaceId, id })),
      at,
    );
  };
  if (contacts.length > 0) await touch();
  if (missing().length > 0) {
    const made = await insertMissing(
      tx,
      missing().map((one) => ({ ...on, ...one, id: context.ids.next(), at, lastMessageAt: at })),
    );
    for (const row of made) {
      ids.set(row.contactId, row.id);
      events.push(conversationEvent("conversation.created", row));
    }
    // Another transaction was first with these; by now it has committed.
    if (missing().length > 0) await touch();
  }
  if (missing().length > 0) throw new Error("conversation vanished while it was opened");
  return { ids, events };
}
