import { acknowledgeEvents } from "../../channels/acknowledge-events.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { failChannel } from "../../channels/fail-channel.ts";
import { loadAccounts } from "../../channels/load-accounts.ts";
import { requestSync } from "../../channels/platform-sync.ts";
import {
  advancePoll,
  postponePoll,
  releasePoll,
  type PollLease,
} from "../../channels/poll-leases.ts";
import { updateSourceFor } from "../../channels/registry.ts";
import type { Context } from "../../context.ts";
import { httpFor } from "../../lib/check-address.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { inboundCalls } from "./inbound-calls.ts";
import { receiveEvents, type InboundAccount } from "./receive-events.ts";

/** How long a position is valid. After a week without updates the platform numbers them anew (channels.md §5.3). */
const POSITION_HOLDS_MS = 6 * 24 * 3_600_000;

export interface PollOptions {
  /** How long one call may wait for an update. */
  readonly waitMs: number;
  /** Ends the running call. Updates that it would have brought come again. */
  readonly signal: AbortSignal;
}

/**
 * Reads a channel's updates until the signal, the first failure, or the loss of the lease. The position moves only
 * after everything before it is stored; the platform then forgets those updates. After a crash in between, updates come
 * a second time and are recognised by message id. So nothing is lost and nothing is stored twice.
 */
export async function pollChannel(
  context: Context,
  lease: PollLease,
  options: PollOptions,
): Promise<void> {
  let held: PollLease | null = lease;
  while (held !== null && !options.signal.aborted) held = await pollOnce(context, held, options);
  if (held !== null) await releasePoll(context, held);
}

/** Makes one call and takes in its answer. Gives the lease to go on with, or null when the polling ends. */
export async function pollOnce(
  context: Context,
  lease: PollLease,
  { waitMs, signal }: PollOptions,
): Promise<PollLease | null> {
  const { workspaceId, channelId } = lease;
  // Loaded each time: new credentials count at once, and a disconnected channel is no longer read.
  const account = (await loadAccounts(context, [lease])).get(channelId);
  const source = account === undefined ? null : updateSourceFor(account.type);
  if (account?.status !== "connected" || !source?.isPolled(account)) {
    await releasePoll(context, lease);
    return null;
  }
  const receivedAt = context.clock.now();
  const holds = receivedAt.getTime() - lease.movedAt.getTime() < POSITION_HOLDS_MS;
  const position = holds ? lease.position : 0;
  const answer = await source.poll(httpFor(context, account), account, position, {
    waitMs,
    receivedAt,
    signal,
  });
  if (!answer.ok) {
    if (signal.aborted) return lease;
    const { reason, code, detail } = answer;
    context.log.warn({ workspaceId, channelId, code }, "updates could not be asked for");
    await postponePoll(context, lease, answer);
    if (reason === "misconfigured")
      await context.db.transaction(async (tx) => {
        const fault = { code, detail };
        await emitEvents(
          context,
          tx,
          await failChannel(context, tx, workspaceId, channelId, fault),
        );
      });
    // 409: a webhook is set, or another program polls too. The setup finds out which, and removes a webhook of ours.
    if (code === "409") await requestSync(context, context.db, workspaceId, channelId);
    return null;
  }
  await receiveInOrder(
    context,
    { workspaceId, channelId, channelType: account.type },
    answer.events,
  );
  if (answer.events.length > 0) inboundCalls.add({ platform: account.type, result: "stored" });
  const next = answer.position === position ? lease.position : answer.position;
  const held = await advancePoll(context, lease, next);
  await acknowledgeEvents(context, account, answer.events);
  // The channel shows the error of the last tries. Now that it is read again, the setup clears it.
  if (lease.failures > 1) await requestSync(context, context.db, workspaceId, channelId);
  return held;
}

/**
 * Takes in events in their order. One poll may bring a block and an unblock together, and the last one counts. A
 * webhook brings one at a time, so it needs no such order.
 */
async function receiveInOrder(
  context: Context,
  account: InboundAccount,
  events: readonly InboundEvent[],
): Promise<void> {
  let together: InboundEvent[] = [];
  const take = async () => {
    await receiveEvents(
      context,
      together.map((event) => ({ account, event })),
    );
    together = [];
  };
  for (const event of events) {
    const alone = event.kind !== "message";
    if (alone) await take();
    together.push(event);
    if (alone) await take();
  }
  await take();
}
