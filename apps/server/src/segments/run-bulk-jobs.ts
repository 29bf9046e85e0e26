import { write } from "../write.ts";
import { changeContacts, type ContactChange } from "../contacts/record/change-contacts.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, notInState } from "../errors.ts";
import { sql } from "../db/sql.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { notifyStarter } from "../workspaces/member-notice.ts";
import { audit } from "../workspaces/write-audit.ts";
import { compileSegment } from "./segment-sql.ts";
import {
  lockJob,
  moveJob,
  postponeJob,
  selectJobs,
  selectNext,
  selectProgress,
  setJobState,
  type RunningJob,
} from "./bulk-job-store.ts";
import type { BulkJob, JobProgress, JobWithin } from "./bulk-job.ts";

/** Contacts that one transaction changes, fewer while there are other requests, because its locks must be short. */
const WINDOW = 500;

/**
 * Does the next batch of the job that has waited longest, or of the named one, in one transaction with the job's
 * own position and the events: a process that dies leaves a batch undone or done, never half. False when there was
 * none. A job that is refused (its definition is no longer valid) ends as failed, with the reason.
 */
export async function runBulkBatch(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "background" | "topics">,
  id: string | null = null,
): Promise<boolean> {
  const window = await context.background.size(WINDOW);
  return context.background.piece((db) => runWindow({ ...context, db }, id, window));
}

async function runWindow(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer" | "topics">,
  id: string | null,
  window: number,
): Promise<boolean> {
  let taken: RunningJob | undefined;
  try {
    return await context.db.transaction(async (tx) => {
      taken = await lockJob(tx, id);
      if (!taken) return false;
      await runBatch(context, tx, taken, window);
      return true;
    });
  } catch (error) {
    if (!taken) throw error;
    const at = context.clock.now();
    // The others go first next time: a job that cannot go on delays nobody.
    if (!(error instanceof AppError)) {
      await postponeJob(context.db, taken, at);
      throw error;
    }
    const move = { from: ["running"], to: "failed", reason: error.message, at } as const;
    const failed = taken;
    await context.db.transaction(async (tx) => {
      const [job] = await setJobState(tx, failed.workspaceId, failed.id, move);
      if (job) await tellStarter(context, tx, failed.workspaceId, job, "failed");
    });
    return true;
  }
}

async function runBatch(
  context: Pick<Context, "ids" | "clock" | "wake" | "sealer" | "topics">,
  tx: Tx,
  job: RunningJob,
  window: number,
): Promise<void> {
  const { workspaceId, definition } = job;
  const at = context.clock.now();
  // Days are counted from the start, so that the last batch means what the first one meant.
  const where = definition ? compileSegment(definition, job.startedAt) : sql`true`;
  const next = await selectNext(tx, job, where, window);
  const change = { ...job.details, action: job.action } as ContactChange;
  const cause = { source: "bulk", ref: job.id } as const;
  const done = await changeContacts(context, tx, workspaceId, next.ids, change, cause);
  const step = { matched: next.ids.length, changed: done.changed };
  await moveJob(tx, job, { ...next, ...step, at });
  if (next.end) {
    const sums = { matched: job.matched + step.matched, changed: job.changed + step.changed };
    await audit(job.actor, context, tx, workspaceId, {
      action: "contacts.bulk_done",
      subject: job.id,
      facts: sums,
    });
    await tellStarter(context, tx, workspaceId, { ...job, ...sums }, "done");
  }
  await emitEvents(context, tx, done.events, job.actor);
}

const tellStarter = (
  context: Pick<Context, "ids" | "clock" | "topics">,
  tx: Tx,
  workspaceId: string,
  { actor, action, matched, changed }: Pick<BulkJob, "actor" | "action" | "matched" | "changed">,
  outcome: "done" | "failed",
): Promise<void> =>
  notifyStarter(context, tx, workspaceId, {
    kind: "change",
    actor,
    facts: { outcome, action, matched, changed },
    ref: "/contacts",
  });

/** The jobs of a workspace, newest first. */
export function listBulkJobs(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<BulkJob[]> {
  return selectJobs(context.db, workspaceId, null);
}

/** The progress of running jobs, by id. */
export async function progressOfJobs(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ReadonlyMap<string, JobProgress>> {
  const rows = await selectProgress(context.db, workspaceId);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A job of the workspace. Throws NOT_FOUND. */
export async function findBulkJob(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<BulkJob> {
  const [job] = isId(id) ? await selectJobs(context.db, workspaceId, id) : [];
  if (!job) throw new AppError("NOT_FOUND", { explanation: "there is no such job" });
  return job;
}

const MOVES = {
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  cancel: { from: ["running", "paused"], to: "cancelled" },
} as const;

/**
 * Pauses, resumes or cancels a job; a running batch is finished first. The changes that were made stay. Throws
 * NOT_FOUND, NOT_ALLOWED_IN_STATE.
 */
export const moveBulkJob = write(
  "bulk_change.move",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    id: string,
    move: keyof typeof MOVES,
    { within }: JobWithin = {},
  ): Promise<BulkJob> => {
    const before = await findBulkJob(context, workspaceId, id);
    return context.db.transaction(async (tx) => {
      const at = context.clock.now();
      const [job] = await setJobState(tx, workspaceId, id, { ...MOVES[move], reason: null, at });
      if (!job)
        throw notInState(before.state, MOVES[move].from, `the job is ${before.state}`, "state");
      await audit(actor, context, tx, workspaceId, {
        action: `contacts.bulk_${MOVES[move].to}`,
        subject: id,
        facts: {},
      });
      await within?.(tx, job);
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      return job;
    });
  },
);
