import type { NewEvent } from "../webhooks/event.ts";
import type { NoteJson } from "../wire/note.ts";

/** Who wrote a note: a member, or another actor with the name by which people know it. */
export interface NoteAuthor {
  /** Null: no member. */
  readonly memberId: string | null;
  /** The actor as `actorName` writes it; null: a member. */
  readonly author: string | null;
  /** What a key is called; null: a member, or nothing with a name. */
  readonly authorName: string | null;
}

/** A note as it is stored: for members, who alone read it beside programs. */
export interface ThreadNote extends NoteAuthor {
  readonly id: string;
  readonly conversationId: string;
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
  readonly authorId: string | null;
  readonly authorName: string | null;
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
    authorName: note.authorName,
    text: note.text,
    mentions: note.mentions,
    editedAt: note.editedAt?.toISOString() ?? null,
    deleted: note.deletedAt !== null,
  };
}

/** A note as the API shows it. */
export const presentNoteRecord = (note: ThreadNote): NoteJson => ({
  id: note.id,
  conversationId: note.conversationId,
  authorId: note.memberId,
  authorName: note.authorName,
  text: note.text,
  mentions: note.mentions,
  createdAt: note.createdAt.toISOString(),
  editedAt: note.editedAt?.toISOString() ?? null,
  deleted: note.deletedAt !== null,
});

/** The event of a note that was written, changed or deleted. `contactId`: the customer of its conversation. */
export const noteEvent = (
  type: "note.created" | "note.updated" | "note.deleted",
  workspaceId: string,
  contactId: string,
  note: ThreadNote,
): NewEvent => ({
  workspaceId,
  type,
  data: { conversationId: note.conversationId, contactId, note: presentNoteRecord(note) },
});
