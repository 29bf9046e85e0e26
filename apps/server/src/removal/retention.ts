import { MOST_EVENT_DAYS, type RetentionJson, type RetentionState } from "../wire/retention.ts";
import { NIL_ID } from "../lib/ids.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Nothing is deleted for so long after a time was made shorter, so that a mistake can be taken back. */
export const SHORTENING_GRACE_MS = DAY;
/** How long a pass waits for the next one. */
export const REST_MS = HOUR;

/** For how long a workspace keeps what. Null: messages for good, files as long as their messages, events 30 days. */
export interface Kept {
  readonly messageMonths: number | null;
  readonly fileMonths: number | null;
  readonly eventDays: number | null;
}

/** The steps of a pass, in their order. */
export const RETENTION_STEPS = ["messages", "files", "notes", "runs", "events"] as const;
export type RetentionStep = (typeof RETENTION_STEPS)[number];

/** What was deleted. */
export interface Deleted {
  readonly messages: number;
  readonly files: number;
  readonly notes: number;
  readonly events: number;
}

/** The retention of a workspace, and how far its deletion is. */
export interface Retention extends Kept {
  readonly workspaceId: string;
  readonly beginsAt: Date;
  readonly changedAt: Date;
  readonly step: RetentionStep;
  /** The last id that the step looked at. */
  readonly atId: string;
  readonly passedAt: Date | null;
  readonly passedBefore: Date | null;
  readonly deleted: Deleted;
}

export const KEPT_FOR_GOOD: Kept = { messageMonths: null, fileMonths: null, eventDays: null };

/** Whether something of it is deleted that would not be without it. */
export const isSet = ({ messageMonths, fileMonths, eventDays }: Kept): boolean =>
  messageMonths !== null || fileMonths !== null || (eventDays ?? MOST_EVENT_DAYS) < MOST_EVENT_DAYS;

/** Whether something is kept for a shorter time than before. */
export function isShorter(next: Kept, before: Kept): boolean {
  const months = (value: number | null) => value ?? Infinity;
  return (
    months(next.messageMonths) < months(before.messageMonths) ||
    months(next.fileMonths) < months(before.fileMonths) ||
    (next.eventDays ?? MOST_EVENT_DAYS) < (before.eventDays ?? MOST_EVENT_DAYS)
  );
}

/** The same hour of the day so many months earlier, in UTC; the last day of a month that has no such day. */
export function monthsBefore(at: Date, months: number): Date {
  const then = new Date(at);
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() - months);
  const last = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(at.getUTCDate(), last));
  return then;
}

/** What is older than these is deleted. Null: nothing is. */
export interface Bounds {
  readonly messages: Date | null;
  readonly files: Date | null;
  readonly events: Date | null;
}

/** The bounds at a moment. */
export function boundsAt({ messageMonths, fileMonths, eventDays }: Kept, now: Date): Bounds {
  const before = (months: number | null) => (months === null ? null : monthsBefore(now, months));
  return {
    messages: before(messageMonths),
    files: before(fileMonths),
    events: eventDays === null ? null : new Date(now.getTime() - eventDays * DAY),
  };
}

function stateOf(retention: Retention, now: Date): RetentionState {
  if (!isSet(retention)) return "off";
  if (retention.beginsAt > now) return "waiting";
  const resting = retention.step === "messages" && retention.atId === NIL_ID;
  return resting && retention.passedAt !== null ? "done" : "deleting";
}

/** The retention as it is shown. */
export function presentRetention(retention: Retention | null, now: Date): RetentionJson {
  if (retention === null)
    return {
      ...KEPT_FOR_GOOD,
      state: "off",
      beginsAt: null,
      changedAt: null,
      passedAt: null,
      deleted: { messages: 0, files: 0, notes: 0, events: 0 },
    };
  const { messageMonths, fileMonths, eventDays, beginsAt, changedAt, passedAt, deleted } =
    retention;
  return {
    messageMonths,
    fileMonths,
    eventDays,
    state: stateOf(retention, now),
    beginsAt: isSet(retention) ? beginsAt.toISOString() : null,
    changedAt: changedAt.toISOString(),
    passedAt: passedAt?.toISOString() ?? null,
    deleted,
  };
}
