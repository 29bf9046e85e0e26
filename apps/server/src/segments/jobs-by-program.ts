import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { contactJobs } from "../operations/contact-jobs.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { permitScope } from "../policies.ts";
import type { ContactJobJson } from "../wire/contact-job.ts";
import { keeping, perform, type Around } from "../write.ts";
import { selectJobPage, selectProgress } from "./bulk-job-store.ts";
import { jobFailureKind, type BulkJob, type JobProgress, type JobWithin } from "./bulk-job.ts";
import { findBulkJob, moveBulkJob, progressOfJobs } from "./run-bulk-jobs.ts";
import { startBulkJob, type BulkTarget } from "./start-bulk-job.ts";

type WriteContext = Pick<Context, "db" | "ids" | "clock" | "wake">;

/** A change as the doors show it. */
export const presentJob = (job: BulkJob, progress?: JobProgress): ContactJobJson => ({
  id: job.id,
  action: job.action,
  details: job.details,
  state: job.state,
  reason: job.reason,
  failure: job.reason === null ? null : jobFailureKind(job.reason),
  matched: job.matched,
  changed: job.changed,
  looked: progress ? Math.min(progress.done, progress.total) : null,
  total: progress?.total ?? null,
  by: job.actor,
  createdAt: job.createdAt,
  finishedAt: job.finishedAt,
});

/**
 * As `startBulkJob`; the answer is kept with the job. Throws MISSING_SCOPE for a key that deletes without `contacts:erase`
 * or opts in without `contacts:consent`.
 */
export const startJobByProgram = perform(
  contactJobs.startContactJob,
  (actor, context: WriteContext, workspaceId, { filter, change }, { keep }) => {
    if (change.action === "delete") permitScope(actor, "contacts:erase");
    if (change.action === "opt_in") permitScope(actor, "contacts:consent");
    const { ids, segmentId, definition } = filter;
    const targets: readonly BulkTarget[] = [
      ...(ids ? [{ ids }] : []),
      ...(segmentId === undefined ? [] : [{ segmentId }]),
      ...(definition ? [{ definition }] : []),
    ];
    const [target, another] = targets;
    if (!target || another) throw invalid("filter", "must have one of ids, segmentId, definition");
    const whole =
      change.action === "opt_out" || change.action === "opt_in"
        ? { ...change, reason: change.reason ?? null }
        : change;
    return kept(keep, workspaceId, (within) =>
      startBulkJob(actor, context, workspaceId, target, whole, { within }),
    );
  },
);

/** A page of changes, newest first. Throws VALIDATION_FAILED for a cursor that no page gave. */
export const listJobsByProgram = perform(
  contactJobs.listContactJobs,
  async (_actor, context: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const before = cursorOf(cursor);
    const [rows, progress] = await Promise.all([
      selectJobPage(context.db, workspaceId, before, limit + 1),
      progressOfJobs(context, workspaceId),
    ]);
    const { items, last } = cutPage(rows, limit);
    return {
      items: items.map((job) => presentJob(job, progress.get(job.id))),
      nextCursor: last?.id ?? null,
    };
  },
);

/** One change. Throws NOT_FOUND. */
export const readJobByProgram = perform(
  contactJobs.readContactJob,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    const job = await findBulkJob(context, workspaceId, id);
    return presentJob(job, (await progressOfJobs(context, workspaceId)).get(id));
  },
);

/** As `moveBulkJob`; the answer is kept with the move. */
export const moveJobByProgram = perform(
  contactJobs.moveContactJob,
  (actor, context: WriteContext, workspaceId, { id, move }, { keep }) =>
    kept(keep, workspaceId, (within) =>
      moveBulkJob(actor, context, workspaceId, id, move, { within }),
    ),
);

/** Keeps the job as it is shown, with its progress. */
const kept = (
  keep: Around["keep"],
  workspaceId: string,
  run: (within: NonNullable<JobWithin["within"]>) => Promise<unknown>,
) =>
  keeping(
    keep,
    async (job: BulkJob, tx) => {
      const progress = await selectProgress(tx, workspaceId);
      return presentJob(
        job,
        progress.find(({ id }) => id === job.id),
      );
    },
    run,
  );
