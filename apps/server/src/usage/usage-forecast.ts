const DAY_MS = 86_400_000;
/** Whole days that the pace is taken from. */
const PACE_DAYS = 7;

/** What the month comes to when it goes on as it did. */
export interface UsageForecast {
  /** Messages at the end of the month. */
  readonly messages: number;
  /** Messages a day, of the days below. */
  readonly perDay: number;
  /** How many whole days the pace is taken from; 0: the month has none yet, and today alone speaks. */
  readonly days: number;
  /** The day on which the allowance will be used up, `2026-11-28`; null: not in this month, or there is none. */
  readonly limitOn: string | null;
}

/**
 * The pace of the last seven whole days of the month (of fewer while the month is young, of today on its first day), kept to the
 * end of the month. `daily`: messages by day, `2026-11-25`.
 */
export function forecastUsage(
  daily: ReadonlyMap<string, number>,
  {
    used,
    limit,
    now,
    monthStart,
    monthEnd,
  }: {
    readonly used: number;
    readonly limit: number | null;
    readonly now: Date;
    readonly monthStart: Date;
    readonly monthEnd: Date;
  },
): UsageForecast {
  const elapsed = (now.getTime() - monthStart.getTime()) / DAY_MS;
  const days = Math.min(PACE_DAYS, Math.floor(elapsed));
  const dayBefore = (back: number) =>
    new Date(now.getTime() - back * DAY_MS).toISOString().slice(0, 10);
  const sum = Array.from({ length: days }, (_, index) => daily.get(dayBefore(index + 1)) ?? 0);
  const perDay =
    days > 0
      ? sum.reduce((total, one) => total + one, 0) / days
      : // An hour at least: the first message of a month is no pace of thousands.
        used / Math.max(elapsed, 1 / 24);
  const left = (monthEnd.getTime() - now.getTime()) / DAY_MS;
  const messages = Math.round(used + perDay * left);
  const until = limit === null || perDay === 0 ? null : Math.max(0, (limit - used) / perDay);
  const limitOn =
    until === null || until >= left
      ? null
      : new Date(now.getTime() + until * DAY_MS).toISOString().slice(0, 10);
  return { messages, perDay, days, limitOn };
}
