import { t, type PlainKey } from "../text/t.ts";
import type { Bootstrap, DeskRow, DeskView } from "../api/shapes.ts";

const VIEW_WORDS = {
  mine: "shell.mine",
  unassigned: "shell.unassigned",
  unanswered: "shell.unanswered",
  window: "shell.window",
  mentions: "shell.mentions",
  all: "shell.all",
  snoozed: "shell.snoozed",
  resolved: "shell.resolved",
  bot: "shell.view.bot",
  handed: "shell.view.handed",
} as const satisfies Record<DeskView, PlainKey>;
const isBuiltIn = (view: string): view is DeskView => Object.hasOwn(VIEW_WORDS, view);

/** The name of a view by its address; undefined: the workspace's lists have no such view. */
export function viewName(
  view: string,
  { channels, labels, views }: Pick<Bootstrap, "channels" | "labels" | "views">,
): string | undefined {
  if (isBuiltIn(view)) return t(VIEW_WORDS[view]);
  const rest = view.slice(view.indexOf("-") + 1);
  if (view.startsWith("results-")) return t("inbox.results");
  if (view.startsWith("label-")) return labels.find(({ name }) => name === rest)?.name;
  if (view.startsWith("channel-")) return channels.find(({ id }) => id === rest)?.name;
  if (view.startsWith("view-")) return views.find(({ id }) => id === rest)?.name;
  return undefined;
}

/** Whether the view is offered: those of bots only where there is a bot. */
export const isOffered = (view: string, bots: Bootstrap["bots"]): boolean =>
  bots.length > 0 || (view !== "bot" && view !== "handed");

const EMPTY_WORDS = {
  mine: "inbox.empty.mine",
  unassigned: "inbox.empty.unassigned",
  unanswered: "inbox.empty.unanswered",
  window: "inbox.empty.window",
  mentions: "inbox.empty.mentions",
  all: "inbox.empty.all",
  snoozed: "inbox.empty.snoozed",
  resolved: "inbox.empty.resolved",
  bot: "inbox.empty.bot",
  handed: "inbox.empty.handed",
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

const KINDS: Readonly<Record<string, PlainKey>> = {
  image: "inbox.kind.image",
  video: "inbox.kind.video",
  audio: "inbox.kind.audio",
  document: "inbox.kind.document",
  sticker: "inbox.kind.sticker",
  location: "inbox.kind.location",
  contact: "inbox.kind.contact",
  contacts: "inbox.kind.contact",
  order: "inbox.kind.order",
  template: "inbox.kind.template",
};

/** What a message without words is, by its type or by that of its attachment. */
export const kindWord = (type: string): string => t(KINDS[type] ?? "inbox.kind.other");

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
  if (row.previewKind === "expired") return { by: "", text: t("inbox.kind.expired") };
  const text = row.preview === "" ? kindWord(row.previewKind) : row.preview;
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
