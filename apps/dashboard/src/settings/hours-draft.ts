import {
  DAY_MINUTES,
  type HoursJson,
  type Span,
  type Week,
  type Weekday,
} from "../../../server/src/wire/hours.ts";

/** A minute of the day as a field for times shows it: 1560 is "02:00". */
export function timeOf(minute: number): string {
  const within = minute % DAY_MINUTES;
  return `${two(Math.floor(within / 60))}:${two(within % 60)}`;
}

/** The minute that a field for times shows; null while it is empty. */
export function minuteOf(time: string): number | null {
  const [hour, minute] = time.split(":").map(Number);
  return hour === undefined || minute === undefined || Number.isNaN(hour + minute)
    ? null
    : hour * 60 + minute;
}

/** The same span with another begin. An end that is not after the begin is one of the next day. */
export const withFrom = ({ to }: Span, from: number): Span => ({ from, to: endAfter(from, to) });
/** The same span with another end. */
export const withTo = ({ from }: Span, to: number): Span => ({ from, to: endAfter(from, to) });

function endAfter(from: number, to: number): number {
  const within = to % DAY_MINUTES;
  return within <= from ? within + DAY_MINUTES : within;
}

/** A span to begin with: after the last one of the day, else the usual hours. */
export function nextSpan(spans: readonly Span[]): Span {
  const last = Math.max(0, ...spans.map(({ to }) => to));
  if (spans.length === 0) return { from: 540, to: 1_020 };
  const from = Math.min(last + 60, DAY_MINUTES - 60);
  return { from, to: from + 60 };
}

const two = (n: number): string => String(n).padStart(2, "0");

/** Spans and a week that are being changed. */
export type Spans = { from: number; to: number }[];
export type EditedWeek = Record<Weekday, Spans>;

const copied = (spans: readonly Span[]): Spans => spans.map((span) => ({ ...span }));

/** The same spans on every day. */
export const everyDay = (spans: readonly Span[]): EditedWeek => ({
  monday: copied(spans),
  tuesday: copied(spans),
  wednesday: copied(spans),
  thursday: copied(spans),
  friday: copied(spans),
  saturday: copied(spans),
  sunday: copied(spans),
});

/** A copy of a week, to be changed. */
export const editedWeek = (week: Week): EditedWeek => ({
  monday: copied(week.monday),
  tuesday: copied(week.tuesday),
  wednesday: copied(week.wednesday),
  thursday: copied(week.thursday),
  friday: copied(week.friday),
  saturday: copied(week.saturday),
  sunday: copied(week.sunday),
});

/** What the form changes. */
export interface HoursDraft {
  readonly timeZone: string | null;
  readonly week: EditedWeek;
  readonly periods: { name: string; from: string; to: string; week: EditedWeek }[];
  readonly days: { date: string; name: string; spans: Spans }[];
}

/** What is saved, to be changed. Who never saved begins with usual hours. */
export function draftOf({
  timeZone,
  week,
  periods,
  days,
  version,
}: Pick<HoursJson, "timeZone" | "week" | "periods" | "days" | "version">): HoursDraft {
  const usual = { ...everyDay([{ from: 540, to: 1_020 }]), friday: [], saturday: [] };
  return {
    timeZone,
    week: version === 0 ? usual : editedWeek(week),
    periods: periods.map((period) => ({ ...period, week: editedWeek(period.week) })),
    days: days.map((day) => ({ ...day, spans: copied(day.spans) })),
  };
}
