import type { AnswerOf } from "../../api/call.ts";
import type { NoteEntry } from "../../api/shapes.ts";

/** A note as a thread has it. */
export const noteEntry = (note: AnswerOf<"writeNote">): NoteEntry => ({
  kind: "note",
  id: note.id,
  at: note.createdAt,
  authorId: note.authorId,
  authorName: note.authorName,
  text: note.text,
  mentions: note.mentions,
  editedAt: note.editedAt,
  deleted: note.deleted,
});
