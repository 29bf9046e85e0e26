import type { Context } from "../../context.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { audienceOf, isResend } from "./audience-of.ts";
import { insertAudience } from "./audience-insert-store.ts";
import { broadcastStatusEvent } from "../record/broadcast.ts";
import {
  lockFamily,
  lockQueued,
  moveBroadcast,
  selectBroadcast,
  selectQueued,
  type BroadcastKey,
} from "../record/broadcast-store.ts";
import { failBroadcast } from "../record/halt-broadcast.ts";
import { planBroadcast } from "../send/plan-sending.ts";
import { splitRendering } from "./split.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/**
 * Contacts per transaction, fewer when it must rest for others. A crash repeats at most this much, and a cancel
 * waits at most this long.
 */
const AUDIENCE_CHUNK = 5_000;
/** Chunks of one campaign before the next campaign's turn: what they need is prepared once for them. */
const TURN = 8;

/** Stores the next chunks of the audience of every queued campaign. Gives how many campaigns moved on. */
export async function storeAudiences(context: Context): Promise<number> {
  const backgroundContext = { ...context, db: context.background.db };
  let moved = 0;
  await context.background.watch();
  for (const key of await selectQueued(backgroundContext.db)) {
    try {
      if (await storeTurn(backgroundContext, key)) moved++;
    } catch (error) {
      // An error of one campaign stays its own: it is tried again, and the others go on.
      context.log.error({ broadcastId: key.id, ...describeForLog(error) }, "audience broke off");
    }
  }
  return moved;
}

/**
 * Stores the next chunks of one campaign's audience, at most `chunks` of them. False: it was not queued. A chunk is one
 * resumable step of QUEUED → RUNNING, in one transaction: the next contacts of the segment, in the order of their ids,
 * become recipients or are stored as skipped. Their texts are filled in and frozen, and the cursor moves. The step that
 * finds the end sets RUNNING. A campaign that cannot run becomes FAILED with the reason.
 */
export async function storeTurn(
  context: Context,
  key: BroadcastKey,
  chunks: number = TURN,
): Promise<boolean> {
  const audience = await prepare(context, key);
  let step: Step = "none";
  for (let chunk = 0; audience && chunk < chunks && (chunk === 0 || step === "more"); chunk++) {
    const size = await context.background.size(AUDIENCE_CHUNK);
    step = await context.background.piece((db) =>
      storeNext({ ...context, db }, key, audience, size),
    );
  }
  return step !== "none";
}

/** The audience, or why the campaign cannot run. */
type Audience = { readonly segment: Sql; readonly resend: boolean } | { readonly stop: string };
/**
 * - more: there may be more to store
 * - moved: the campaign moved to another state
 * - none: it was not queued, or another worker has it now
 */
type Step = "more" | "moved" | "none";

/** Null when it is not queued. */
async function prepare(context: Context, key: BroadcastKey): Promise<Audience | null> {
  const found = await selectBroadcast(context.db, key.workspaceId, key.id);
  if (found?.status !== "QUEUED") return null;
  const plan = await planBroadcast(context, found);
  if ("stop" in plan && plan.gone) return { stop: plan.stop };
  const segment = await audienceOf(context, found);
  return segment === null ? { stop: "SEGMENT_GONE" } : { segment, resend: isResend(found) };
}

function storeNext(
  context: Context,
  key: BroadcastKey,
  audience: Audience,
  limit: number,
): Promise<Step> {
  return context.db.transaction(async (tx) => {
    if ("stop" in audience) {
      const events = await failBroadcast(context, tx, key, audience.stop);
      await emitEvents(context, tx, events);
      return events.length > 0 ? "moved" : "none";
    }
    if (audience.resend) await lockFamily(tx, key);
    const locked = await lockQueued(tx, key);
    if (locked === null) return "none";
    const { broadcast, cursor } = locked;
    // Recipients of other resends are read again: one may have been created and stored since.
    const segment = audience.resend
      ? await audienceOf({ clock: context.clock, db: tx }, broadcast, cursor)
      : audience.segment;
    if (segment === null) return "none";
    const now = context.clock.now();
    const stored = await insertAudience(tx, broadcast, segment, splitRendering(broadcast), {
      after: cursor,
      limit,
      now,
    });
    if (stored.count === limit) {
      // Not durable at once: nobody uses a part of an audience. A part that a crash of the machine undoes is
      // stored again, with its cursor, and the commit that lets the campaign run waits for the disk for all of
      // them.
      tx.later(tx.query(sql`set local synchronous_commit = off`));
      return "more";
    }
    const moved = await moveBroadcast(tx, key, "stored", { at: now });
    if (moved)
      await emitEvents(context, tx, [
        broadcastStatusEvent(moved.broadcast, moved.previousStatus, now),
      ]);
    // A sender may have looked a moment ago.
    tx.afterCommit(() => context.wake.nudge("broadcasts"));
    return "moved";
  });
}
