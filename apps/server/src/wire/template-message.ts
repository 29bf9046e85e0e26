import { Type } from "typebox";
import { ID, id, NO_NUL, type Shown } from "./schema.ts";

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
        description: "Its language code.",
        examples: ["en"],
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
      description: "One text for each variable of the body, in their order.",
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

export const TemplateMessageAcceptedJson = Type.Object(
  {
    id: id("The message's id."),
    status: Type.String({
      description:
        "`sent`, or `failed` when the channel cannot send. Later changes come as `message.status` events.",
    }),
    conversationId: id("Its conversation."),
    contactId: id("Who gets it."),
    contactCreated: Type.Boolean({ description: "Whether the contact was made by this call." }),
  },
  { $id: "TemplateMessageAccepted", description: "The template message is stored and goes out." },
);
export type TemplateMessageAcceptedJson = Shown<typeof TemplateMessageAcceptedJson>;

export const templateMessageAcceptedExample: TemplateMessageAcceptedJson = {
  id: ID,
  status: "sent",
  conversationId: ID,
  contactId: ID,
  contactCreated: true,
};
