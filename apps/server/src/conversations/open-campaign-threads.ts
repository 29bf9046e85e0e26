import type { Context } from "../context.ts";
import type { ChannelType } from "../wire/words.ts";
import { mergedInto } from "../contacts/identity/merged-into.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { lockThreads } from "./campaign-thread-store.ts";
import { NOBODY } from "./handler.ts";
import { conversationEvent } from "./conversation.ts";
import { insertMissing } from "./conversation-store.ts";
import { recordOutbound } from "./touch-conversations.ts";

export interface CampaignThreads {
  /** By the contact that was asked for: its thread, and the kept contact if it was merged. */
  readonly threads: ReadonlyMap<string, { readonly id: string; readonly contactId: string }>;
  /** `conversation.created` of the new conversations. The caller emits them, last. */
  readonly events: readonly NewEvent[];
}

/**
 * Returns the conversations of many contacts on one channel, for a message of ours to each. Creates the missing
 * ones, and stores the time of that message as their last. Does the work of `openConversations` and
 * `recordOutbound`, for callers that need nothing else of a conversation. A contact that was merged since gets the
 * thread of the kept one. The rows are locked until the transaction ends: call it before slots are reserved.
 */
export async function openCampaignThreads(
  context: Pick<Context, "ids">,
  tx: Tx,
  on: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly channelType: ChannelType;
  },
  contacts: readonly {
    readonly contactId: string;
    readonly externalId: string;
    /** Made in this transaction, so it has no thread yet. */
    readonly isNew?: boolean;
  }[],
  at: Date,
): Promise<CampaignThreads> {
  const threads = new Map<string, { id: string; contactId: string }>();
  const events: NewEvent[] = [];
  // Asked only for contacts without a thread: a merged contact's thread now belongs to the kept one.
  let merged: ReadonlyMap<string, string> = new Map();
  const nowOf = (id: string) => merged.get(id) ?? id;
  const missing = () => contacts.filter((one) => !threads.has(one.contactId));
  const found = (rows: readonly { readonly id: string; readonly contactId: string }[]) => {
    const byContact = new Map(rows.map((row) => [row.contactId, row]));
    for (const { contactId } of missing()) {
      const row = byContact.get(nowOf(contactId));
      if (row) threads.set(contactId, { id: row.id, contactId: row.contactId });
    }
  };
  const unseen = () => missing().filter(({ isNew }) => isNew !== true);
  const touch = async (looked = unseen()) => {
    const contactIds = [...new Set(looked.map((one) => nowOf(one.contactId)))];
    const rows = await lockThreads(tx, on, contactIds);
    found(rows);
    await recordOutbound(
      tx,
      rows.map(({ id }) => ({ workspaceId: on.workspaceId, id })),
      at,
    );
  };
  if (unseen().length > 0) await touch();
  if (unseen().length > 0) {
    const ids = unseen().map((one) => one.contactId);
    merged = await mergedInto(tx, on.workspaceId, ids);
    if (merged.size > 0) await touch();
  }
  if (missing().length > 0) {
    const made = await insertMissing(
      tx,
      missing().map(({ contactId, externalId }) => {
        const id = context.ids.next();
        return { ...on, contactId: nowOf(contactId), externalId, id, at, lastMessageAt: at };
      }),
    );
    found(made);
    for (const row of made)
      events.push(conversationEvent("conversation.created", { ...row, handler: NOBODY }));
    // Another transaction created these first. It has committed by now.
    if (missing().length > 0) await touch(missing());
  }
  if (missing().length > 0) throw new Error("conversation vanished while it was opened");
  return { threads, events };
}
