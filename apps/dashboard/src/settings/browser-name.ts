import { t } from "../text/t.ts";

/** By the first name that the browser's own name contains: most of them name others as well. */
const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "Mac"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** A browser as a person calls it: "Firefox, Windows". */
export function browserOf(agent: string): string {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => agent.includes(mark))?.[1];
  const words = [named(BROWSERS), named(SYSTEMS)].filter((word) => word !== undefined);
  if (words.length === 0) return agent === "" ? t("security.unknownBrowser") : agent;
  return words.join(t("security.comma"));
}
