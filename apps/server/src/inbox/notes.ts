import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { AppError } from "../errors.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { MAX_ID, NIL_ID } from "../lib/ids.ts";
import { notes } from "../operations/notes.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { perform } from "../write.ts";
import { authorOf } from "./author-of.ts";
import { presentNoteRecord } from "./note.ts";
import { selectNotes } from "./note-store.ts";
import { blankNote, insertWithin, replaceText } from "./write-note.ts";

/** The notes of a conversation, newest first. Throws NOT_FOUND, and VALIDATION_FAILED for a cursor that no page gave. */
export const listNotes = perform(
  notes.listNotes,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, cursor, limit = PAGE_ITEMS }) => {
    const below = cursorOf(cursor) ?? MAX_ID;
    if (!(await findConversation(context, workspaceId, id)))
      throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    const range = { above: NIL_ID, below };
    const rows = await selectNotes(context.db, workspaceId, id, range, limit + 1);
    const { items, last } = cutPage(rows, limit);
    return { items: items.map(presentNoteRecord), nextCursor: last?.id ?? null };
  },
);

/** Writes a note and notifies the members it mentions. Throws NOT_FOUND, VALIDATION_FAILED. */
export const writeNote = perform(
  notes.writeNote,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId,
    { id, ...input },
    { keep },
  ) => {
    const by = await authorOf(actor, context, workspaceId);
    return context.db.transaction(async (tx) => {
      const note = await insertWithin(context, tx, workspaceId, id, by, input);
      return keep(tx, presentNoteRecord(note));
    });
  },
);

/** Changes an own note. Throws FORBIDDEN, NOT_FOUND, VALIDATION_FAILED. */
export const changeNote = perform(
  notes.changeNote,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId,
    { id, ...input },
  ) => presentNoteRecord(await replaceText(actor, context, workspaceId, id, input)),
);

/** Deletes an own note. Throws FORBIDDEN, NOT_FOUND. */
export const removeNote = perform(
  notes.removeNote,
  async (actor, context: Pick<Context, "db" | "ids" | "clock" | "wake">, workspaceId, { id }) =>
    presentNoteRecord(await blankNote(actor, context, workspaceId, id)),
);
