import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { EVIDENCE_WAIT_MS } from "../../sending/give-up-lost.ts";
import type { Judgement } from "../../sending/judge-outcome.ts";
import { settleOutcomes } from "../../sending/settle-outcomes.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import {
  LEASE_MS,
  markCalling,
  markUnknown,
  postpone,
  type ClaimedReply,
  type ReplyClaim,
} from "./outbox-store.ts";
import { partCorrelation } from "./message-part.ts";
import { returnParts } from "./part-store.ts";
import { SUPERSEDED, withdrawnInAir } from "../record/withdraw-replies.ts";
import { settleMessages, type Settlement } from "../record/settle-messages.ts";

/** A call of a reply that ended, or that was not made. */
export interface EndedReply {
  readonly reply: ClaimedReply;
  /** Null: the call was not made. The reply goes back to the queue, and the try counts. */
  readonly judgement: Judgement | null;
  /** When the call began. Nothing that the platform says of the message is older. */
  readonly calledAt: Date;
  /** Since when the account has the secrets with which the call was made. */
  readonly secretsSince: Date | null;
  /** The number of the part that was sent; null when the reply does not go in parts. */
  readonly part: number | null;
}

/**
 * Commits the intent to call, for many replies at once. Gives for each when it was written; null: the claim is no
 * longer ours, so do not call.
 */
export async function beginReplies(
  context: Context,
  tx: Tx,
  claims: readonly ReplyClaim[],
): Promise<Settled<Date | null>[]> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const mine = await markCalling(tx, claims, now, leaseUntil);
  return claims.map(({ workspaceId, id, fence }) => ({
    ok: true,
    value: mine.has(`${workspaceId}/${id}/${fence}`) ? now : null,
  }));
}

/** Stores the outcomes of ended calls, for many at once, in the order of locks of `settleOutcomes`. */
export async function settleReplies(
  context: Context,
  tx: Tx,
  calls: readonly EndedReply[],
): Promise<Settled<void>[]> {
  const at = context.clock.now();
  const judged = calls.flatMap(({ reply, judgement, secretsSince }) => {
    const { workspaceId, channelId, channelType, contactId } = reply;
    if (judgement === null) return [];
    const recipient = { contactId };
    return [{ workspaceId, channelId, channelType, recipient, secretsSince, judgement }];
  });
  const events = await settleOutcomes(context, tx, judged, () =>
    storeReplies(context, tx, calls, at),
  );
  await emitEvents(context, tx, events);
  return calls.map(() => ({ ok: true, value: undefined }));
}

/** Proven not sent, and to be tried again. */
const goesBack = (judgement: Judgement | null): boolean =>
  judgement === null || judgement.message.kind === "again";

/** A person took the conversation while a bot's call was under way that the platform did not take. */
const WITHDRAWN: Judgement = {
  message: {
    kind: "failed",
    code: SUPERSEDED.errorCode,
    detail: SUPERSEDED.errorMessage,
    optedOut: false,
  },
  wider: null,
};

/** Settles the messages of ended calls, then their places in the outbox. */
async function storeReplies(
  context: Context,
  tx: Tx,
  ended: readonly EndedReply[],
  at: Date,
): Promise<NewEvent[]> {
  const withdrawn = await withdrawnInAir(
    tx,
    ended.map(({ reply, judgement }) => ({ reply, again: goesBack(judgement) })),
  );
  const calls = ended.map((call) =>
    withdrawn.has(call.reply.id) ? { ...call, judgement: WITHDRAWN } : call,
  );
  const settlements = calls.flatMap((call) => settlementOf(call, at));
  const events = await settleMessages(context, tx, settlements);
  const again = calls.flatMap(({ reply, judgement, part }) => {
    if (!goesBack(judgement)) return [];
    const waitMs = judgement?.message.kind === "again" ? judgement.message.afterMs : 0;
    return [{ ...reply, part, availableAt: new Date(at.getTime() + waitMs) }];
  });
  if (again.length > 0) await postpone(tx, again);
  const parts = again.flatMap(({ part, ...reply }) => (part === null ? [] : [{ ...reply, part }]));
  if (parts.length > 0) await returnParts(tx, parts);
  const lost = calls.flatMap(({ reply, judgement }) =>
    judgement?.message.kind === "unknown" ? [reply] : [],
  );
  if (lost.length > 0) await markUnknown(tx, lost, new Date(at.getTime() + EVIDENCE_WAIT_MS));
  return events;
}

function settlementOf({ reply, judgement, calledAt, part }: EndedReply, at: Date): Settlement[] {
  if (judgement === null) return [];
  const { message } = judgement;
  const { workspaceId, channelId, id, fence } = reply;
  const messageId = part === null ? id : partCorrelation(id, part);
  const base = { workspaceId, channelId, messageId, fence };
  if (message.kind === "sent") {
    const { providerMessageId } = message;
    const none = { errorCode: null, errorMessage: null };
    return [{ ...base, at: calledAt, status: "sent", providerMessageId, ...none }];
  }
  if (message.kind !== "failed") return [];
  const { code: errorCode, detail: errorMessage } = message;
  return [{ ...base, at, status: "failed", providerMessageId: null, errorCode, errorMessage }];
}
