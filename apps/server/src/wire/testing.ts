import { Type } from "typebox";
import { ID, id, nullableId, oneOf, text, type Shown } from "./schema.ts";
import { SANDBOX_TYPES } from "./words.ts";

/** What a customer of the sandbox can write on. */
export const TEST_CHANNELS = [...SANDBOX_TYPES, "WEB"] as const;

export const TestInboundJson = Type.Object(
  {
    state: oneOf(
      ["stored", "sent"],
      "`stored`: the message is in the conversation. `sent`: it left the customer and was not stored within ten seconds, or the channel stores none (SMS).",
    ),
    channelId: id("The channel on which the customer wrote."),
    from: text("The customer's address on the channel: the same address is the same person."),
    messageId: nullableId("The message. Null until it is stored."),
    conversationId: nullableId("Its conversation. Null until it is stored."),
    contactId: nullableId("The customer. Null until it is stored."),
  },
  { $id: "TestInbound", description: "What a customer of the sandbox did." },
);
export type TestInboundJson = Shown<typeof TestInboundJson>;

export const testInboundExample: TestInboundJson = {
  state: "stored",
  channelId: ID,
  from: "201001234567",
  messageId: ID,
  conversationId: ID,
  contactId: ID,
};
