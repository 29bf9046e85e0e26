const DAY_MS = 86_400_000;
/** The number of whole days over which the pace is measured. */
const PACE_DAYS = 7;

/** The month's total if messages go on at the present pace. */
export interface UsageForecast {
  /** Messages at the end of the month. */
  readonly messages: number;
  /** Messages a day, over `days`. */
  readonly perDay: number;
  /** The number of whole days behind the pace. 0: those days have no messages, so only today counts. */
  readonly days: number;
  /**
   * The day on which the allowance will be used up, as in `2026-11-28`. Null when that is not in this month, or when
   * there is no allowance.
   */
  readonly limitOn: string | null;
}

/**
 * Forecasts the month at the pace of its last seven whole days, or of fewer while the month is young. Without messages
 * in those days, today's pace counts. `daily` holds the messages by day, as in `2026-11-25`.
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
  // At least an hour counts, so that the first message of a day does not make a pace of thousands.
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
