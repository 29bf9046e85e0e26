import type { Context } from "../../context.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import type { ChannelType } from "../../wire/words.ts";
import { isPassingFault } from "../../db/passing-fault.ts";
import { GroupCommitFull } from "../../lib/group-commit.ts";
import { storeInboundFailure } from "./inbound-failure-store.ts";
import { receiveMessages, type ReceivedMessage } from "./receive-messages.ts";
import { receiveNotice } from "./receive-notice.ts";
import { receiveStatuses, type ReceivedStatus } from "./receive-statuses.ts";
import { receiveWatermarks, type ReceivedWatermark } from "./receive-watermarks.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/** Our account to which an event belongs. The caller found and verified it. */
export interface InboundAccount {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly channelType: ChannelType;
}

export interface InboundItem<E extends InboundEvent = InboundEvent> {
  readonly account: InboundAccount;
  readonly event: E;
}

/**
 * How many messages and reports of one call wait for a shared transaction at a time. A call may hold tens of thousands.
 * All of them at once would fill the queue of writes, and other callers would be refused.
 */
const SHARED_AT_ONCE = 256;

/**
 * How many notices of one call run at a time. A call may hold tens of thousands, and each has a transaction of its own.
 */
export const NOTICES_AT_ONCE = 4;

/**
 * Takes in what platforms told us (contract §5; reliability.md 3.11). A message is stored once, however often it is
 * delivered and in however many processes at once. Messages are first and echoes next, so that a report of the same call
 * finds its message. Statuses go to `settleMessages`; other events change the record that they name.
 * An event that cannot be taken in is kept in `inbound_failure`, and the sweep tries it again. So when this resolves,
 * every event is in the database and the platform may be told so. Throws when the database is away or full, or
 * `GroupCommitFull`: the platform then calls again, sooner than the sweep would.
 */
export async function receiveEvents(
  context: Context,
  items: readonly InboundItem[],
): Promise<{ readonly taken: number; readonly failed: number }> {
  const failures: { readonly item: InboundItem; readonly error: unknown }[] = [];
  const attempt = async (item: InboundItem, work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      if (error instanceof GroupCommitFull || isPassingFault(error)) throw error;
      failures.push({ item, error });
    }
  };
  const messages = items.filter(isMessage);
  await inParallel(SHARED_AT_ONCE, messages, (item) => attempt(item, receiveEvent(context, item)));
  const others = items.filter((item) => !isMessage(item));
  const [reports, notices] = [
    others.filter((item) => isStatus(item) || isWatermark(item)),
    others.filter((item) => !isStatus(item) && !isWatermark(item)),
  ];
  await inParallel(NOTICES_AT_ONCE, notices, (item) => attempt(item, receiveNotice(context, item)));
  await inParallel(SHARED_AT_ONCE, reports, (item) => attempt(item, receiveEvent(context, item)));
  for (const { item, error } of failures) {
    const { workspaceId, channelId } = item.account;
    const { kind } = item.event;
    context.log.error(
      { workspaceId, channelId, kind, ...describeForLog(error) },
      "could not store a platform event",
    );
    await storeInboundFailure(context, item, error);
  }
  return { taken: items.length - failures.length, failed: failures.length };
}

/** Works on `atOnce` items at a time, in their order. After the first error no further item is begun. */
async function inParallel<T>(
  atOnce: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let failed = false;
  const worker = async () => {
    for (const item of rest) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/** Takes in one event; rejects when it cannot. False: the message was known already. */
export async function receiveEvent(context: Context, item: InboundItem): Promise<boolean> {
  if (isMessage(item)) return context.groupCommit.submit(receiveMessages, item);
  if (isStatus(item)) await context.groupCommit.submit(receiveStatuses, item);
  else if (isWatermark(item)) await context.groupCommit.submit(receiveWatermarks, item);
  else await receiveNotice(context, item);
  return true;
}

function isMessage(item: InboundItem): item is ReceivedMessage {
  return item.event.kind === "message";
}

function isWatermark(item: InboundItem): item is ReceivedWatermark {
  return item.event.kind === "watermark";
}

function isStatus(item: InboundItem): item is ReceivedStatus {
  return item.event.kind === "status";
}
