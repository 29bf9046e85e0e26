const DAY_MS = 86_400_000;
/** How many whole days the pace is taken from. */
const PACE_DAYS = 7;

/** The month's total if it goes on as it did. */
export interface UsageForecast {
  /** Messages at the end of the month. */
  readonly messages: number;
  /** Messages a day, over these days. */
  readonly perDay: number;
  /** How many whole days the pace is taken from; 0: they have no messages, and only today counts. */
  readonly days: number;
  /**
   * The day on which the allowance will be used up, `2026-11-28`; null: not in this month, or there is no
   * allowance.
   */
  readonly limitOn: string | null;
}

/**
 * The pace of the last seven whole days of the month (fewer while the month is young), kept to the end of the
 * month. Without messages in those days, today's pace. `daily`: messages by day, `2026-11-25`.
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
  const whole = Math.min(PACE_DAYS, Math.floor(elapsed));
  const dayBefore = (back: number) =>
    daily.get(new Date(now.getTime() - back * DAY_MS).toISOString().slice(0, 10)) ?? 0;
  const sum = Array.from({ length: whole }, (_, index) => dayBefore(index + 1)).reduce(
    (total, one) => total + one,
    0,
  );
  const days = sum > 0 ? whole : 0;
  // An hour at least: the first message of a day does not make a pace of thousands.
  const today = dayBefore(0) / Math.max(elapsed % 1, 1 / 24);
  const perDay = days > 0 ? sum / days : today;
  const left = (monthEnd.getTime() - now.getTime()) / DAY_MS;
  const messages = Math.round(used + perDay * left);
  const until = limit === null || perDay === 0 ? null : Math.max(0, (limit - used) / perDay);
  const limitOn =
    until === null || until >= left
      ? null
      : new Date(now.getTime() + until * DAY_MS).toISOString().slice(0, 10);
  return { messages, perDay, days, limitOn };
}
