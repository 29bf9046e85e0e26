import { foldWords } from "../../messages/search/search-terms.ts";

const folded = (text: string): ReadonlySet<string> => new Set(foldWords(text).trim().split(/\s+/u));
const MORNING = folded("am a.m صباحا الصباح فجرا الفجر ص");
const EVENING = folded("pm p.m مساء المساء ظهرا الظهر عصرا العصر م");
const NIGHT = folded("ليلا الليل");

/** What the words behind an hour say of it, or null. */
export type Half = "morning" | "evening" | "night";
export function halfAt(tokens: readonly string[], at: number): Half | null {
  // "3 بعد الظهر"
  const word = tokens[at] === "بعد" ? (tokens[at + 1] ?? "") : (tokens[at] ?? "");
  if (MORNING.has(word)) return "morning";
  if (EVENING.has(word)) return "evening";
  return NIGHT.has(word) ? "night" : null;
}

/** Whether a text writes hours from 0 to 24, so that its "9:00" is in the morning. */
export const writesTo24 = (text: string): boolean =>
  /(?<!\d)(?:1[3-9]|2[0-3]):\d\d(?!\d)/u.test(text);

/** The minute of the day that a time names, or null where it may be another one, or none. */
export function minuteOf(time: string, half: Half | null, to24: boolean): number | null {
  const [, hours = "", minutes = "0"] = /^(\d{1,2})(?::(\d\d))?$/u.exec(time) ?? [];
  const hour = Number(hours);
  if (hours === "" || hour > 24) return null;
  const minute = Number(minutes);
  if (half === null || hour > 12)
    return time.includes(":") && (to24 || hour > 12) ? (hour % 24) * 60 + minute : null;
  const late = half === "evening" || (half === "night" && hour > 5 && hour < 12);
  return ((hour % 12) + (late ? 12 : 0)) * 60 + minute;
}
