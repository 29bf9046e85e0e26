import { dateLocale, formatLocale } from "../text/locale.ts";

const numbers = new Intl.NumberFormat(formatLocale);
const shares = new Intl.NumberFormat(formatLocale, { style: "percent", maximumFractionDigits: 1 });
// Not `dateStyle`: its short form is all digits in Arabic.
const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
const MOMENT = { ...DAY, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const days = new Intl.DateTimeFormat(dateLocale, DAY);
const moments = new Intl.DateTimeFormat(dateLocale, MOMENT);
const lists = new Intl.ListFormat(formatLocale);
const distances = new Intl.RelativeTimeFormat(formatLocale, { numeric: "auto" });

/** `12,345` */
export const count = (value: number): string => numbers.format(value);
/** `1,000+` for a count that ended at its cap. */
export const countTo = (value: number, cap: number): string =>
  value >= cap ? `${numbers.format(cap)}+` : numbers.format(value);
/** `0.5` as `50%`. */
export const percent = (share: number): string => shares.format(share);
/** `name, country and language` */
export const listOf = (items: readonly string[]): string => lists.format(items);
/** `25 Nov 2026` */
export const dayOf = (at: string): string => days.format(new Date(at));
/** `25 Nov 2026, 14:05` */
export const momentOf = (at: string): string => moments.format(new Date(at));
/** The same by the clock of a zone. */
export const momentIn = (timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(dateLocale, { ...MOMENT, timeZone }).format(new Date(at));

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
];

/** `5 minutes ago`, `in 3 days`, `now`. */
export function distanceOf(at: string, now: number = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  for (const [unit, length] of STEPS)
    if (Math.abs(seconds) >= length) return distances.format(Math.trunc(seconds / length), unit);
  return distances.format(0, "second");
}

/** `184 kB`, and `0.1 kB` below ten of the unit. */
export function sizeOf(bytes: number): string {
  const [unit, size] = bytes >= 1e6 ? (["megabyte", 1e6] as const) : (["kilobyte", 1e3] as const);
  return new Intl.NumberFormat(formatLocale, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: bytes / size < 10 ? 1 : 0,
  }).format(bytes / size);
}
