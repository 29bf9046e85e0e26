import { expireRuns } from "../bots/thread/expire-runs.ts";
import { unfinishedBroadcasts } from "../broadcasts/record/unfinished-broadcasts.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { expireNotes } from "../inbox/expire-notes.ts";
import { expireGaps } from "../knowledge/close-gap.ts";
import { lowestIdAt, NIL_ID } from "../lib/ids.ts";
import { expireFiles } from "../messages/record/expire-files.ts";
import { expireMessages } from "../messages/record/expire-messages.ts";
import { expireEvents } from "../webhooks/prune-events.ts";
import {
  boundsAt,
  REST_MS,
  RETENTION_STEPS,
  type Bounds,
  type Deleted,
  type Retention,
  type RetentionStep,
} from "./retention.ts";
import { hasDue, lockDueRetention, moveRetention, postponeRetention } from "./retention-store.ts";

/** Rows of one batch when no one else uses the database; a fifth of them otherwise. */
const MOST_ROWS = 2_000;
/** How soon a batch that failed is tried again. */
const FAULT_MS = 5 * 60_000;
/** Runs of bots may go on for some days after they began. */
const LONGEST_RUN_MS = 31 * 86_400_000;

/** What a batch did. `last`: the id up to which the step looked; null: it is over. */
interface Batch {
  readonly last: string | null;
  readonly deleted: Partial<Deleted>;
}

/** One batch of a step. */
interface Piece {
  readonly context: Context;
  readonly tx: Tx;
  readonly retention: Retention;
  readonly bounds: Bounds;
  readonly limit: number;
}

const OVER: Batch = { last: null, deleted: {} };

const WORK: Readonly<Record<RetentionStep, (piece: Piece) => Promise<Batch>>> = {
  async messages({ context, tx, retention: { workspaceId, atId }, bounds: { messages }, limit }) {
    if (messages === null) return OVER;
    const held = await unfinishedBroadcasts(tx, workspaceId);
    const range = { above: atId, below: lowestIdAt(messages) };
    const { last, ...deleted } = await expireMessages(context, tx, workspaceId, range, {
      held,
      limit,
    });
    return { last, deleted };
  },
  async files({ context, tx, retention: { workspaceId, atId }, bounds: { files }, limit }) {
    if (files === null) return OVER;
    const range = { above: atId, below: lowestIdAt(files) };
    const { last, ...deleted } = await expireFiles(context, tx, workspaceId, range, limit);
    return { last, deleted };
  },
  async notes({ tx, retention: { workspaceId }, bounds: { messages }, limit }) {
    if (messages === null) return OVER;
    const notes = await expireNotes(tx, workspaceId, messages, limit);
    const gaps = await expireGaps(tx, workspaceId, lowestIdAt(messages), limit);
    return { last: notes.more || gaps === limit ? NIL_ID : null, deleted: { notes: notes.notes } };
  },
  async runs({ tx, retention: { workspaceId, atId, passedBefore }, bounds: { messages }, limit }) {
    if (messages === null) return OVER;
    const from =
      passedBefore === null
        ? NIL_ID
        : lowestIdAt(new Date(passedBefore.getTime() - LONGEST_RUN_MS));
    const range = { above: atId > from ? atId : from, below: lowestIdAt(messages) };
    return { last: await expireRuns(tx, workspaceId, range, limit), deleted: {} };
  },
  async events({ tx, retention: { workspaceId }, bounds: { events }, limit }) {
    if (events === null) return OVER;
    const count = await expireEvents(tx, workspaceId, events, limit);
    return { last: count === limit ? NIL_ID : null, deleted: { events: count } };
  },
};

/**
 * Deletes the next batch of what a workspace keeps no longer, in one transaction with its place. The row of the
 * retention is locked meanwhile: two processes never do the same batch, a change of the retention waits for it, and a
 * process that dies leaves a batch undone or done. Workspaces take turns. Gives how many batches were done: 1 or 0.
 */
export async function runRetentionBatch(context: Context): Promise<number> {
  if (!(await hasDue(context.db, context.clock.now()))) return 0;
  const limit = await context.background.size(MOST_ROWS);
  let taken: Retention | null = null;
  try {
    // Gives way to requests.
    return await context.background.piece((db) =>
      db.transaction(async (tx) => {
        const now = context.clock.now();
        taken = await lockDueRetention(tx, now);
        if (taken === null) return 0;
        await runStep(context, tx, taken, limit);
        return 1;
      }),
    );
  } catch (error) {
    const { workspaceId } = (taken as Retention | null) ?? {};
    if (workspaceId !== undefined) {
      const dueAt = new Date(context.clock.now().getTime() + FAULT_MS);
      await postponeRetention(context.db, workspaceId, dueAt);
    }
    throw error;
  }
}

async function runStep(
  context: Context,
  tx: Tx,
  retention: Retention,
  limit: number,
): Promise<void> {
  const now = context.clock.now();
  const { workspaceId, step } = retention;
  const bounds = boundsAt(retention, now);
  const { last, deleted } = await WORK[step]({ context, tx, retention, bounds, limit });
  const next = last === null ? RETENTION_STEPS[RETENTION_STEPS.indexOf(step) + 1] : step;
  await moveRetention(tx, workspaceId, {
    step: next ?? "messages",
    atId: last ?? NIL_ID,
    dueAt: next === undefined ? new Date(now.getTime() + REST_MS) : now,
    deleted,
    passed: next === undefined ? { at: now, before: bounds.messages } : null,
  });
}
