import { dateLocale } from "../../text/locale.ts";
import { t, type PlainKey } from "../../text/t.ts";
import type { Bootstrap, DeskRow, DeskView } from "../contract.ts";

/** The kind of a channel as people call it. */
export const channelWord = (type: DeskRow["channelType"]): string => t(`channels.type.${type}`);

const VIEW_WORDS = {
  mine: "shell.mine",
  unassigned: "shell.unassigned",
  unanswered: "shell.unanswered",
  window: "shell.window",
  mentions: "shell.mentions",
  all: "shell.all",
  snoozed: "shell.snoozed",
  resolved: "shell.resolved",
} as const satisfies Record<DeskView, PlainKey>;
const isBuiltIn = (view: string): view is DeskView => Object.hasOwn(VIEW_WORDS, view);

/** The name of a view by its address; undefined: there is no such view. */
export function viewName(
  view: string,
  { channels, views }: Pick<Bootstrap, "channels" | "views">,
): string | undefined {
  if (isBuiltIn(view)) return t(VIEW_WORDS[view]);
  const rest = view.slice(view.indexOf("-") + 1);
  if (view.startsWith("label-")) return rest;
  if (view.startsWith("channel-")) return channels.find(({ id }) => id === rest)?.name;
  if (view.startsWith("view-")) return views.find(({ id }) => id === rest)?.name;
  return undefined;
}

const EMPTY_WORDS = {
  mine: "inbox.empty.mine",
  unassigned: "inbox.empty.unassigned",
  unanswered: "inbox.empty.unanswered",
  window: "inbox.empty.window",
  mentions: "inbox.empty.mentions",
  all: "inbox.empty.all",
  snoozed: "inbox.empty.snoozed",
  resolved: "inbox.empty.resolved",
} as const satisfies Record<DeskView, PlainKey>;

/** The text of an empty view, and the target of its one link. */
export function emptyWords(view: string): { title: string; text: string; go: string; to: string } {
  const key = isBuiltIn(view) ? EMPTY_WORDS[view] : "inbox.empty.other";
  const [go, to] =
    view === "mine"
      ? [t("inbox.empty.mine.go"), "unassigned"]
      : view === "all"
        ? [t("inbox.empty.all.go"), "resolved"]
        : [t("inbox.empty.go"), "all"];
  return { title: t(key), text: t(`${key}.text`), go, to };
}

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

const KINDS: Readonly<Record<string, PlainKey>> = {
  image: "inbox.kind.image",
  video: "inbox.kind.video",
  audio: "inbox.kind.audio",
  document: "inbox.kind.document",
  sticker: "inbox.kind.sticker",
  location: "inbox.kind.location",
  template: "inbox.kind.template",
};

const PROGRAMS: Readonly<Record<string, PlainKey>> = {
  api: "thread.api",
  bot: "thread.bot",
  broadcast: "thread.campaign",
  channel: "thread.app",
};

/** The row's second line: the last message, with its author in front unless it was the customer. */
export function previewOf(
  row: DeskRow,
  { member, members }: Pick<Bootstrap, "member" | "members">,
): { readonly by: string; readonly text: string } {
  const text = row.preview === "" ? t(KINDS[row.previewKind] ?? "inbox.kind.other") : row.preview;
  if (row.previewSide === "customer") return { by: "", text };
  if (row.previewSide === "note" && row.previewBy === null) return { by: t("inbox.note"), text };
  const name = writerName(row.previewBy, member.id, members);
  return { by: t(row.previewSide === "note" ? "inbox.noteBy" : "inbox.by", { name }), text };
}

function writerName(by: string | null, me: string, members: Bootstrap["members"]): string {
  if (by === null) return t("inbox.us");
  if (by === me) return t("thread.you");
  const program = PROGRAMS[by];
  if (program !== undefined) return t(program);
  const name = members.find(({ id }) => id === by)?.name;
  return name === undefined ? t("thread.former") : firstName(name);
}

const firstName = (name: string): string => name.trim().split(/\s+/u)[0] ?? name;

/** Lists of one assignee, or of none: a face on each row would say nothing. */
export const isMixed = (view: string): boolean => view !== "mine" && view !== "unassigned";

/** A count as it is shown: `999+` from 1,000 on. */
export const countWord = (count: number): string => (count >= 1000 ? "999+" : String(count));
