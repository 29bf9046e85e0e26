import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { lowestIdAt } from "../lib/ids.ts";
import { countMediaBetween } from "../media/expire-media.ts";
import { countMessagesBefore } from "../messages/record/expire-messages.ts";
import { retentionOperations } from "../operations/retention.ts";
import { MOST_PREVIEWED, type RetentionPreviewJson } from "../wire/retention.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import {
  boundsAt,
  SHORTENING_GRACE_MS,
  isSet,
  isShorter,
  KEPT_FOR_GOOD,
  presentRetention,
  type Kept,
} from "./retention.ts";
import { lockRetention, selectRetention, updateRetention } from "./retention-store.ts";

/** For how long a workspace keeps what, and how far the deletion is. */
export const readRetention = perform(
  retentionOperations.readRetention,
  async (_actor, { db, clock }: Pick<Context, "db" | "clock">, workspaceId) =>
    presentRetention(await selectRetention(db, workspaceId), clock.now()),
);

/** What a change would delete today. Changes nothing. */
export const previewRetention = perform(
  retentionOperations.previewRetention,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId, given, { keep }) =>
    context.db.transaction(async (tx) =>
      keep(tx, await previewOf(tx, context.clock.now(), workspaceId, given)),
    ),
);

async function previewOf(
  tx: Tx,
  now: Date,
  workspaceId: string,
  given: Partial<Kept>,
): Promise<RetentionPreviewJson> {
  const stored = await selectRetention(tx, workspaceId);
  const before = stored ?? KEPT_FOR_GOOD;
  const next = merged(before, given);
  const shorter = isShorter(next, before);
  const { messages, files } = boundsAt(next, now);
  const begins = shorter
    ? new Date(now.getTime() + SHORTENING_GRACE_MS)
    : (stored?.beginsAt ?? now);
  return {
    shorter,
    messages: await counted(messages, (at) =>
      countMessagesBefore(tx, workspaceId, lowestIdAt(at), MOST_PREVIEWED + 1),
    ),
    files: await counted(files, (at) =>
      countMediaBetween(
        tx,
        workspaceId,
        { above: messages ? lowestIdAt(messages) : null, below: lowestIdAt(at) },
        MOST_PREVIEWED + 1,
      ),
    ),
    beginsAt: (begins > now ? begins : now).toISOString(),
  };
}

async function counted(
  bound: Date | null,
  count: (at: Date) => Promise<number>,
): Promise<{ readonly count: number; readonly more: boolean }> {
  const found = bound === null ? 0 : await count(bound);
  return { count: Math.min(found, MOST_PREVIEWED), more: found > MOST_PREVIEWED };
}

/**
 * Changes for how long a workspace keeps what. After a time was made shorter nothing is deleted for 24 hours. What was
 * set before is deleted no sooner either: until then the change can be taken back without any loss. The audit names
 * both.
 */
export const changeRetention = perform(
  retentionOperations.changeRetention,
  async (actor, context: Pick<Context, "db" | "clock" | "ids" | "wake">, workspaceId, given) => {
    const now = context.clock.now();
    return context.db.transaction(async (tx) => {
      const before = await lockRetention(tx, workspaceId, now);
      const next = merged(before, given);
      if (isSame(next, before)) return presentRetention(before, now);
      const again = isShorter(next, before);
      const beginsAt = again ? new Date(now.getTime() + SHORTENING_GRACE_MS) : before.beginsAt;
      const dueAt = !isSet(next) ? null : beginsAt > now ? beginsAt : now;
      const stored = await updateRetention(tx, workspaceId, next, { now, beginsAt, dueAt, again });
      await audit(actor, context, tx, workspaceId, {
        action: "retention.changed",
        subject: workspaceId,
        facts: { ...next, before: keptOf(before), beginsAt: dueAt?.toISOString() ?? null },
      });
      return presentRetention(stored, now);
    });
  },
);

const keptOf = ({ messageMonths, fileMonths, eventDays }: Kept): Kept => ({
  messageMonths,
  fileMonths,
  eventDays,
});

const merged = (before: Kept, given: Partial<Kept>): Kept => ({
  messageMonths: given.messageMonths === undefined ? before.messageMonths : given.messageMonths,
  fileMonths: given.fileMonths === undefined ? before.fileMonths : given.fileMonths,
  eventDays: given.eventDays === undefined ? before.eventDays : given.eventDays,
});

const isSame = (a: Kept, b: Kept): boolean =>
  a.messageMonths === b.messageMonths &&
  a.fileMonths === b.fileMonths &&
  a.eventDays === b.eventDays;
