/** Months that the page offers. A program may set others. */
export const MONTHS: readonly number[] = [1, 2, 3, 6, 12, 18, 24, 36, 60, 84, 120];
/** Days that the page offers for events, beside the usual 30. */
export const EVENT_DAYS: readonly number[] = [21, 14, 7];

/** What is offered, with the value that is set, in the order of the offer. */
export function optionsWith(offered: readonly number[], set: number | null): readonly number[] {
  if (set === null || offered.includes(set)) return offered;
  const rises = (offered[0] ?? 0) < (offered.at(-1) ?? 0);
  return [...offered, set].toSorted((a, b) => (rises ? a - b : b - a));
}

/** A value as the option of a list; nothing set is the empty one. */
export const textOf = (value: number | null): string => (value === null ? "" : String(value));
export const valueOf = (text: string): number | null => (text === "" ? null : Number(text));
