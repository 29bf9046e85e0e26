import type { Context } from "../../context.ts";
import { failChannel, throttleChannel } from "../../channels/fail-channel.ts";
import { rememberIdentities } from "../../contacts/identity/remember-identities.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { LEASE_MS, UNKNOWN_MS, type Verdict } from "./dispatch-policy.ts";
import {
  beginCalls,
  markUnknown,
  postpone,
  type Claim,
  type ClaimedReply,
} from "./outbox-store.ts";
import { partCorrelation } from "./message-part.ts";
import { returnParts } from "./part-store.ts";
import { settleMessages, type Settlement } from "../record/settle-messages.ts";

/** A call that ended, and what is to become of its reply. */
export interface EndedCall {
  readonly reply: ClaimedReply;
  readonly verdict: Verdict;
  /** When the call began: what the platform says of the message cannot be older. */
  readonly calledAt: Date;
  /** The part that was sent, of a reply that goes in parts. */
  readonly part: number | null;
}

/** Commits the intent to call, for many at once, and gives when; null: the claim is no longer ours, do not call. */
export async function startCalls(
  context: Context,
  tx: Tx,
  claims: readonly Claim[],
): Promise<Settled<Date | null>[]> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const mine = await beginCalls(tx, claims, now, leaseUntil);
  return claims.map(({ workspaceId, id, fence }) => ({
    ok: true,
    value: mine.has(`${workspaceId}/${id}/${fence}`) ? now : null,
  }));
}

/**
 * Writes what ended calls came to, for many at once. Ids of contacts, contacts, then messages, outbox, channels, meter,
 * events.
 */
export async function settleCalls(
  context: Context,
  tx: Tx,
  calls: readonly EndedCall[],
): Promise<Settled<void>[]> {
  const at = context.clock.now();
  // Before contacts are locked, as who matches them does.
  await rememberIdentities(
    context,
    tx,
    calls.flatMap(({ reply: { workspaceId, channelId, channelType, contactId }, verdict }) =>
      verdict.kind === "sent" && verdict.knownAs.length > 0
        ? [{ workspaceId, channelId, channelType, contactId, externalIds: verdict.knownAs }]
        : [],
    ),
  );
  const events = await setConsent(
    context,
    tx,
    calls.flatMap(({ reply: { workspaceId, channelId, contactId }, verdict }) => {
      if (verdict.kind !== "failed" || !verdict.optedOut) return [];
      const signal = { source: "platform", channelId, detail: verdict.code };
      return [{ workspaceId, contactId, optedOut: true, ...signal, at }];
    }),
  );
  events.push(
    ...(await settleMessages(
      context,
      tx,
      calls.flatMap((call) => settlementOf(call, at)),
    )),
  );
  const retries = calls.flatMap(({ reply, verdict, part }) =>
    verdict.kind === "retry"
      ? [{ ...reply, part, availableAt: new Date(at.getTime() + verdict.afterMs), verdict }]
      : [],
  );
  if (retries.length > 0) await postpone(tx, retries);
  const parts = retries.flatMap(({ part, ...reply }) =>
    part === null ? [] : [{ ...reply, part }],
  );
  if (parts.length > 0) await returnParts(tx, parts);
  const lost = calls.filter(({ verdict }) => verdict.kind === "unknown").map(({ reply }) => reply);
  if (lost.length > 0) await markUnknown(tx, lost, new Date(at.getTime() + UNKNOWN_MS));
  for (const { workspaceId, channelId, availableAt, verdict } of retries.toSorted(byChannel)) {
    if (verdict.parksChannel) await throttleChannel(tx, workspaceId, channelId, availableAt);
  }
  for (const { reply, verdict, calledAt } of calls.toSorted((a, b) =>
    byChannel(a.reply, b.reply),
  )) {
    if (verdict.kind !== "failed" || !verdict.failsChannel) continue;
    const fault = { ...verdict, at: calledAt };
    events.push(...(await failChannel(context, tx, reply.workspaceId, reply.channelId, fault)));
  }
  await emitEvents(context, tx, events);
  return calls.map(() => ({ ok: true, value: undefined }));
}

function settlementOf({ reply, verdict, calledAt, part }: EndedCall, at: Date): Settlement[] {
  if (verdict.kind !== "sent" && verdict.kind !== "failed") return [];
  const { workspaceId, channelId, id, fence } = reply;
  const messageId = part === null ? id : partCorrelation(id, part);
  const base = { workspaceId, channelId, messageId, fence, at };
  return verdict.kind === "sent"
    ? [
        {
          ...base,
          at: calledAt,
          status: "sent",
          providerMessageId: verdict.providerMessageId,
          errorCode: null,
          errorMessage: null,
        },
      ]
    : [
        {
          ...base,
          status: "failed",
          providerMessageId: null,
          errorCode: verdict.code,
          errorMessage: verdict.detail,
          scope: verdict.scope,
        },
      ];
}

function byChannel(a: { readonly channelId: string }, b: { readonly channelId: string }): number {
  return a.channelId < b.channelId ? -1 : Number(a.channelId > b.channelId);
}
