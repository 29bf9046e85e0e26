import { number } from "./json.ts";

/**
 * Reads the times of one call: seconds or milliseconds, told apart by size, as number or text (channels.md §1.6).
 * An item without a time gets `entryTime`, else the time of the call. No time is later than the call.
 */
export function clockOf(
  entryTime: unknown,
  receivedAt: Date | undefined,
): (value: unknown) => Date {
  const latest = receivedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const read = (value: unknown): number | null => {
    const units = number(value);
    if (units === null || units <= 0) return null;
    const ms = units < 1e12 ? units * 1000 : units;
    return ms < 4e12 ? Math.trunc(ms) : null;
  };
  const fallback = read(entryTime) ?? receivedAt?.getTime() ?? 0;
  return (value) => new Date(Math.min(read(value) ?? fallback, latest));
}
