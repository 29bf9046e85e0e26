import { instantOf, wallOf } from "../lib/time-zone.ts";
import {
  DAY_MINUTES,
  WEEKDAYS,
  type Day,
  type Period,
  type Span,
  type Week,
} from "../wire/hours.ts";

/**
 * When a workspace is open. A span belongs to the day on which it begins and may end after midnight; a single day wins
 * over a period, a period over the week. Spans are turned into instants by `instantOf`: a time that a change of clocks
 * skips lies as long after the change, of a time shown twice the first counts. Instants are milliseconds since 1970.
 */
export interface Hours {
  readonly zone: string;
  readonly week: Week;
  readonly periods: readonly Period[];
  readonly days: readonly Day[];
}

interface Interval {
  readonly start: number;
  readonly end: number;
}

const MINUTE = 60_000;
const DAY = DAY_MINUTES * MINUTE;
/** How far ahead an opening, a closing or a due time is looked for. */
const HORIZON_DAYS = 400;
/**
 * Days before the one of a moment whose spans may hold it: one for a span over midnight, one more for a zone that skipped a
 * whole day (Pacific/Apia, 2011-12-30).
 */
const DAYS_BEFORE = 2;

/** Whether it is open at this instant. */
export function isOpen(hours: Hours, at: number): boolean {
  const today = dayOf(hours.zone, at);
  for (let day = today - DAYS_BEFORE * DAY; day <= today + DAY; day += DAY)
    if (intervalsOf(hours, day).some(({ start, end }) => start <= at && at < end)) return true;
  return false;
}

/** Milliseconds of open time between two instants; 0 when `to` is not after `from`. */
export function openMs(hours: Hours, from: number, to: number): number {
  let sum = 0;
  for (const { start, end } of openings(hours, from, to))
    sum += Math.max(0, Math.min(end, to) - Math.max(start, from));
  return sum;
}

/**
 * The first instant at which `ms` of open time have passed since `since`; null when that is not within 400 days. For no
 * time it is `since` itself, also while closed.
 */
export function dueAt(hours: Hours, since: number, ms: number): number | null {
  if (ms <= 0) return since;
  let left = ms;
  for (const { start, end } of openings(hours, since, since + HORIZON_DAYS * DAY)) {
    const begin = Math.max(start, since);
    if (end - begin >= left) return begin + left;
    left -= Math.max(0, end - begin);
  }
  return null;
}

/** The instant itself while open, else when it opens next; null when that is not within 400 days. */
export function nextOpening(hours: Hours, at: number): number | null {
  for (const { start } of openings(hours, at, at + HORIZON_DAYS * DAY)) return Math.max(start, at);
  return null;
}

/** While open: when it closes. Null when that is not within 400 days, and while closed. */
export function nextClosing(hours: Hours, at: number): number | null {
  for (const { start, end } of openings(hours, at, at + HORIZON_DAYS * DAY))
    return start <= at && end <= at + HORIZON_DAYS * DAY ? end : null;
  return null;
}

/**
 * The times of being open that end after `from` and begin before `to`, in order, joined where they touch. The first and
 * the last may reach beyond the two.
 */
function* openings(hours: Hours, from: number, to: number): Generator<Interval> {
  if (to <= from) return;
  let waiting: Interval[] = [];
  // One day's spans may begin before those of the day before have ended: what ended two days ago is complete.
  const last = dayOf(hours.zone, to) + DAY;
  for (let day = dayOf(hours.zone, from) - DAYS_BEFORE * DAY; day <= last; day += DAY) {
    waiting = joined([...waiting, ...intervalsOf(hours, day)]);
    const complete = instantOf(hours.zone, day) - DAY;
    while (waiting[0] && waiting[0].end < complete) {
      const next = waiting[0];
      waiting = waiting.slice(1);
      if (next.end > from && next.start < to) yield next;
    }
  }
  for (const next of waiting) if (next.end > from && next.start < to) yield next;
}

function joined(intervals: readonly Interval[]): Interval[] {
  const found: Interval[] = [];
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    const before = found.at(-1);
    if (before && start <= before.end)
      found[found.length - 1] = { start: before.start, end: Math.max(before.end, end) };
    else found.push({ start, end });
  }
  return found;
}

/** When the spans that begin on a day begin and end. A span that a change of clocks turns round is left out. */
function intervalsOf(hours: Hours, day: number): Interval[] {
  const spans = spansOf(hours, day);
  if (spans.length === 0) return [];
  const instant = instantsAround(hours.zone, day);
  return spans.flatMap(({ from, to }) => {
    const [start, end] = [instant(day + from * MINUTE), instant(day + to * MINUTE)];
    return start < end ? [{ start, end }] : [];
  });
}

/** `instantOf` for the wall times of a day and of the night after it; quick where the clocks do not change. */
function instantsAround(zone: string, day: number): (wall: number) => number {
  const before = offsetAt(zone, day - DAY);
  return before === offsetAt(zone, day + 3 * DAY)
    ? (wall) => wall - before
    : (wall) => instantOf(zone, wall);
}

/** The spans that begin on a day. */
export function spansOf(
  { week, periods, days }: Omit<Hours, "zone">,
  day: number,
): readonly Span[] {
  const date = new Date(day).toISOString().slice(0, 10);
  const own = days.find((one) => one.date === date);
  if (own) return own.spans;
  const period = periods.find(({ from, to }) => from <= date && date <= to);
  const weekday = WEEKDAYS[(new Date(day).getUTCDay() + 6) % 7] ?? "monday";
  return (period?.week ?? week)[weekday];
}

/** Midnight of the zone's day at an instant, as the milliseconds at which a clock in UTC shows it. */
const dayOf = (zone: string, at: number): number => Math.floor(wallOf(zone, at) / DAY) * DAY;
const offsetAt = (zone: string, at: number): number => wallOf(zone, at) - at;
