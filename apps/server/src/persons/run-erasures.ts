import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { sweepMedia } from "../media/sweep-media.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { audit } from "../workspaces/write-audit.ts";
import {
  finishErasure,
  lockDue,
  moveErasure,
  peekDue,
  postponeErasure,
  type DueErasure,
} from "./erasure-store.ts";
import { keysPlace, STEPS, type Keys, type Running, type Step } from "./erasure.ts";
import { WORK } from "./erasure-steps.ts";

/** How soon an erasure that could not go on is tried again. */
const FAULT_MS = 30_000;
/** Batches of files that are removed before the row is read again. */
const SWEEPS = 20;

/**
 * Does the next batch of the erasure that has been due the longest, or of the given one, in one transaction with
 * its position and the events. A process that dies leaves a batch undone or done, never half, and the next process
 * goes on. Two processes never do the same batch. False when none was due. The bytes of files are removed outside
 * the transaction; they are removed again when it is not known whether they were.
 */
export async function runErasureBatch(
  context: Context,
  id: string | null = null,
): Promise<boolean> {
  const due = await peekDue(context.db, context.clock.now(), id);
  if (due === null) return false;
  if (due === "files") for (let n = 0; n < SWEEPS && (await sweepMedia(context)) > 0;) n++;
  let taken: DueErasure | undefined;
  try {
    // Gives way to requests.
    return await context.background.piece((db) =>
      db.transaction(async (tx) => {
        taken = await lockDue(tx, context.clock.now(), id);
        if (!taken) return false;
        await runStep(context, tx, taken);
        return true;
      }),
    );
  } catch (error) {
    if (taken) {
      const at = context.clock.now();
      const dueAt = new Date(at.getTime() + FAULT_MS);
      // The others go first: an erasure that cannot go on delays nobody.
      await postponeErasure(context.db, taken, { waitsFor: "a fault, see the log", dueAt, at });
    }
    throw error;
  }
}

async function runStep(context: Context, tx: Tx, taken: DueErasure): Promise<void> {
  const { workspaceId, id, step, keysSealed } = taken;
  if (step === "done") throw new Error("an erasure that is done was taken up");
  const keys = JSON.parse(context.sealer.open(keysSealed, keysPlace(workspaceId, id))) as Keys;
  const of: Running = { ...taken, keys };
  const batch = await WORK[step](context, tx, of);
  const counts = added(taken.counts, batch.counts ?? {});
  const at = context.clock.now();
  const next = batch.next ?? (batch.cursor === null ? after(step) : step);
  if (next === null) {
    await finishErasure(tx, of, counts, at);
    await audit(taken.actor, context, tx, workspaceId, {
      action: "contact.erased",
      subject: taken.contactId,
      facts: { erasureId: id, ...counts },
    });
  } else {
    const { wait } = batch;
    await moveErasure(tx, of, {
      step: next,
      cursor: next === step ? (batch.cursor ?? "") : "",
      counts,
      waitsFor: wait?.what ?? null,
      dueAt: new Date(at.getTime() + (wait?.ms ?? 0)),
      at,
    });
  }
  await emitEvents(context, tx, batch.events ?? []);
}

function after(step: Step): Step | null {
  return STEPS[STEPS.indexOf(step) + 1] ?? null;
}

function added(
  counts: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum: Record<string, number> = { ...counts };
  for (const [name, count] of Object.entries(more))
    if (count > 0) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
