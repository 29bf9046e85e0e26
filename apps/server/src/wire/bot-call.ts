import { Type } from "typebox";
import { ID, id, nullableText, oneOf, text, type Shown } from "./schema.ts";
import { CHANNEL_TYPES } from "./words.ts";

/** The customer and the conversation of a bot's call. The values are ours, never a model's or a customer's. */
export const BotCallSubject = Type.Object(
  {
    workspaceId: id("The workspace."),
    botId: id("The bot."),
    conversationId: id("The conversation."),
    channelType: oneOf(CHANNEL_TYPES, "Where the customer writes."),
    contact: Type.Object({
      id: id("The customer."),
      externalId: text("The customer's id on the channel: on WhatsApp the number."),
      firstName: nullableText("The first word of the name."),
      language: text("The language the customer writes in: ar or en."),
    }),
  },
  { description: "The customer and the conversation that the call is about." },
);
export type BotCallSubject = Shown<typeof BotCallSubject>;

/** What a step `call` of a flow posts: `bot.call`. */
export const BotCall = Type.Object(
  {
    type: Type.Literal("bot.call"),
    ...BotCallSubject.properties,
    step: text("The step of the flow."),
    inputs: Type.Record(Type.String(), Type.String(), {
      description: "The inputs that the step declares, filled.",
    }),
  },
  { $id: "BotCall", description: "A flow calls another system." },
);
export type BotCall = Shown<typeof BotCall>;

const subject: BotCallSubject = {
  workspaceId: ID,
  botId: ID,
  conversationId: ID,
  channelType: "WHATSAPP",
  contact: { id: ID, externalId: "96550000001", firstName: "Sara", language: "en" },
};
export const botCallExample: BotCall = {
  type: "bot.call",
  ...subject,
  step: "order",
  inputs: { number: "1042" },
};
