import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { leasesLost } from "../lib/counts.ts";
import type { FailedOutcome } from "./adapter.ts";
import { claimDuePolls, releasePollsOf, writePoll, type PollLease } from "./poll-store.ts";

export type { PollLease } from "./poll-store.ts";

/** Longer than one poll with its grace (35 s) and the storing of its result. */
const LEASE_MS = 90_000;
const BACK_OFF_MS = 5_000;
const LONGEST_BACK_OFF_MS = 300_000;

type PollContext = Pick<Context, "db" | "clock">;

/** Claims polled channels that nobody reads. One process reads a channel, or the platform would refuse both (409). */
export function claimPolls(
  context: Pick<Context, "db" | "clock" | "life">,
  limit: number,
): Promise<PollLease[]> {
  const now = context.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  return claimDuePolls(context.db, { now, leaseUntil, by: context.life.id, limit });
}

/**
 * Goes on reading at `position`, once everything before it is in the database. Null: the lease was lost, and
 * another process reads.
 */
export async function advancePoll(
  context: PollContext,
  lease: PollLease,
  position: number,
): Promise<PollLease | null> {
  const now = context.clock.now();
  const movedAt = position === lease.position ? lease.movedAt : now;
  const next = { ...lease, position, movedAt, failures: 0 };
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const kept = await writePoll(context.db, next, {
    leaseUntil,
    dueAt: now,
    failures: 0,
    error: null,
  });
  if (!kept) leasesLost.add({ kind: "poll" });
  return kept ? next : null;
}

/** Frees the channels of a process that is gone. The fence keeps it out if it should still live. Gives how many. */
export function freePolls(tx: Tx, processId: string): Promise<number> {
  return releasePollsOf(tx, processId);
}

/** Gives the lease back so that another process goes on at once. */
export async function releasePoll(context: PollContext, lease: PollLease): Promise<void> {
  const dueAt = context.clock.now();
  await writePoll(context.db, lease, { leaseUntil: null, dueAt, failures: 0, error: null });
}

/**
 * Gives the lease back after a failure. The next try comes after 5 s, 10 s … five minutes, or when the platform
 * says.
 */
export async function postponePoll(
  context: PollContext,
  lease: PollLease,
  failure: Pick<FailedOutcome, "code" | "detail" | "retryAfterMs">,
): Promise<void> {
  const failures = lease.failures + 1;
  const pause = Math.min(BACK_OFF_MS * 2 ** Math.min(failures - 1, 10), LONGEST_BACK_OFF_MS);
  const dueAt = new Date(
    context.clock.now().getTime() + Math.max(pause, failure.retryAfterMs ?? 0),
  );
  const error = `${failure.code}: ${failure.detail}`.slice(0, 500);
  await writePoll(context.db, lease, { leaseUntil: null, dueAt, failures, error });
}
