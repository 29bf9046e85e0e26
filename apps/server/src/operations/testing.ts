import { Type } from "typebox";
import { ID, NO_NUL, oneOf } from "../wire/schema.ts";
import { TEST_CHANNELS, testInboundExample, TestInboundJson } from "../wire/testing.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS } from "./roles.ts";

const words = (maxLength: number, description: string, example: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength, ...NO_NUL, description, examples: [example] }),
  );

/** What a program does in a test workspace to test itself. */
export const testing = {
  playInbound: operation("test.inbound", {
    says: "Write as a customer of a test workspace",
    more: "The customer is one of the emulated platform, and the message takes the whole road: the platform's call, contact, conversation, bot, webhooks. It waits up to ten seconds until the message is stored. A customer writes (`text`, a file, both; with `replyTo` as a quote) or presses a button (`press`). In a live workspace it is refused with 409 `NOT_ALLOWED_IN_STATE`.",
    at: "POST /test/inbound",
    input: {
      channel: Type.Optional(
        oneOf(
          TEST_CHANNELS,
          "The kind of channel, where the workspace has one of it. Without it and `channelId`: its only channel.",
          "WHATSAPP",
        ),
      ),
      channelId: Type.Optional(anyId("The channel, where there are several of a kind.")),
      from: words(
        64,
        "The customer's address on the channel. The same address is the same person; left out, a usual customer.",
        "201001234567",
      ),
      name: words(200, "The customer's name on the platform.", "Sara"),
      text: words(4_096, "What the customer writes.", "Where is my order?"),
      mediaId: Type.Optional(
        anyId("A file that the customer sends: an upload of yours (`POST /v1/media`)."),
      ),
      replyTo: Type.Optional(anyId("The message that the customer quotes.")),
      press: Type.Optional(
        Type.Object(
          {
            messageId: anyId("The message with the button."),
            button: Type.String({
              minLength: 1,
              maxLength: 200,
              ...NO_NUL,
              description: "What the button says.",
              examples: ["Yes"],
            }),
          },
          {
            $id: "TestPress",
            additionalProperties: false,
            description: "A button that the customer presses. Goes without text and file.",
          },
        ),
      ),
    },
    answer: TestInboundJson,
    example: {
      input: { channelId: ID, from: "201001234567", text: "Where is my order?" },
      answer: testInboundExample,
    },
    errors: [
      "NOT_FOUND",
      "NOT_ALLOWED_IN_STATE",
      "CHANNEL_NEEDED",
      "NOT_SUPPORTED_HERE",
      "OVERLOADED",
    ],
    scope: "messages:write",
    trace: "audit",
    status: 201,
    roles: ADMINS,
    bots: false,
    doors: ["v1"],
  }),
} as const;
