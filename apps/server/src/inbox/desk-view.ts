import type { ConversationStatus } from "../wire/words.ts";

/** One condition of a view; lists mean any of their values. */
export type DeskViewRule =
  | { readonly field: "status"; readonly any: readonly ConversationStatus[] }
  /** Channels and labels by id and name; assignees by member id, `me` and `nobody`. */
  | { readonly field: "channel" | "label" | "assignee"; readonly any: readonly string[] }
  | { readonly field: "unanswered" | "failed" | "unread"; readonly is: boolean }
  /** The customer has waited for an answer longer than this many minutes. */
  | { readonly field: "waiting"; readonly minutes: number };

/** A conversation fits when in every group at least one rule fits. */
export interface DeskViewFilter {
  readonly all: readonly (readonly DeskViewRule[])[];
}

/** A view of the inbox that a person created. */
export interface OwnView {
  readonly id: string;
  /** Null: shared. */
  readonly memberId: string | null;
  readonly name: string;
  readonly filter: DeskViewFilter;
}

/** A view as the dashboard gets it. */
export const presentOwnView = ({ id, memberId, name, filter }: OwnView) => ({
  id,
  name,
  filter,
  shared: memberId === null,
});
