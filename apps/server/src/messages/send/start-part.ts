import type { ChannelAdapter } from "../../channels/adapter.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { LostCommit } from "../../lib/lost-commit.ts";
import { lockOutbound } from "../record/message-store.ts";
import {
  deleteOutbox,
  LEASE_MS,
  markCalling,
  MEDIA_LEASE_MS,
  type ClaimedReply,
} from "./outbox-store.ts";
import { callNextPart, insertParts } from "./part-store.ts";
import { planSends, type SendContent } from "../accept/plan-sends.ts";

/**
 * Commits the intent to make the next send of a reply that may need several. Plans the sends the first time. A claim
 * makes one send. While parts wait, the settlement puts the reply back into the queue; so after a crash between two
 * parts, the next claim goes on with the part that was not begun.
 * `number` is null when the reply is one send; `begunAt` is when the intent was written. Null: nothing to send, or the
 * claim is no longer ours. When it is unknown whether the intent was committed, `lost` is called with the part's number
 * before `LostCommit` is thrown: that part will not be sent.
 */
export async function startPart(
  context: Pick<Context, "db" | "clock">,
  reply: ClaimedReply,
  channel: Pick<ChannelAdapter, "partLimit" | "media" | "choices">,
  lost: (number: number | null) => Promise<void> = async () => {},
): Promise<Started | null> {
  let number: number | null = null;
  try {
    return await context.db.transaction(async (tx) => {
      const started = await start(context, tx, reply, channel);
      number = started?.number ?? null;
      return started;
    });
  } catch (error) {
    if (error instanceof LostCommit) await lost(number);
    throw error;
  }
}

type Started = SendContent & { readonly number: number | null; readonly begunAt: Date };

async function start(
  context: Pick<Context, "clock">,
  tx: Tx,
  reply: ClaimedReply,
  channel: Pick<ChannelAdapter, "partLimit" | "media" | "choices">,
): Promise<Started | null> {
  // Messages are locked before their outbox rows, as everywhere.
  const [message] = await lockOutbound(tx, [reply]);
  const now = context.clock.now();
  const leaseMs = reply.attachments.length > 0 ? MEDIA_LEASE_MS : LEASE_MS;
  const mine = await markCalling(tx, [reply], now, new Date(now.getTime() + leaseMs));
  if (mine.size === 0 || !message) return null;
  if ((message.partCount ?? null) === null) {
    const sends = planSends(reply, channel);
    const [only] = sends;
    if (only && sends.length === 1) return { ...only, number: null, begunAt: now };
    await insertParts(tx, reply, sends);
  }
  const part = await callNextPart(tx, reply);
  if (part === null) await deleteOutbox(tx, [reply]);
  return part && { ...part, begunAt: now };
}
