import type { Context } from "../context.ts";
import { invalid, type AppError } from "../errors.ts";
import { isCalendarDay } from "../lib/calendar-day.ts";
import { hoursOperations } from "../operations/hours.ts";
import type { InputOf } from "../operations/operation.ts";
import { LATEST_END, WEEKDAYS, type Span, type Week } from "../wire/hours.ts";
import { checkedTimeZone } from "../workspaces/time-zone.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { upsertHours } from "./hours-store.ts";
import { presentHours } from "./read-hours.ts";

type Given = InputOf<typeof hoursOperations.saveHours>;

/**
 * Saves the hours and raises their version. Throws VALIDATION_FAILED, which names the span, period or day, and
 * VERSION_MISMATCH.
 */
export const saveHours = perform(
  hoursOperations.saveHours,
  async (actor, context: Pick<Context, "db" | "clock" | "ids">, workspaceId, given, { match }) => {
    const fault = faultOf(given);
    if (fault) throw fault;
    const now = context.clock.now();
    return context.db.transaction(async (tx) => {
      const timeZone = given.timeZone === null ? null : await checkedTimeZone(tx, given.timeZone);
      const week = sortedWeek(given.week);
      const periods = given.periods
        .map((period) => ({ ...period, week: sortedWeek(period.week) }))
        .toSorted((a, b) => compare(a.from, b.from));
      const days = given.days
        .map((day) => ({ ...day, spans: sorted(day.spans) }))
        .toSorted((a, b) => compare(a.date, b.date));
      const { version } = await upsertHours(tx, workspaceId, {
        timeZone,
        week,
        periods,
        days,
        changedAt: now,
      });
      match({ version: version - 1 });
      await audit(actor, context, tx, workspaceId, {
        action: "hours.saved",
        subject: workspaceId,
        facts: { version },
      });
      return presentHours(tx, workspaceId, now.getTime());
    });
  },
);

/** The first fault, with its place in the input. */
function faultOf({ week, periods, days }: Given): AppError | null {
  const found = faultOfWeek("week", week);
  if (found) return found;
  for (const [n, { from, to, week: own }] of periods.entries()) {
    const path = `periods.${n}`;
    const fault =
      faultOfDate(`${path}.from`, from) ??
      faultOfDate(`${path}.to`, to) ??
      faultOfWeek(`${path}.week`, own);
    if (fault) return fault;
    if (to < from) return invalid(`${path}.to`, "must not be before the first day");
    if (periods.some((other, m) => m < n && other.from <= to && from <= other.to))
      return invalid(path, "must not share a day with another period");
  }
  for (const [n, { date, spans }] of days.entries()) {
    const fault = faultOfDate(`days.${n}.date`, date) ?? faultOfSpans(`days.${n}.spans`, spans);
    if (fault) return fault;
    if (days.findIndex((other) => other.date === date) < n)
      return invalid(`days.${n}.date`, "is given twice");
  }
  return null;
}

function faultOfWeek(path: string, week: Week): AppError | null {
  for (const day of WEEKDAYS) {
    const fault = faultOfSpans(`${path}.${day}`, week[day]);
    if (fault) return fault;
  }
  return null;
}

function faultOfSpans(path: string, spans: readonly Span[]): AppError | null {
  for (const [n, { from, to }] of spans.entries()) {
    if (to <= from || to > LATEST_END)
      return invalid(`${path}.${n}.to`, "must be after it opens, at the latest 04:00 the next day");
    if (spans.some((other, m) => m < n && other.from < to && from < other.to))
      return invalid(`${path}.${n}.from`, "must not overlap another span of the day");
  }
  return null;
}

/** A day of the calendar, not only four, two and two digits. */
function faultOfDate(path: string, date: string): AppError | null {
  return isCalendarDay(date)
    ? null
    : invalid(path, "must be a day of the calendar, like 2027-02-08");
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const sorted = (spans: readonly Span[]): readonly Span[] =>
  spans.toSorted((a, b) => a.from - b.from);

function sortedWeek(week: Week): Week {
  const { monday, tuesday, wednesday, thursday, friday, saturday, sunday } = week;
  return {
    monday: sorted(monday),
    tuesday: sorted(tuesday),
    wednesday: sorted(wednesday),
    thursday: sorted(thursday),
    friday: sorted(friday),
    saturday: sorted(saturday),
    sunday: sorted(sunday),
  };
}
