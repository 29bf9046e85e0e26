import type { DeskViewJson, ViewFilter } from "../api/shapes.ts";

/** A view that is being created (no `view`), changed or deleted. */
export interface OpenedView {
  readonly kind: "form" | "delete";
  readonly view?: DeskViewJson;
  /** The first values of a new one. */
  readonly filter?: ViewFilter;
}

let opened: OpenedView | null = null;
const listeners = new Set<() => void>();

/** Opens the dialog of a view. Only one is open at a time. */
export function openView(next: OpenedView | null): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** The open dialog, for `useSyncExternalStore`. */
export const openedView = (): OpenedView | null => opened;
export function subscribeOpenedView(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const OPEN: ViewFilter["all"][number] = [{ field: "status", any: ["open"] }];

/** The filter of a list, as the rules of a member's own view. */
export function filterOf(
  address: string,
  unread: boolean,
  views: readonly DeskViewJson[],
): ViewFilter {
  const rest = address.slice(address.indexOf("-") + 1);
  const own = address.startsWith("view-") ? views.find(({ id }) => id === rest) : undefined;
  const all = own ? own.filter.all : rulesOf(address, rest);
  return { all: unread ? [...all, [{ field: "unread", is: true }]] : all };
}

function rulesOf(address: string, rest: string): ViewFilter["all"] {
  if (address.startsWith("channel-")) return [OPEN, [{ field: "channel", any: [rest] }]];
  if (address.startsWith("label-")) return [OPEN, [{ field: "label", any: [rest] }]];
  switch (address) {
    case "mine":
      return [OPEN, [{ field: "assignee", any: ["me"] }]];
    case "unassigned":
      return [OPEN, [{ field: "assignee", any: ["nobody"] }]];
    case "unanswered":
      return [OPEN, [{ field: "unanswered", is: true }]];
    case "snoozed":
      return [[{ field: "status", any: ["snoozed"] }]];
    case "resolved":
      return [[{ field: "status", any: ["resolved"] }]];
    default:
      return [OPEN];
  }
}
