/** The hour at which a day's work begins. */
const MORNING = 9;
const HOUR_MS = 60 * 60 * 1000;

export interface SnoozeChoice {
  readonly name: "hour" | "laterToday" | "tomorrow" | "nextWeek";
  readonly until: Date;
}

/** The times that are offered. `now`: milliseconds since 1970. "Later today" is missing when it would be tomorrow. */
export function snoozeChoices(now: number): readonly SnoozeChoice[] {
  const atMorning = (days: number): Date => {
    const day = new Date(now);
    day.setDate(day.getDate() + days);
    day.setHours(MORNING, 0, 0, 0);
    return day;
  };
  const later = new Date(now + 3 * HOUR_MS);
  const isToday = later.getDate() === new Date(now).getDate();
  return [
    { name: "hour", until: new Date(now + HOUR_MS) },
    ...(isToday ? [{ name: "laterToday", until: later } as const] : []),
    { name: "tomorrow", until: atMorning(1) },
    { name: "nextWeek", until: atMorning(7) },
  ];
}
