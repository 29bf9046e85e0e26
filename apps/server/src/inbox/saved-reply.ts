/** A text that is inserted by a word. */
export interface SavedReply {
  readonly id: string;
  /** Null: everybody's. */
  readonly memberId: string | null;
  /** Folded to lower case: what is typed after `/`. */
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  readonly media: readonly string[];
}

/** A saved reply as the dashboard gets it. */
export const presentSavedReply = ({ memberId, ...reply }: SavedReply) => ({
  ...reply,
  media: [...reply.media],
  shared: memberId === null,
});
