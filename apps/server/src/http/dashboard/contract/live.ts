import type { DeskCounts, DeskRow, MineOf } from "../../../wire/desk-shapes.ts";

/**
 * The frames of `GET /api/app/stream?after=N`, a stream of server-sent events. `event:` names each, and it holds
 * one line of JSON. The `id:` of a `desk` frame is the desk number after which to resume.
 */
export interface Frames {
  /** New or changed rows, at most 20 frames a second. `counts`: views that the changes touched. */
  readonly desk: {
    readonly rows: readonly DeskRow[];
    /** Conversations that are gone (erased, merged). */
    readonly gone: readonly string[];
    readonly counts: DeskCounts;
  };
  /**
   * How much of a conversation the member has seen, or their draft, changed in any tab or browser of theirs, also
   * this one.
   */
  readonly mine: { readonly mine: readonly MineOf[] };
  /**
   * The thread has something new (also a suggested reply), or a message of it a new state: read it. Sent only to members whose tabs say
   * that they look at the conversation (`tellPresence`). For a conversation that nobody looks at, only the changed
   * row is sent.
   */
  readonly thread: { readonly conversationId: string };
  /** Who looks at the conversation and types in it, without the member itself. `customerTyping`: in web chat. */
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
  /** A run over the cases of a bot moved on, or the bot was saved, published, paused or archived. */
  readonly bot: { readonly id: string };
  /**
   * Members, channels, labels, views, saved replies or the workspace were changed by a page of the dashboard, or a
   * channel's state changed by itself: ask for the bootstrap again. The inbox does; pages with lists of their own
   * may listen to it too.
   */
  readonly settings: Readonly<Record<string, never>>;
  /** The reader is too far behind: load the list anew and go on after `change`. */
  readonly reset: { readonly change: number };
  /** Every 15 s. A frame and not a comment, because browsers do not show comments to the page. */
  readonly beat: Readonly<Record<string, never>>;
  /** The session ended: sign in again. */
  readonly end: Readonly<Record<string, never>>;
}
export type FrameName = keyof Frames;
