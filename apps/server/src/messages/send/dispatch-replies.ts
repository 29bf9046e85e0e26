import { setTimeout as sleep } from "node:timers/promises";
import { isPerson } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { FailedOutcome, OutboundMessage } from "../../channels/adapter.ts";
import { adapterFor } from "../../channels/registry.ts";
import { needsPersonTag } from "../../conversations/reply-window.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { sqlState } from "../../db/database.ts";
import { LostCommit } from "../../lib/lost-commit.ts";
import { outboundMedia } from "../../media/outbound-media.ts";
import {
  callProvider,
  openChannels,
  storeOutcome,
  type ClosedChannel,
  type OpenChannel,
} from "../../sending/call-provider.ts";
import { judgeOutcome, type Judgement } from "../../sending/judge-outcome.ts";
import { needsPlan, shownText, type SendContent } from "../accept/plan-sends.ts";
import { quoteIn } from "../record/quote.ts";
import { partCorrelation } from "./message-part.ts";
import {
  claimOfBatches,
  claimReplies,
  LEASE_MS,
  selectDueOfBatches,
  type ClaimedReply,
} from "./outbox-store.ts";
import { beginReplies, settleReplies, type EndedReply } from "./settle-replies.ts";
import { startPart } from "./start-part.ts";

/** Calls under way at once. */
const IN_FLIGHT = 96;
/** Calls of one channel under way at once: a slow platform must leave room for the others. */
const PER_CHANNEL = 32;
const TRIES_TO_STORE = { whileAway: 30, otherwise: 4 } as const;

/** So many of those are left to replies: what batches handed in never takes them. */
const FOR_REPLIES = 8;
/** Messages of batches that wait in this process for their place, half a second at most. */
const MOST_WAITING = 64;
/** After a number had no more places, messages of batches are not looked for so long. */
const REST_MS = 80;
/** How often those are looked for that are due behind a number without places. */
const ASIDE_MS = 1_000;

/** Hands replies to their platforms. Calls stay under way between rounds, so that a slow one delays no other. */
export interface Dispatcher {
  /** Claims due replies while there is room, and starts their calls. Gives how many. Never waits for an answer. */
  claim(): Promise<number>;
  /** Calls that are not settled yet, and those that wait for their place. */
  readonly inFlight: ReadonlySet<Promise<void>>;
  /** Whether there is no room for another call. */
  isFull(): boolean;
  /** Whether messages of batches are due that wait for a place of their number. */
  isPaced(): boolean;
}

/**
 * When calls for messages of batches may be made on a number, in ms: at most as many as are `wanted`. A platform refuses a
 * number that is sent too much at once, and then all of it waits, replies too.
 */
export type ReservePlaces = (
  channel: { readonly workspaceId: string; readonly channelId: string },
  wanted: number,
) => Promise<readonly number[]>;

/** Makes the dispatcher of a process. Several processes share the outbox; claims, leases and fences keep them apart. */
export function createDispatcher(context: Context, reservePlaces: ReservePlaces): Dispatcher {
  const inFlight = new Set<Promise<void>>();
  const perChannel = new Map<string, number>();
  const waiting = new Map<string, number>();
  /** Channels that could take no more at the last look, when the next look is, and when one passed over them. */
  let crowded: readonly string[] = [];
  let nextLookAt = 0;
  let lookedAsideAt = 0;
  let paced = false;
  const waitingInAll = () => [...waiting.values()].reduce((sum, count) => sum + count, 0);
  const underWay = () => inFlight.size - waitingInAll();

  const start = (reply: ClaimedReply, way: OpenChannel | ClosedChannel, place?: number) => {
    const { channelId } = reply;
    const calls = async () => {
      const leave = enter(perChannel, channelId);
      await dispatch(context, reply, way).finally(leave);
    };
    const placed = async (at: number) => {
      const leave = enter(waiting, channelId);
      await sleep(Math.max(0, at - context.clock.now().getTime())).finally(leave);
      await calls();
    };
    const call = (place === undefined ? calls() : placed(place))
      .catch((error: unknown) => {
        // When its lease ends, the sweep handles it. A call that was begun is not made again.
        const { workspaceId, id } = reply;
        context.log.error(
          { workspaceId, messageId: id, ...describeForLog(error) },
          "a reply could not be dispatched",
        );
      })
      .finally(() => inFlight.delete(call));
    inFlight.add(call);
  };

  async function startReplies(limit: number): Promise<number> {
    const busy = [...perChannel].filter(([, calls]) => calls >= PER_CHANNEL).map(([id]) => id);
    const replies = await claimOnce(context, (claim) =>
      claimReplies(context.db, { ...claim, limit, busy }),
    );
    if (replies.length === 0) return 0;
    const wayTo = await openChannels(context, replies);
    for (const reply of replies) start(reply, wayTo(reply.channelId));
    return replies.length;
  }

  /** Starts what batches handed in, each at the place that its number has for it. */
  async function startOfBatches(limit: number): Promise<number> {
    const most = PER_CHANNEL - FOR_REPLIES;
    const now = context.clock.now();
    const at = now.getTime();
    // A clock that stepped back does not hold the next look up.
    if (at < nextLookAt && nextLookAt - at <= REST_MS) return 0;
    // What waits on other numbers may be behind a long queue of a crowded one. To read past that costs time, so it is seldom.
    const aside = crowded.length > 0 && Math.abs(at - lookedAsideAt) >= ASIDE_MS;
    if (aside) lookedAsideAt = at;
    const busy = aside ? crowded : [];
    const due = await selectDueOfBatches(context.db, { now, limit, busy });
    paced = due.length > 0 || aside;
    const full: string[] = [];
    let started = 0;
    for (const [channelId, messages] of Map.groupBy(due, (one) => one.channelId)) {
      const room = most - (perChannel.get(channelId) ?? 0) - (waiting.get(channelId) ?? 0);
      const [first] = messages;
      if (!first) continue;
      const wanted = Math.max(0, Math.min(room, messages.length));
      const places = wanted > 0 ? await reservePlaces(first, wanted) : [];
      if (places.length < messages.length) full.push(channelId);
      if (places.length === 0) continue;
      const claimed = await claimOnce(context, (claim) =>
        claimOfBatches(context.db, messages.slice(0, places.length), claim),
      );
      if (claimed.length === 0) continue;
      const wayTo = await openChannels(context, claimed);
      for (const [index, message] of claimed.entries())
        start(message, wayTo(channelId), places[index]);
      started += claimed.length;
    }
    crowded = full;
    if (full.length > 0) nextLookAt = at + REST_MS;
    return started;
  }

  return {
    inFlight,
    isFull: () => underWay() >= IN_FLIGHT,
    isPaced: () => paced,
    async claim() {
      const limit = Math.min(IN_FLIGHT - underWay(), PER_CHANNEL);
      if (limit <= 0) return 0;
      const replies = await startReplies(limit);
      const left = Math.min(limit - replies, MOST_WAITING - waitingInAll());
      return left > 0 ? replies + (await startOfBatches(left)) : replies;
    },
  };
}

/** Counts one more of a channel, until the function that it gives is called. */
function enter(counts: Map<string, number>, channelId: string): () => void {
  counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
  return () => {
    const left = (counts.get(channelId) ?? 1) - 1;
    if (left > 0) counts.set(channelId, left);
    else counts.delete(channelId);
  };
}

async function claimOnce(
  context: Context,
  claim: (how: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly by: string;
  }) => Promise<ClaimedReply[]>,
): Promise<ClaimedReply[]> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  try {
    return await claim({ now, leaseUntil, by: context.life.id });
  } catch (error) {
    // Two workers claimed replies of one conversation. The unique index let one through; the other tries again in the
    // next round.
    if (sqlState(error) === "23505") return [];
    throw error;
  }
}

async function dispatch(
  context: Context,
  reply: ClaimedReply,
  way: OpenChannel | ClosedChannel,
): Promise<void> {
  const piece = await begin(context, reply, way);
  if (piece === null) return;
  const calledAt = context.clock.now();
  const judgement = "code" in way ? closed(way) : await call(context, reply, way, piece);
  const secretsSince = "code" in way ? null : way.account.secretsSince;
  await settle(context, { reply, judgement, calledAt, secretsSince, part: piece.number });
}

const closed = ({ code, detail }: ClosedChannel): Judgement => ({
  message: { kind: "failed", code, detail, optedOut: false },
  wider: null,
});

interface Piece extends SendContent {
  /** Null: the whole reply. */
  readonly number: number | null;
  /** When the intent to call was written. */
  readonly begunAt: Date;
}

/** Commits the intent to call. Null: the claim is no longer ours. */
async function begin(
  context: Context,
  reply: ClaimedReply,
  way: OpenChannel | ClosedChannel,
): Promise<Piece | null> {
  const { template, partCount } = reply;
  // The intent may be committed although no call was made. Without this the reply would end as unknown.
  const takeBack = (part: number | null) => {
    const calledAt = context.clock.now();
    return settle(context, { reply, judgement: null, calledAt, secretsSince: null, part });
  };
  const adapter = adapterFor(reply.channelType);
  const only = { text: shownText(reply, adapter).text };
  const whole = "code" in way || template !== null || adapter.sendsWhole === true;
  if (!whole && (partCount !== null || needsPlan(reply, adapter)))
    return startPart(context, reply, adapter, takeBack);
  try {
    const begunAt = await context.groupCommit.submit(beginReplies, reply);
    return begunAt && { number: null, ...only, mediaId: null, begunAt };
  } catch (error) {
    if (error instanceof LostCommit) await takeBack(null);
    throw error;
  }
}

/** Makes the call. Null: it was too late, and no call was made. */
async function call(
  context: Context,
  reply: ClaimedReply,
  way: OpenChannel,
  piece: Piece,
): Promise<Judgement | null> {
  const { to, channelType } = reply;
  const id = piece.number === null ? reply.id : partCorrelation(reply.id, piece.number);
  const afterWindow = needsPersonTag(reply, isPerson(reply.author), context.clock.now());
  const content = await contentOf(context, reply, piece);
  // The first piece alone quotes, as a person would.
  const quotes = (piece.number ?? 1) === 1 ? quoteIn(reply.attachments)?.messageId : null;
  const outcome =
    "ok" in content
      ? content
      : await callProvider(
          context,
          { messageId: id, channelType, road: "reply", begunAt: piece.begunAt },
          () =>
            way.send({
              id,
              to,
              content,
              ...(quotes && { quotes }),
              ...(afterWindow && { afterWindow }),
            }),
        );
  return outcome && judgeOutcome(outcome, { to, road: "reply", calls: reply.attempts + 1 });
}

/** What the adapter is given, or why there can be no send: a file that cannot be read has not left. */
async function contentOf(
  context: Context,
  reply: ClaimedReply,
  { text, mediaId }: Piece,
): Promise<OutboundMessage["content"] | FailedOutcome> {
  const { workspaceId, id, template } = reply;
  if (template) return { kind: "template", template };
  if (mediaId === null) {
    const { choices } = shownText(reply, adapterFor(reply.channelType));
    return choices.length > 0
      ? { kind: "choices", text: text ?? "", choices }
      : { kind: "text", text: text ?? "" };
  }
  try {
    const media = await outboundMedia(context, { workspaceId, id: mediaId });
    if (media) return { kind: "media", media, caption: text };
    const detail = "The file is not there any more.";
    return { ok: false, reason: "rejected", code: "MEDIA_GONE", detail };
  } catch (error) {
    context.log.error(
      { messageId: id, mediaId, ...describeForLog(error) },
      "a file of a reply cannot be read",
    );
    const detail = "The file could not be read.";
    return { ok: false, reason: "unreachable", code: "MEDIA_UNREADABLE", detail };
  }
}

const settle = (context: Context, call: EndedReply): Promise<void> =>
  storeOutcome(() => context.groupCommit.submit(settleReplies, call), TRIES_TO_STORE);
