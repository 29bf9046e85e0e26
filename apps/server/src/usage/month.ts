/**
 * The UTC calendar month of a moment, as its first day: `2026-11-01`. The meter counts by these months (spec,
 * UsageSummary).
 */
export function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

/** The UTC day of a moment: `2026-11-25`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first instant of the month (inclusive) and of the next one (exclusive), in UTC. */
export function monthBounds(at: Date): { readonly start: Date; readonly end: Date } {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
