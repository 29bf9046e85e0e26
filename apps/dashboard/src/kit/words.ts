import type { DeskRow } from "../api/shapes.ts";
import { dateLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";

/** The kind of a channel as people call it. */
export const channelWord = (type: DeskRow["channelType"]): string => t(`channels.type.${type}`);

/** A count as it is shown: `999+` from 1,000 on. */
export const countWord = (count: number): string => (count >= 1000 ? "999+" : String(count));

const clock = new Intl.DateTimeFormat(dateLocale, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: "short" });
const day = new Intl.DateTimeFormat(dateLocale, { day: "numeric", month: "short" });
const dated = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const DAY_MS = 24 * 60 * 60 * 1000;

/** `10:42` today, `Yesterday`, `Mon` within the week, `12 Nov`, `12 Nov 2025`. */
export function listTime(at: string, now: number): string {
  const time = new Date(at);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const left = midnight - time.getTime();
  if (left <= 0) return clock.format(time);
  if (left <= DAY_MS) return t("inbox.yesterday");
  if (left <= 6 * DAY_MS) return weekday.format(time);
  return time.getFullYear() === new Date(now).getFullYear() ? day.format(time) : dated.format(time);
}

/** When a snooze ends: `14:00`, or `Thu 12 Nov, 09:00`. */
export function untilTime(at: string, now: number): string {
  const time = new Date(at);
  const sameDay = new Date(now).toDateString() === time.toDateString();
  return sameDay ? clock.format(time) : `${day.format(time)}, ${clock.format(time)}`;
}

/** `35 min`, `2 h`, `3 d`. */
export function lengthOf(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return t("inbox.time.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return t("inbox.time.hours", { count: hours });
  return t("inbox.time.days", { count: Math.floor(hours / 24) });
}
