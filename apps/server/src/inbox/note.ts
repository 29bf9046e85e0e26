/** A note as it is stored: written by a member, for members. */
export interface ThreadNote {
  readonly id: string;
  readonly conversationId: string;
  readonly memberId: string;
  readonly text: string;
  readonly mentions: readonly string[];
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  readonly deletedAt: Date | null;
}

/** An entry of a thread: a note. */
export interface NoteLine {
  readonly kind: "note";
  readonly id: string;
  readonly at: string;
  readonly authorId: string;
  /** Empty once it is deleted. */
  readonly text: string;
  readonly mentions: readonly string[];
  readonly editedAt: string | null;
  readonly deleted: boolean;
}

/** A note as the thread shows it. */
export function presentNote(note: ThreadNote): NoteLine {
  return {
    kind: "note",
    id: note.id,
    at: note.createdAt.toISOString(),
    authorId: note.memberId,
    text: note.text,
    mentions: note.mentions,
    editedAt: note.editedAt?.toISOString() ?? null,
    deleted: note.deletedAt !== null,
  };
}
