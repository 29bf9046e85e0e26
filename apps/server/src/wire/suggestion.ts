import { Type } from "typebox";
import {
  AT,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { SUGGESTION_STATES } from "./words.ts";

export const SuggestionJson = Type.Object(
  {
    id: id("The suggestion's id."),
    conversationId: id("Its conversation: who would get it."),
    state: oneOf(
      SUGGESTION_STATES,
      "`open`: no member has decided. `used`: sent as it is. `edited`: sent with another text. `discarded`: not sent.",
    ),
    text: text("What the customer would read; of a template its filled text."),
    templateId: nullableId("The template that would be sent. Null: plain text."),
    reason: nullableText("Why it is suggested, for the member."),
    sources: Type.Array(
      Type.Object({
        title: text("What it is called."),
        url: nullableText("Where a member can read it."),
      }),
      { description: "What the text rests on." },
    ),
    authorName: nullableText("The name of the key that wrote it. Null: the command line."),
    createdAt: time("When it was written."),
    settledAt: nullableTime("When it was used or discarded. Null: it is open."),
    messageId: nullableId("The message that it became. Null: none."),
  },
  {
    $id: "Suggestion",
    description: "A reply that a program proposes. Customers see it only after a member sends it.",
  },
);
export type SuggestionJson = Shown<typeof SuggestionJson>;

export const SuggestionListJson = Type.Object({ items: Type.Array(SuggestionJson) });

export const suggestionExample: SuggestionJson = {
  id: ID,
  conversationId: ID,
  state: "open",
  text: "Your order 1042 left our store this morning.",
  templateId: null,
  reason: "The customer asks where order 1042 is.",
  sources: [{ title: "Order 1042", url: "https://shop.example.com/orders/1042" }],
  authorName: "Website",
  createdAt: AT,
  settledAt: null,
  messageId: null,
};
