/** A text that a shortcut inserts. */
export interface SavedReply {
  readonly id: string;
  /** Null: shared. */
  readonly memberId: string | null;
  /** Folded to lower case: the word that is typed after `/`. */
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
