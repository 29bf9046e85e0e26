import { Type, type Static } from "typebox";
import { OneRef } from "./contact-record.ts";
import { ContactOfNumber, RECIPIENT } from "./contact.ts";
import { ID, id, NO_NUL, oneOf, text, type Shown } from "./schema.ts";

const place = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1024, ...NO_NUL, description });
const anyId = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, ...NO_NUL, description, examples: [ID] }),
  );

/** Which template is sent: by its id, or by its name and language at the platform. */
export const TemplateChoice = Type.Object(
  {
    id: anyId("The template's id. Without it, `name` and `language`."),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        ...NO_NUL,
        description: "Its name at the platform.",
        examples: ["order_update"],
      }),
    ),
    language: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        ...NO_NUL,
        description:
          "Its language code, as the platform has it: `en` and `en_US` are two. `GET /v1/templates` shows which there are.",
        examples: ["en_US"],
      }),
    ),
  },
  {
    $id: "TemplateChoice",
    additionalProperties: false,
    description: "A template, by `id` or by `name` and `language`.",
  },
);

/** What fills the places of a template. */
export const templateParts = {
  body: Type.Optional(
    Type.Array(place("A text."), {
      maxItems: 50,
      description:
        "One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns.",
      examples: [["Sara", "1042"]],
    }),
  ),
  header: Type.Optional(
    Type.Object(
      {
        text: Type.Optional(place("The text of the header's variable.")),
        mediaId: anyId("An upload (`POST /v1/media`) for a header of image, video or document."),
      },
      {
        $id: "TemplateHeader",
        additionalProperties: false,
        description: "For a header with a variable or a file: `text` or `mediaId`.",
      },
    ),
  ),
  buttons: Type.Optional(
    Type.Array(
      Type.Object(
        {
          index: Type.Integer({
            minimum: 0,
            maximum: 9,
            description: "The place of the button in the template, from 0.",
          }),
          text: place("Its value."),
        },
        {
          $id: "TemplateButtonValue",
          additionalProperties: false,
          description: "The end of an address, the code to copy or the payload of one button.",
        },
      ),
      { maxItems: 10, description: "One for each button that needs a value." },
    ),
  ),
};

/** A template message: who gets it, which template, and what fills it. */
export const templateMessage = {
  to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      ...RECIPIENT,
      description:
        "The number, with its country code: 7 to 15 digits, and not a local number, which begins with 0. Without it `contactId` or `ref`: one of the three.",
      examples: ["+201001234567"],
    }),
  ),
  contactId: anyId("A contact with a number."),
  ref: Type.Optional(OneRef),
  channelId: anyId("The WhatsApp channel, when the template is on more than one."),
  template: TemplateChoice,
  ...templateParts,
  contact: Type.Optional(ContactOfNumber),
};

/** How many messages one batch takes. */
export const MOST_TEMPLATE_MESSAGES = 100;

export const TemplateMessageJson = Type.Object(templateMessage, {
  $id: "TemplateMessage",
  additionalProperties: false,
  description: "One message of a batch.",
});
export type TemplateMessageJson = Shown<typeof TemplateMessageJson>;

export const TemplateMessageAcceptedJson = Type.Object(
  {
    id: id("The message's id."),
    status: Type.String({
      description:
        "`sent`, or `failed` when the channel cannot send. Later changes come as `message.status` events.",
    }),
    errorCode: Type.Optional(text("Of one that failed at once: why.")),
    conversationId: id("Its conversation."),
    contactId: id("Who gets it."),
    contactCreated: Type.Boolean({ description: "Whether the contact was made by this call." }),
  },
  { $id: "TemplateMessageAccepted", description: "The template message is stored and goes out." },
);
export type TemplateMessageAcceptedJson = Shown<typeof TemplateMessageAcceptedJson>;

const TemplateMessageStoredJson = Type.Object(
  {
    outcome: oneOf(["accepted"], "The message goes out."),
    message: TemplateMessageAcceptedJson,
  },
  { $id: "TemplateMessageStored", description: "One message of a batch that was accepted." },
);

const TemplateMessageRefusedJson = Type.Object(
  {
    outcome: oneOf(["refused"], "Nothing is sent."),
    error: Type.Object(
      {
        message: text("The code of the error, as the single call has it."),
        details: Type.Array(
          Type.Object({
            path: text("The member of the message."),
            message: text("What it must be."),
          }),
          { description: "The faults, where the error has them." },
        ),
      },
      { $id: "TemplateMessageFault", description: "Why one message was refused." },
    ),
  },
  { $id: "TemplateMessageRefused", description: "One message of a batch that was refused." },
);

export const TemplateMessageResultsJson = Type.Object(
  {
    results: Type.Array(
      Type.Union([TemplateMessageStoredJson, TemplateMessageRefusedJson], {
        $id: "TemplateMessageResult",
        description:
          "The result of one message of a batch. `outcome` says which: `TemplateMessageStored` or `TemplateMessageRefused`.",
      }),
      { description: "One for each message, in their order." },
    ),
  },
  { $id: "TemplateMessageResults", description: "The outcome of each message of a batch." },
);
export type TemplateMessageResultsJson = Shown<typeof TemplateMessageResultsJson>;

export const templateMessageAcceptedExample: TemplateMessageAcceptedJson = {
  id: ID,
  status: "sent",
  conversationId: ID,
  contactId: ID,
  contactCreated: true,
};

export const templateMessageExample: Static<typeof TemplateMessageJson> = {
  to: "+201001234567",
  template: { name: "order_update", language: "en_US" },
  body: ["Sara", "1042"],
  contact: { name: "Sara Haddad", attributes: { city: "Cairo" } },
};
export const templateMessageResultsExample: TemplateMessageResultsJson = {
  results: [{ outcome: "accepted", message: templateMessageAcceptedExample }],
};
