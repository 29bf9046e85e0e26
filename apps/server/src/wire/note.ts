import { Type } from "typebox";
import {
  AT,
  cursorPage,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  text,
  time,
  type Shown,
} from "./schema.ts";

export const NoteJson = Type.Object(
  {
    id: id("The note's id."),
    conversationId: id("Its conversation."),
    authorId: nullableId("The member who wrote it. Null: a program or the command line did."),
    authorName: nullableText(
      "The name of the key that wrote it. Null: a member, or the command line.",
    ),
    text: text("What it says. Empty once it is deleted."),
    mentions: Type.Array(Type.String(), { description: "Ids of the members it names." }),
    createdAt: time("When it was written."),
    editedAt: nullableTime("When its text last changed. Null: never."),
    deleted: Type.Boolean({ description: "A deleted note keeps its place and loses its text." }),
  },
  {
    $id: "Note",
    description: "A note in a conversation: members and programs read it, customers never.",
  },
);
export type NoteJson = Shown<typeof NoteJson>;

export const NotePageJson = cursorPage("NotePage", NoteJson, "Newest first.");

export const noteExample: NoteJson = {
  id: ID,
  conversationId: ID,
  authorId: null,
  authorName: "Website",
  text: "Asked twice about order 1042.",
  mentions: [],
  createdAt: AT,
  editedAt: null,
  deleted: false,
};
