import { Type } from "typebox";
import { noteExample, NoteJson, NotePageJson } from "../wire/note.ts";
import { ID, NO_NUL } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { EVERYONE } from "./roles.ts";

const content = {
  text: Type.String({
    minLength: 1,
    maxLength: 4096,
    ...NO_NUL,
    description: "What the note says.",
    examples: [noteExample.text],
  }),
  mentions: Type.Optional(
    Type.Array(anyId("A member's id."), {
      maxItems: 20,
      description: "Members who are notified. Ids that no member has are left out.",
      examples: [[ID]],
    }),
  ),
};
const rights = { roles: EVERYONE, bots: false, doors: ["v1", "cli"] } as const;
const writing = { ...rights, scope: "conversations:write", doors: ["app", "v1", "cli"] } as const;
/** The command line has no name of its own. */
const example = { ...noteExample, authorName: null };

/** Notes between members and programs, in a conversation. */
export const notes = {
  listNotes: operation("note.list", {
    says: "List the notes of a conversation, newest first",
    at: "GET /conversations/{id}/notes",
    input: { id: anyId("The conversation."), ...pageInput("`nextCursor` of the page before.", ID) },
    answer: NotePageJson,
    example: {
      input: { id: ID },
      answer: { items: [example], nextCursor: null },
    },
    errors: ["NOT_FOUND"],
    scope: "messages:read",
    trace: null,
    ...rights,
  }),
  writeNote: operation("note.write", {
    says: "Write a note into a conversation",
    more: "Customers never see it. The caller is its author; the inbox shows the name of a key.",
    at: "POST /conversations/{id}/notes",
    input: { id: anyId("The conversation."), ...content },
    answer: NoteJson,
    example: { input: { id: ID, text: noteExample.text }, answer: noteExample },
    errors: ["NOT_FOUND"],
    trace: "author",
    status: 201,
    ...writing,
    bots: true,
    doors: ["app", "v1", "cli", "mcp"],
    tool: { name: "add_note", class: "draft", without: ["mentions"], reaches: ["id"] },
  }),
  changeNote: operation("note.change", {
    says: "Change the text of a note",
    more: "A key changes only its own notes: another's is 403 `FORBIDDEN`.",
    at: "PATCH /notes/{id}",
    input: { id: anyId("The note."), ...content },
    answer: NoteJson,
    example: {
      input: { id: ID, text: noteExample.text },
      answer: { ...noteExample, editedAt: noteExample.createdAt },
      after: "note.write",
    },
    errors: ["NOT_FOUND", "FORBIDDEN"],
    trace: "author",
    ...writing,
  }),
  removeNote: operation("note.remove", {
    says: "Delete a note",
    more: "Its place stays, its text is deleted. A key deletes only its own notes.",
    at: "DELETE /notes/{id}",
    input: { id: anyId("The note.") },
    answer: NoteJson,
    example: {
      input: { id: ID },
      answer: { ...noteExample, text: "", deleted: true },
      after: "note.write",
    },
    errors: ["NOT_FOUND", "FORBIDDEN"],
    trace: "audit",
    ...writing,
  }),
} as const;
