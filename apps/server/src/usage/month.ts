/** The UTC calendar month of a moment, as its first day: `2026-11-01`. The meter's period (spec, UsageSummary). */
export function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`;
}

/** The UTC day of a moment: `2026-11-25`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The month from its first instant (inclusive) to the first instant of the next (exclusive), UTC. */
export function monthBounds(at: Date): { readonly start: Date; readonly end: Date } {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
