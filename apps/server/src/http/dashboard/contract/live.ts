import type { DeskCounts, DeskRow, MineOf } from "./desk-shapes.ts";

/**
 * The frames of `GET /api/app/stream?after=N&conversation=ID`, a stream of server-sent events. Each is named by `event:`
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
  /** Something of the member's own changed in another tab or browser. */
  readonly mine: { readonly mine: readonly MineOf[] };
  /** The thread has something new: read it. Only for a conversation that one of this browser's tabs shows. */
  readonly thread: { readonly conversationId: string };
  /** Who looks at and types in a conversation, without the member itself. `customerTyping`: of web chat. */
  readonly presence: {
    readonly conversationId: string;
    readonly viewing: readonly string[];
    readonly typing: readonly string[];
    readonly customerTyping: boolean;
  };
  /** Which members have the dashboard open. */
  readonly online: { readonly members: readonly string[] };
  readonly notice: { readonly unread: number };
  /** A campaign or an import moved on; at most one a second each. */
  readonly broadcast: { readonly id: string };
  readonly import: { readonly id: string };
  /** Members, channels, labels, views, saved replies or the workspace changed: ask for the bootstrap again. */
  readonly settings: Readonly<Record<string, never>>;
  /** Too far behind: load the list anew and go on after `change`. */
  readonly reset: { readonly change: number };
  /** Every 15 s. A frame and not a comment, because a browser does not tell its page of comments. */
  readonly beat: Readonly<Record<string, never>>;
  /** The session ended: sign in again. */
  readonly end: Readonly<Record<string, never>>;
}
export type FrameName = keyof Frames;
