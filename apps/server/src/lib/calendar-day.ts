const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Whether a text is a day that the calendar has, like 2027-02-08, of any year: values of contacts have old ones, too. What
 * people and programs give has a pattern (`wire/calendar.ts`). JavaScript's Date takes the 30th of February for the 2nd of
 * March.
 */
export function isCalendarDay(text: string): boolean {
  const at = DAY.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
