import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { Sql } from "../../db/sql.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { notifyAdmins } from "../../workspaces/notify-admins.ts";
import { broadcastStatusEvent, type Broadcast } from "./broadcast.ts";
import { moveBroadcast, type BroadcastKey } from "./broadcast-store.ts";
import { waitingRecipients } from "../audience/waiting-store.ts";

export { haltCampaigns } from "./broadcast-store.ts";

/**
 * The engine pauses a running campaign with a reason that a person can act on, and tells the admins: once, however
 * many sends fail together. Gives the event for the caller to emit last. Gives none when it no longer ran, or when
 * nobody waits that a pause could hold back: then it completes with the last answer.
 */
export async function haltBroadcast(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  key: BroadcastKey,
  reason: string,
): Promise<NewEvent[]> {
  const facts = { reason: reason.slice(0, 500) };
  return stop(context, tx, key, "halt", facts, waitingRecipients);
}

/** A queued campaign cannot run at all: FAILED, with the reason. */
export async function failBroadcast(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  key: BroadcastKey,
  reason: string,
): Promise<NewEvent[]> {
  return stop(context, tx, key, "fail", { reason });
}

/** A scheduled campaign whose time passed too long ago: a draft again, and the admins are told. */
export async function missBroadcast(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  key: BroadcastKey,
  scheduledAt: Date,
): Promise<NewEvent[]> {
  const reason = `SCHEDULE_MISSED: it was due at ${scheduledAt.toISOString()}`;
  return stop(context, tx, key, "miss", { reason, scheduledAt: null });
}

async function stop(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  key: BroadcastKey,
  move: "halt" | "fail" | "miss",
  facts: { readonly reason: string; readonly scheduledAt?: null },
  condition?: Sql,
): Promise<NewEvent[]> {
  const at = context.clock.now();
  const moved = await moveBroadcast(tx, key, move, { at, ...facts }, condition);
  if (moved === null) return [];
  await tellAdmins(context, tx, moved.broadcast, at);
  return [broadcastStatusEvent(moved.broadcast, moved.previousStatus, at)];
}

const TOLD: Partial<
  Record<Broadcast["status"], readonly [kind: string, words: string, more: string]>
> = {
  PAUSED: ["paused", "was paused", " Nobody was lost: start it again when this is put right."],
  DRAFT: ["missed", "was not started", " Nobody got it: start it, or give it another time."],
};

async function tellAdmins(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  broadcast: Broadcast,
  at: Date,
): Promise<void> {
  const [kind, words, more] = TOLD[broadcast.status] ?? ["failed", "could not run", ""];
  await notifyAdmins(context, tx, broadcast.workspaceId, {
    kind: `broadcast.${kind}`,
    subject: `Campaign ${broadcast.name} ${words}`,
    body: `Reason: ${broadcast.statusReason ?? "unknown"}.${more}`,
    dedupe: `broadcast:${broadcast.id}:${at.toISOString()}`,
  });
}
