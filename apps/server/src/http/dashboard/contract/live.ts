import type { DeskCounts, DeskRow, MineOf } from "./desk-shapes.ts";

/**
 * The frames of `GET /api/app/stream?after=N`, a stream of server-sent events. Each is named by `event:`
 * and holds one line of JSON. `id:` of a `desk` frame is the desk number to resume after.
 */
export interface Frames {
  /** Rows that are new or changed, at most 20 frames a second. `counts`: views that the changes touched. */
  readonly desk: {
    readonly rows: readonly DeskRow[];
    /** Conversations that are gone (erased, merged away). */
    readonly gone: readonly string[];
    readonly counts: DeskCounts;
  };
  /** How much of a conversation the member has seen, or their draft, changed in any tab or browser of theirs, this one too. */
  readonly mine: { readonly mine: readonly MineOf[] };
  /**
   * The thread has something new, or a message of it another state: read it. Only to members whose tabs tell that they look at the
   * conversation (`tellPresence`); of what nobody looks at, the changed row alone is told.
   */
  readonly thread: { readonly conversationId: string };
  /** Who looks at and types in a conversation, without the member itself. `customerTyping`: of web chat. */
  readonly presence: {
    readonly conversationId: string;
    readonly viewing: readonly string[];
    readonly typing: readonly string[];
    readonly customerTyping: boolean;
  };
  readonly notice: { readonly unread: number };
  /**
   * A campaign moved on (its state, any of its counts, its timeline), up to seven days after its end, or an import did. Once a
   * second at most for each; a stream that begins hears of all that may have moved. Ask for it again (`call`), what is shown and
   * nothing else. Answers to a campaign are no part of it: they move rows of the inbox (`desk`).
   */
  readonly broadcast: { readonly id: string };
  readonly import: { readonly id: string };
  /**
   * Members, channels, labels, views, saved replies or the workspace changed by a page of the dashboard, or a channel's state by
   * itself: ask for the bootstrap again. The inbox does; pages with lists of their own may hear it too.
   */
  readonly settings: Readonly<Record<string, never>>;
  /** Too far behind: load the list anew and go on after `change`. */
  readonly reset: { readonly change: number };
  /** Every 15 s. A frame and not a comment, because a browser does not tell its page of comments. */
  readonly beat: Readonly<Record<string, never>>;
  /** The session ended: sign in again. */
  readonly end: Readonly<Record<string, never>>;
}
export type FrameName = keyof Frames;
