import type { DeskOrder, DeskRow, DeskView, ViewFilter, ViewRule } from "./desk-shapes.ts";

/**
 * Which conversations a view has, and in which order. The browser evaluates this for each row that changes, so
 * that rows enter, leave and move without another request. The server's SQL says the same; one table of cases
 * tests both. This file imports only types.
 */

/** The view of closing windows shows a reply window that ends within this time. */
export const WINDOW_CLOSING_MS = 4 * 60 * 60 * 1000;

/** The meaning of a view's address, once a `view-ID` is looked up. */
export type ViewTerms =
  | { readonly kind: "built-in"; readonly view: DeskView }
  | { readonly kind: "channel"; readonly channelId: string }
  | { readonly kind: "label"; readonly label: string }
  | { readonly kind: "own"; readonly filter: ViewFilter }
  | { readonly kind: "results"; readonly of: ResultsFilter };

/** Which work of bots is meant: the conversations behind a number of their results. What is absent is not asked. */
export type ResultsFilter = Readonly<Partial<Record<ResultsField, string>>>;
/** `from`, `to`: days of UTC, both within. `rating`: good, bad. `suggestion`: used, edited, discarded, open. */
export const RESULTS_FIELDS = [
  "bot",
  "outcome",
  "reason",
  "topic",
  "language",
  "rating",
  "suggestion",
  "channel",
  "from",
  "to",
] as const;
type ResultsField = (typeof RESULTS_FIELDS)[number];

/** The address of a view of results, which `termsOf` reads: its fields as a query. */
export function resultsAddress(of: ResultsFilter): string {
  const query = RESULTS_FIELDS.flatMap((name) => {
    const value = of[name];
    return value === undefined || value === "" ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return `results-${query.join("&")}`;
}

function resultsIn(query: string): ResultsFilter {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    RESULTS_FIELDS.flatMap((name) => {
      const value = given.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
}

/** Who looks at the view, and when. */
export interface Looker {
  readonly memberId: string;
  /** Milliseconds since 1970, by the server's clock. */
  readonly now: number;
}

/** The part of a row that decides about its views. */
export type ViewedRow = Pick<
  DeskRow,
  | "answeredCount"
  | "assigneeId"
  | "channelId"
  | "failed"
  | "handedReason"
  | "handler"
  | "inboundCount"
  | "labels"
  | "status"
  | "waitingSince"
  | "windowExpiresAt"
>;

/** The part of a row that decides about its place. */
export type PlacedRow = Pick<DeskRow, "deskAt" | "id" | "waitingSince">;

/** The member's own record of the conversation, if there is one. */
export type OwnPart =
  | { readonly seen: number; readonly keptUnread: boolean; readonly mentioned: boolean }
  | undefined;

/** Whether the view holds the conversation. */
export function inView(row: ViewedRow, own: OwnPart, terms: ViewTerms, looker: Looker): boolean {
  switch (terms.kind) {
    case "built-in":
      return BUILT_IN[terms.view](row, own, looker);
    case "channel":
      return row.status === "open" && row.channelId === terms.channelId;
    case "label":
      return row.status === "open" && row.labels.includes(terms.label);
    case "own":
      return terms.filter.all.every((group) => group.some((rule) => obeys(row, own, rule, looker)));
    case "results":
      // The row does not say what bots did: a list of results keeps what the server gave it.
      return true;
  }
}

const BUILT_IN: Readonly<
  Record<DeskView, (row: ViewedRow, own: OwnPart, looker: Looker) => boolean>
> = {
  mine: (row, _own, { memberId }) => row.status === "open" && row.assigneeId === memberId,
  unassigned: (row) => row.status === "open" && row.assigneeId === null,
  unanswered: (row) => row.status === "open" && row.waitingSince !== null,
  window: (row, _own, { now }) => row.status === "open" && closesSoon(row.windowExpiresAt, now),
  // In any status: the asked member must find it, even when somebody resolved the conversation meanwhile.
  mentions: (_row, own) => own?.mentioned === true,
  all: (row) => row.status === "open",
  snoozed: (row) => row.status === "snoozed",
  resolved: (row) => row.status === "resolved",
  bot: (row) => row.status === "open" && row.handler === "bot",
  handed: (row) => row.status === "open" && row.handedReason !== null,
};

/** Whether a reply window is open and ends within four hours. */
export function closesSoon(windowExpiresAt: string | null, now: number): boolean {
  if (windowExpiresAt === null) return false;
  const left = Date.parse(windowExpiresAt) - now;
  return left > 0 && left <= WINDOW_CLOSING_MS;
}

function obeys(row: ViewedRow, own: OwnPart, rule: ViewRule, looker: Looker): boolean {
  switch (rule.field) {
    case "status":
      return rule.any.includes(row.status);
    case "channel":
      return rule.any.includes(row.channelId);
    case "label":
      return rule.any.some((label) => row.labels.includes(label));
    case "assignee":
      return rule.any.some((named) =>
        named === "nobody"
          ? row.assigneeId === null
          : row.assigneeId === (named === "me" ? looker.memberId : named),
      );
    case "unanswered":
      return (row.waitingSince !== null) === rule.is;
    case "failed":
      return row.failed === rule.is;
    case "unread":
      return unreadOf(row, own) > 0 === rule.is;
    case "waiting":
      return (
        row.waitingSince !== null &&
        Date.parse(row.waitingSince) < looker.now - rule.minutes * 60_000
      );
  }
}

/** How many of the customer's messages the member has not seen and no person has answered. */
export function unreadOf(
  { inboundCount, answeredCount }: Pick<DeskRow, "inboundCount" | "answeredCount">,
  own: OwnPart,
): number {
  const seen = own?.seen ?? 0;
  return Math.max(0, inboundCount - (own?.keptUnread ? seen : Math.max(seen, answeredCount)));
}

/**
 * Orders two rows: below zero when the first one is higher. Times of the server have one form, so that they compare as
 * text; equal ones are ordered by id.
 * - newest: `deskAt` falling, id falling
 * - oldest: `deskAt` rising, id rising
 * - waiting: those who wait, the longest first; then the answered ones; id rising
 */
export function compareRows(order: DeskOrder, a: PlacedRow, b: PlacedRow): number {
  switch (order) {
    case "newest":
      return compareText(b.deskAt, a.deskAt) || compareText(b.id, a.id);
    case "oldest":
      return compareText(a.deskAt, b.deskAt) || compareText(a.id, b.id);
    case "waiting":
      return (
        compareText(a.waitingSince ?? NEVER, b.waitingSince ?? NEVER) || compareText(a.id, b.id)
      );
  }
}

/** Sorts after every time. */
const NEVER = "~";

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Reads a view's address. `undefined`: there is no such view, or a view with this name is unknown here. */
export function termsOf(
  address: string,
  views: readonly { readonly id: string; readonly filter: ViewFilter }[],
): ViewTerms | undefined {
  if (isBuiltIn(address)) return { kind: "built-in", view: address };
  const dash = address.indexOf("-");
  const rest = address.slice(dash + 1);
  if (dash < 1 || rest === "") return undefined;
  switch (address.slice(0, dash)) {
    case "channel":
      return { kind: "channel", channelId: rest };
    case "label":
      return { kind: "label", label: rest };
    case "view": {
      const own = views.find(({ id }) => id === rest);
      return own && { kind: "own", filter: own.filter };
    }
    case "results":
      return { kind: "results", of: resultsIn(rest) };
    default:
      return undefined;
  }
}

function isBuiltIn(address: string): address is DeskView {
  return Object.hasOwn(BUILT_IN, address);
}
