import { setTimeout as sleep } from "node:timers/promises";
import { isPerson } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type {
  ChannelAccount,
  FailedOutcome,
  OutboundMessage,
  SendOutcome,
} from "../../channels/adapter.ts";
import { loadAccounts, type LoadedAccount } from "../../channels/load-accounts.ts";
import { adapterFor } from "../../channels/registry.ts";
import { needsPersonTag } from "../../conversations/reply-window.ts";
import { sqlState } from "../../db/database.ts";
import { isPassingFault } from "../../db/passing-fault.ts";
import { LostCommit } from "../../lib/lost-commit.ts";
import { outboundMedia } from "../../media/outbound-media.ts";
import { judge, LEASE_MS, NOT_CALLED, START_WITHIN_MS, type Verdict } from "./dispatch-policy.ts";
import { CHANNEL_DISCONNECTED, CHANNEL_ERROR } from "../record/message-status.ts";
import { claimReplies, type ClaimedReply } from "./outbox-store.ts";
import { partCorrelation } from "./message-part.ts";
import { settleCalls, startCalls, type EndedCall } from "./settle-calls.ts";
import { needsPlan, type SendContent } from "../accept/plan-sends.ts";
import { startPart } from "./start-part.ts";
import { httpFor } from "../../lib/check-address.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/** Calls in the air at once, and of one channel (a slow platform must leave room for the others). */
const IN_FLIGHT = 96;
const PER_CHANNEL = 32;
/** How often an outcome is tried to store, a second apart: while the database is away, and whatever else is wrong. */
const TRIES_WHILE_AWAY = 30;
const TRIES = 4;

/** Hands replies to their platforms. Keeps what is in the air between rounds, so that one slow call holds up nobody. */
export interface Dispatcher {
  /** Claims what is due and has room, and starts the calls; gives how many. Never waits for an answer. */
  claim(): Promise<number>;
  /** Calls that are not settled yet. */
  readonly inFlight: ReadonlySet<Promise<void>>;
  /** No room for another call. */
  isFull(): boolean;
}

/** One per process. Several processes share the outbox: claims, leases and fences keep them apart. */
export function createDispatcher(context: Context): Dispatcher {
  const inFlight = new Set<Promise<void>>();
  const perChannel = new Map<string, number>();

  const start = (reply: ClaimedReply, account: LoadedAccount | undefined) => {
    const { channelId } = reply;
    perChannel.set(channelId, (perChannel.get(channelId) ?? 0) + 1);
    const call = dispatch(context, reply, account)
      .catch((error: unknown) => {
        // Its lease ends, and the sweep puts it where it belongs; a call that was begun is not made again.
        const { workspaceId, id } = reply;
        context.log.error(
          { workspaceId, messageId: id, ...describeForLog(error) },
          "dispatch failed",
        );
      })
      .finally(() => {
        inFlight.delete(call);
        const left = (perChannel.get(channelId) ?? 1) - 1;
        if (left > 0) perChannel.set(channelId, left);
        else perChannel.delete(channelId);
      });
    inFlight.add(call);
  };

  return {
    inFlight,
    isFull: () => inFlight.size >= IN_FLIGHT,
    async claim() {
      const limit = Math.min(IN_FLIGHT - inFlight.size, PER_CHANNEL);
      if (limit <= 0) return 0;
      const busy = [...perChannel].filter(([, calls]) => calls >= PER_CHANNEL).map(([id]) => id);
      const replies = await claimOnce(context, limit, busy);
      if (replies.length === 0) return 0;
      const accounts = await loadAccounts(context, replies);
      for (const reply of replies) start(reply, accounts.get(reply.channelId));
      return replies.length;
    },
  };
}

async function claimOnce(
  context: Context,
  limit: number,
  busy: readonly string[],
): Promise<ClaimedReply[]> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  try {
    return await claimReplies(context.db, { now, leaseUntil, by: context.life.id, limit, busy });
  } catch (error) {
    // Two workers reached for one conversation: the index let one through, the other looks again next round.
    if (sqlState(error) === "23505") return [];
    throw error;
  }
}

async function dispatch(
  context: Context,
  reply: ClaimedReply,
  account: LoadedAccount | undefined,
): Promise<void> {
  const piece = await begin(context, reply, account);
  if (piece === null) return;
  const calledAt = context.clock.now();
  const verdict = cannotSend(account) ?? (await call(context, reply, account, piece));
  await settle(context, { reply, verdict, calledAt, part: piece.number });
}

interface Piece extends SendContent {
  /** Null: the whole reply. */
  readonly number: number | null;
  /** When the intent to call was written. */
  readonly begunAt: Date;
}

/** Commits the intent to call; null: the claim is no longer ours. */
async function begin(
  context: Context,
  reply: ClaimedReply,
  account: LoadedAccount | undefined,
): Promise<Piece | null> {
  const adapter = account && adapterFor(account.type);
  const { text, template, partCount } = reply;
  // The intent may be there, and nothing was called: left alone the reply would end as unknown.
  const takeBack = (part: number | null) =>
    settle(context, { reply, verdict: NOT_CALLED, calledAt: context.clock.now(), part });
  const whole = template !== null || adapter?.sendsWhole === true;
  if (adapter && !whole && (partCount !== null || needsPlan(reply, adapter)))
    return startPart(context, reply, adapter, takeBack);
  try {
    const begunAt = await context.groupCommit.submit(startCalls, reply);
    return begunAt && { number: null, text, mediaId: null, begunAt };
  } catch (error) {
    if (error instanceof LostCommit) await takeBack(null);
    throw error;
  }
}

function cannotSend(account: LoadedAccount | undefined): Verdict | null {
  if (account?.status === "connected") return null;
  const [code, detail] = account
    ? [CHANNEL_ERROR, "The platform refuses the channel's account."]
    : [CHANNEL_DISCONNECTED, "The channel is not connected any more."];
  return { kind: "failed", code, detail, optedOut: false, failsChannel: false, scope: "account" };
}

async function call(
  context: Context,
  reply: ClaimedReply,
  account: ChannelAccount | undefined,
  piece: Piece,
): Promise<Verdict> {
  const outcome = await send(context, reply, account, piece);
  return outcome ? judge(outcome, reply.to, reply.attempts + 1) : NOT_CALLED;
}

/** Null: too late, and the call was not made. */
async function send(
  context: Context,
  reply: ClaimedReply,
  account: ChannelAccount | undefined,
  piece: Piece,
): Promise<SendOutcome | null> {
  const adapter = account && adapterFor(account.type);
  if (!adapter) {
    const detail = "This channel cannot send.";
    return { ok: false, reason: "rejected", code: "CHANNEL_UNSUPPORTED", detail, scope: "account" };
  }
  const { to } = reply;
  const id = piece.number === null ? reply.id : partCorrelation(reply.id, piece.number);
  const afterWindow = needsPersonTag(reply, isPerson(reply.author), context.clock.now());
  const content = await contentOf(context, reply, piece);
  if ("ok" in content) return content;
  if (context.clock.now().getTime() - piece.begunAt.getTime() > START_WITHIN_MS) {
    context.log.warn({ messageId: id }, "a call began too late and was not made");
    return null;
  }
  try {
    return await adapter.send(httpFor(context, account), account, {
      id,
      to,
      content,
      ...(afterWindow && { afterWindow }),
    });
  } catch (error) {
    // A defect, and whether anything left is not known.
    context.log.error({ messageId: id, ...describeForLog(error) }, "adapter threw");
    return { ok: false, reason: "unknown", code: "ADAPTER_DEFECT", detail: "" };
  }
}

/** What the adapter is given, or why the send cannot be: a file that cannot be read has not left. */
async function contentOf(
  context: Context,
  { workspaceId, id, template }: ClaimedReply,
  { text, mediaId }: Piece,
): Promise<OutboundMessage["content"] | FailedOutcome> {
  if (template) return { kind: "template", template };
  if (mediaId === null) return { kind: "text", text: text ?? "" };
  try {
    const media = await outboundMedia(context, { workspaceId, id: mediaId });
    if (media) return { kind: "media", media, caption: text };
    const detail = "The file is not there any more.";
    return { ok: false, reason: "rejected", code: "MEDIA_GONE", detail };
  } catch (error) {
    context.log.error({ messageId: id, mediaId, ...describeForLog(error) }, "media cannot be read");
    const detail = "The file could not be read.";
    return { ok: false, reason: "unreachable", code: "MEDIA_UNREADABLE", detail };
  }
}

/** An outcome is worth trying again to store until the database is back: without it a reply that arrived may end as unknown. */
async function settle(context: Context, call: EndedCall): Promise<void> {
  for (let failures = 0; ;) {
    try {
      return await context.groupCommit.submit(settleCalls, call);
    } catch (error) {
      failures++;
      if (failures >= (isPassingFault(error) ? TRIES_WHILE_AWAY : TRIES)) throw error;
      await sleep(failures === 1 ? 250 : 1_000);
    }
  }
}
