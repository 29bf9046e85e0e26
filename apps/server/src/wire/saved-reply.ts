import { Type } from "typebox";
import { ID, id, NO_NUL, nullableText, text, type Shown } from "./schema.ts";

export const SavedReplyRecord = Type.Object(
  {
    id: id("The saved reply's id."),
    shortcut: text("What members type after `/`."),
    title: text("What the list shows."),
    text: text("What is inserted. `{{contact.name}}` and `{{agent.name}}` are filled."),
  },
  { $id: "SavedReply", description: "A text that all members of the workspace share." },
);

export const SavedReplyPageJson = Type.Object(
  {
    items: Type.Array(SavedReplyRecord, { description: "By shortcut." }),
    nextCursor: nullableText("Null: there is one page."),
  },
  { $id: "SavedReplyPage", description: "The shared saved replies." },
);

export const savedReplyExample: Shown<typeof SavedReplyRecord> = {
  id: ID,
  shortcut: "hours",
  title: "Opening hours",
  text: "We are open from 9 to 21, Friday from 14.",
};

/** The shortcut of a saved reply in a request. */
export const SavedReplyShortcut = Type.String({
  minLength: 1,
  maxLength: 40,
  ...NO_NUL,
  description: "1 to 40 letters, digits, `_` and `-`; stored in lower case.",
  examples: [savedReplyExample.shortcut],
});
