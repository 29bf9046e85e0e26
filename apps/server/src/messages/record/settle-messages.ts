import type { Context, MessageChange } from "../../context.ts";
import { publishThreadChanges } from "./thread-store.ts";
import type { Tx } from "../../db/database.ts";
import { countMessages } from "../../usage/count-messages.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { deleteOutbox, lockHeldCalls } from "../send/outbox-store.ts";
import { parkStatuses, popEarlyStatuses } from "../receive/early-status-store.ts";
import { candidates, hasProviderId, findMessageHolders } from "../receive/find-holders.ts";
import { statusEvent, type MessageProgress } from "./message.ts";
import { applyReport, byTime } from "./message-status.ts";
import type { OutboundStatus } from "../../wire/words.ts";
import { lockProgress, providerKeyOf, updateProgress } from "./message-store.ts";
import { resumeReplies } from "../send/part-store.ts";
import { settleParts } from "./settle-parts.ts";

/** One report about one outbound message. It names the message by our id, by the platform's id, or by both. */
export interface Settlement {
  readonly workspaceId: string;
  /** Our id, or what the platform handed back as our id. When it is null or unknown here, the platform's id decides. */
  readonly messageId: string | null;
  /** Null: SMS. */
  readonly channelId: string | null;
  /** Stored with the message when the message has none yet. */
  readonly providerMessageId: string | null;
  readonly status: OutboundStatus;
  /** When it happened: the platform's time when it tells one. */
  readonly at: Date;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly scope?: "recipient" | "template" | "account";
  /**
   * The claim of the reply under which the call was made. The claim may be over since: evidence came, or the reply was
   * claimed again. Then only a proof of sending counts.
   */
  readonly fence?: number;
}

/**
 * The only writer of an outbound message's status (contract §5, Messages). Locks the messages in the order of ids, and
 * applies the reports about each in the order of their own times, by the one table of moves. A report that moves
 * nothing changes nothing. A report about an unknown message waits, and is applied when the platform's id is stored.
 * The same transaction stores the platform's id, clears the outbox (any report proves that the call is over), moves the
 * meter between sent and failed in the month of the message, and tells `context.settlementFollowers`. Gives one
 * `message.status` per move and the followers' events, which the caller emits last. `known`: the holders of the
 * settlements' provider ids, when the caller has read them in this transaction.
 */
export async function settleMessages(
  context: Context,
  tx: Tx,
  settlements: readonly Settlement[],
  known?: Awaited<ReturnType<typeof findMessageHolders>>,
): Promise<NewEvent[]> {
  if (settlements.length === 0) return [];
  const holders = known ?? (await findMessageHolders(tx, settlements));
  const wanted = settlements.flatMap((one) => candidates(one, holders));
  const messages = new Map<string, MessageProgress>();
  if (wanted.length > 0) {
    for (const row of await lockProgress(tx, wanted)) messages.set(keyOf(row), row);
  }

  const reports = new Map<string, Settlement[]>();
  const unknown: Settlement[] = [];
  for (const one of settlements) {
    const message = candidates(one, holders)
      .map((key) => messages.get(keyOf(key)))
      .find((found) => found !== undefined && found.channelId === one.channelId);
    if (message) push(reports, keyOf(message), one);
    else unknown.push(one);
  }
  await dropLostClaims(tx, reports);

  // A provider id belongs to one message. When another message has it (its echo came first), it keeps it.
  const given = new Map<string, string>();
  const taken = new Set(holders.keys());
  const onward = await settleParts(tx, messages, reports, taken);
  for (const [key, list] of reports) {
    const message = messages.get(key);
    const id = list.find((one) => one.providerMessageId !== null)?.providerMessageId;
    if (!message || message.providerMessageId !== null || !id) continue;
    const provider = providerKeyOf({ ...message, providerMessageId: id });
    if (taken.has(provider)) continue;
    taken.add(provider);
    given.set(key, id);
  }
  await addParked(tx, reports, messages, given);

  const { events, changes, counts, written } = applyReports(reports, messages, given);
  if (written.length > 0) tx.later(updateProgress(tx, written));
  await publishThreadChanges(
    context,
    tx,
    written.filter((row) => row.status !== messages.get(keyOf(row))?.status),
  );
  const over = [...reports]
    .filter(([key, list]) => isOver(messages.get(key), list, onward.get(key)))
    .flatMap(([key]) => messages.get(key) ?? []);
  await deleteOutbox(
    tx,
    over.filter((row) => row.broadcastId === null),
  );
  const next = [...onward].filter(([, way]) => way === "resume").map(([key]) => key);
  if (next.length > 0) {
    const waiting = next.flatMap((key) => messages.get(key) ?? []);
    await resumeReplies(tx, waiting, context.clock.now());
    tx.afterCommit(() => context.wake.nudge("messages"));
  }
  const early = unknown.filter(hasProviderId);
  if (early.length > 0) await parkStatuses(tx, early, context.clock.now());
  for (const follower of changes.length > 0 ? context.settlementFollowers : []) {
    events.push(...(await follower(context, tx, changes)));
  }
  await countMessages(tx, counts);
  return events;
}

/** Applies the reports to each message. Gives the rows that changed, the events, and what the meter counts. Pure. */
function applyReports(
  reports: ReadonlyMap<string, readonly Settlement[]>,
  messages: ReadonlyMap<string, MessageProgress>,
  given: ReadonlyMap<string, string>,
) {
  const events: NewEvent[] = [];
  const changes: MessageChange[] = [];
  const counts: Parameters<typeof countMessages>[1][number][] = [];
  const written: MessageProgress[] = [];
  for (const [key, list] of reports) {
    const message = messages.get(key);
    if (!message || message.status === "received") continue;
    let row = { ...message, status: message.status };
    for (const one of list.toSorted(byTime)) {
      const step = applyReport(row, one);
      if (step.moved) {
        const { errorCode, errorMessage } = step.row;
        const move = { from: row.status, to: step.row.status, errorCode, errorMessage, at: one.at };
        events.push(statusEvent(message, move));
        changes.push({
          ...move,
          workspaceId: message.workspaceId,
          messageId: message.id,
          broadcastId: message.broadcastId,
          recipientId: message.recipientId,
          ...(one.scope ? { scope: one.scope } : {}),
        });
      }
      row = { ...row, ...step.row };
    }
    const providerMessageId = given.get(key) ?? message.providerMessageId;
    if (differs(message, { ...row, providerMessageId }))
      written.push({ ...row, providerMessageId });
    const failed = Number(row.status === "failed") - Number(message.status === "failed");
    if (failed !== 0) {
      const { workspaceId, channelId, createdAt } = message;
      counts.push({ workspaceId, channelId, at: createdAt, sent: -failed, failed });
    }
  }
  return { events, changes, counts, written };
}

/**
 * Whether the outbox row of a message can go. Any report ends it. For a message in parts, the report about its last
 * part does.
 */
function isOver(
  message: MessageProgress | undefined,
  list: readonly Settlement[],
  onward: string | undefined,
): boolean {
  return (message?.partCount ?? null) === null ? list.length > 0 : onward === "over";
}

const keyOf = (key: { workspaceId: string; id: string }): string => `${key.workspaceId}/${key.id}`;

/** Drops failures that a worker reports after its claim is over. A proof of sending always counts. */
async function dropLostClaims(tx: Tx, reports: Map<string, Settlement[]>): Promise<void> {
  const claims = [...reports].flatMap(([key, list]) =>
    list.flatMap(({ workspaceId, fence }) =>
      fence === undefined ? [] : [{ workspaceId, id: key.slice(workspaceId.length + 1), fence }],
    ),
  );
  if (claims.length === 0) return;
  const held = await lockHeldCalls(tx, claims);
  for (const [key, list] of reports) {
    const kept = list.filter(
      (one) =>
        one.fence === undefined || one.status !== "failed" || held.has(`${key}/${one.fence}`),
    );
    reports.set(key, kept);
  }
}

/** Adds the reports that waited for the platform's ids that are stored now. */
async function addParked(
  tx: Tx,
  reports: Map<string, Settlement[]>,
  messages: ReadonlyMap<string, MessageProgress>,
  given: ReadonlyMap<string, string>,
): Promise<void> {
  if (given.size === 0) return;
  const byProvider = new Map<string, string>();
  const keys = [...given].flatMap(([key, providerMessageId]) => {
    const message = messages.get(key);
    // The parts of a message in parts have taken theirs already.
    if (!message || (message.partCount ?? null) !== null) return [];
    const provider = {
      workspaceId: message.workspaceId,
      channelId: message.channelId,
      providerMessageId,
    };
    byProvider.set(providerKeyOf(provider), key);
    return [provider];
  });
  for (const parked of await popEarlyStatuses(tx, keys)) {
    const key = byProvider.get(providerKeyOf(parked));
    if (key !== undefined) push(reports, key, { ...parked, messageId: null });
  }
}

function differs(a: MessageProgress, b: MessageProgress): boolean {
  return (
    a.status !== b.status ||
    a.providerMessageId !== b.providerMessageId ||
    a.errorCode !== b.errorCode ||
    a.sentAt !== b.sentAt ||
    a.deliveredAt !== b.deliveredAt ||
    a.readAt !== b.readAt
  );
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
