import type { Tx } from "../../db/database.ts";
import { countMessages } from "../../usage/count-messages.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import {
  insertCampaignRows,
  type CampaignBatch,
  type CampaignRow,
} from "../accept/campaign-message-store.ts";
import type { ChannelType } from "../../wire/words.ts";
import { messageEvent, type Message } from "./message.ts";

export interface NewCampaignMessages extends Omit<CampaignBatch, "at" | "type"> {
  /** Null: SMS. */
  readonly channelType: ChannelType | null;
  /** The caller makes each `id` (`context.ids.next()`) and hands it to the provider as the correlation. */
  readonly rows: readonly CampaignRow[];
}

/**
 * Stores outbound messages that their caller sends itself, as `sent` since `at`. They do not go into the outbox of
 * replies. The caller has reserved their slots at the same time, and opened their conversations
 * (`openCampaignThreads`). Counts them in the meter and gives one `message.created` each, which the caller emits last.
 * Settle them by their ids with `settleMessages`.
 */
export async function insertMessages(
  tx: Tx,
  at: Date,
  batch: NewCampaignMessages,
): Promise<NewEvent[]> {
  const { workspaceId, channelId, channelType, broadcastId, rows } = batch;
  const [first] = rows;
  if (first === undefined) return [];
  const type = first.template === null ? "text" : "template";
  // Nothing waits for its answer, so it travels with the statements that follow.
  tx.later(insertCampaignRows(tx, { workspaceId, channelId, type, broadcastId, at }, rows));
  await countMessages(tx, [{ workspaceId, channelId, at, sent: rows.length }]);
  const common = { workspaceId, channelId, channelType, type, broadcastId, createdAt: at };
  return rows.map((row) => messageEvent({ ...OUTBOUND, ...common, ...row, source: "broadcast" }));
}

/** What every outbound message starts with. */
export const OUTBOUND = {
  direction: "outbound",
  attachments: [],
  template: null,
  status: "sent",
  errorCode: null,
  errorMessage: null,
  author: null,
  providerMessageId: null,
  broadcastId: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
} as const satisfies Partial<Message>;
