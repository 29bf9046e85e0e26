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
 * Commits the intent to make the next send of a reply that may need several, and plans them the first time. A claim
 * makes one; the settlement puts the reply back into its queue while parts wait, so that a crash between two parts
 * continues with the one that was not begun. `number` is null when there is only this one; `begunAt` is when the intent
 * was written. Null: nothing to send, the claim is no longer ours. When it is not known whether it was committed, `lost`
 * is given the number that may be committed and will not be sent, before `LostCommit` is thrown.
 */
export async function startPart(
  context: Pick<Context, "db" | "clock">,
  reply: ClaimedReply,
  channel: Pick<ChannelAdapter, "partLimit" | "media">,
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
  channel: Pick<ChannelAdapter, "partLimit" | "media">,
): Promise<Started | null> {
  // Messages before their outbox, as everywhere.
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
