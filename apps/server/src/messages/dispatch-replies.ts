import type { Context } from "../context.ts";
import type { ChannelAccount, OutboundMessage, SendOutcome } from "../channels/adapter.ts";
import { loadAccounts, type LoadedAccount } from "../channels/load-accounts.ts";
import { adapterFor } from "../channels/registry.ts";
import { fits } from "../channels/split-text.ts";
import { needsPersonTag } from "../conversations/reply-window.ts";
import { sqlState } from "../db/database.ts";
import { judge, LEASE_MS, type Verdict } from "./dispatch-policy.ts";
import { CHANNEL_DISCONNECTED, CHANNEL_ERROR } from "./message-status.ts";
import { claimReplies, type ClaimedReply } from "./outbox-store.ts";
import { partCorrelation } from "./message-part.ts";
import { settleCalls, startCalls, type EndedCall } from "./settle-calls.ts";
import { startPart } from "./start-part.ts";

/** Calls in the air at once, and of one channel (a slow platform must leave room for the others). */
const IN_FLIGHT = 96;
const PER_CHANNEL = 32;

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
        context.log.error({ workspaceId, messageId: id, error: String(error) }, "dispatch failed");
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
    return await claimReplies(context.db, { now, leaseUntil, limit, busy });
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
  const verdict =
    cannotSend(account) ??
    judge(await send(context, reply, account, piece), reply.to, reply.attempts + 1);
  await settle(context, { reply, verdict, calledAt, part: piece.number });
}

/** What one call sends: the whole text, or a part of a text that the channel does not take in one send. */
interface Piece {
  readonly number: number | null;
  readonly text: string | null;
}

/** Commits the intent to call; null: the claim is no longer ours. */
async function begin(
  context: Context,
  reply: ClaimedReply,
  account: LoadedAccount | undefined,
): Promise<Piece | null> {
  const limit = account && adapterFor(account.type).partLimit;
  const { text, template, partCount } = reply;
  if (limit && template === null && text !== null && (partCount !== null || !fits(text, limit)))
    return startPart(context, reply, limit);
  return (await context.groupCommit.submit(startCalls, reply)) ? { number: null, text } : null;
}

function cannotSend(account: LoadedAccount | undefined): Verdict | null {
  if (account?.status === "connected") return null;
  const [code, detail] = account
    ? [CHANNEL_ERROR, "The platform refuses the channel's account."]
    : [CHANNEL_DISCONNECTED, "The channel is not connected any more."];
  return { kind: "failed", code, detail, optedOut: false, failsChannel: false, scope: "account" };
}

async function send(
  context: Context,
  reply: ClaimedReply,
  account: ChannelAccount | undefined,
  piece: Piece,
): Promise<SendOutcome> {
  const adapter = account && adapterFor(account.type);
  if (!adapter) {
    const detail = "This channel cannot send.";
    return { ok: false, reason: "rejected", code: "CHANNEL_UNSUPPORTED", detail, scope: "account" };
  }
  const { to, template } = reply;
  const id = piece.number === null ? reply.id : partCorrelation(reply.id, piece.number);
  const afterWindow = needsPersonTag(reply, reply.source === "dashboard", context.clock.now());
  const content: OutboundMessage["content"] = template
    ? { kind: "template", template }
    : { kind: "text", text: piece.text ?? "" };
  try {
    return await adapter.send(context.providerHttp, account, {
      id,
      to,
      content,
      ...(afterWindow && { afterWindow }),
    });
  } catch (error) {
    // A defect, and whether anything left is not known.
    context.log.error({ messageId: id, error: String(error) }, "adapter threw");
    return { ok: false, reason: "unknown", code: "ADAPTER_DEFECT", detail: "" };
  }
}

/** An outcome is worth trying again to store: without it a reply that arrived may end as unknown. */
async function settle(context: Context, call: EndedCall): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.groupCommit.submit(settleCalls, call);
    } catch (error) {
      if (attempt >= 4) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250 * 4 ** (attempt - 1)));
    }
  }
}
