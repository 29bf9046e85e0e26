/** The ninth month of the Islamic calendar. */
const RAMADAN = 9;

/** First and last day of a month, like "2027-02-08". */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The next Ramadan that does not end before this day ("2026-11-29"), by the calendar of Umm al-Qura. The moon decides. */
export function nextRamadan(day: string): DayRange {
  const today = Temporal.PlainDate.from(day).withCalendar("islamic-umalqura");
  for (const year of [today.year, today.year + 1]) {
    const first = today.with({ year, month: RAMADAN, day: 1 });
    const last = first.with({ day: first.daysInMonth });
    if (Temporal.PlainDate.compare(last, today) >= 0)
      return { from: isoOf(first), to: isoOf(last) };
  }
  throw new Error("a year without Ramadan");
}

const isoOf = (date: Temporal.PlainDate): string => date.withCalendar("iso8601").toString();
