import { dateLocale } from "../../text/locale.ts";
import { t } from "../../text/t.ts";

const clock = new Intl.DateTimeFormat(dateLocale, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const date = new Intl.DateTimeFormat(dateLocale, {
  weekday: "long",
  day: "numeric",
  month: "long",
});
const dateOfYear = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "long",
  year: "numeric",
});
const moment = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** 10:35 */
export const clockTime = (at: string): string => clock.format(new Date(at));
/** 3 Nov, 10:35 */
export const momentTime = (at: string): string => moment.format(new Date(at));
/** Names a day of this machine's calendar, to see whether two times are of one day. */
export const dayOf = (at: string): string => new Date(at).toDateString();

/** Today, Yesterday, Monday, 3 November; with the year when it is another one. */
export function dayName(at: string, now: number): string {
  if (dayOf(at) === new Date(now).toDateString()) return t("thread.today");
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  if (dayOf(at) === yesterday.toDateString()) return t("thread.yesterday");
  const day = new Date(at);
  const sameYear = day.getFullYear() === new Date(now).getFullYear();
  return (sameYear ? date : dateOfYear).format(day);
}
