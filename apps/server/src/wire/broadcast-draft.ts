import { Type, type Static } from "typebox";
import { ID, NO_NUL, oneOf, type Shown } from "./schema.ts";
import { BROADCAST_KINDS } from "./words.ts";

const anyId = (description: string) =>
  Type.String({ minLength: 1, maxLength: 100, ...NO_NUL, description, examples: [ID] });
const fields = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Record(
    Type.String({ minLength: 1, maxLength: 100 }),
    Type.String({ maxLength: 2_000, ...NO_NUL }),
    { maxProperties: 100, description, examples: [example] },
  );
const minute = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_439, description, examples: [1_320] });
const share = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [0.5] });

/** The members of one text: a campaign's, or one of its variants'. */
const TEXT = {
  body: Type.Optional(
    Type.String({
      maxLength: 4_096,
      ...NO_NUL,
      description:
        "The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`).",
      examples: ["Hello {{first_name|friend}}"],
    }),
  ),
  templateId: Type.Optional(anyId("The template of WHATSAPP_TEMPLATE.")),
  variables: Type.Optional(
    fields(
      "The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused.",
      { "1": "{{first_name|friend}}" },
    ),
  ),
  header: Type.Optional(
    Type.Object(
      {
        text: Type.Optional(
          Type.String({
            maxLength: 1_024,
            ...NO_NUL,
            description: "The text of the header's variable.",
            examples: ["{{first_name}}"],
          }),
        ),
        mediaId: Type.Optional(
          anyId("An upload (`POST /v1/media`) for a header of image, video or document."),
        ),
      },
      {
        additionalProperties: false,
        description: "For a template's header with a variable or a file: `text` or `mediaId`.",
      },
    ),
  ),
  buttons: Type.Optional(
    fields("The values for the template's buttons, by their place from 0.", { "0": "sale" }),
  ),
};

const QuietHours = Type.Object(
  {
    from: minute("The minute of the day from which nothing is sent: 1320 is 22:00."),
    until: minute("The minute of the day at which sending goes on: 480 is 08:00."),
  },
  {
    $id: "QuietHours",
    additionalProperties: false,
    description:
      "Between these minutes of the recipient's day nothing is sent. They may span midnight.",
  },
);

/** What a new campaign and a change of a draft have in common. */
const ALIKE = {
  channelId: Type.Optional(anyId("The channel it goes out on. Left out for SMS.")),
  ...TEXT,
  timeZone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      ...NO_NUL,
      description:
        "For its times, and for recipients without a zone of their own. The workspace's when absent.",
      examples: ["Asia/Kuwait"],
    }),
  ),
  localTime: Type.Optional(
    Type.Boolean({
      description: "The time at which it is scheduled counts on each recipient's own clock.",
    }),
  ),
  rateLimitPerMinute: Type.Optional(
    Type.Integer({
      minimum: 10,
      maximum: 1_000_000,
      description: "Messages a minute. What its channel usually may send when absent.",
      examples: [600],
    }),
  ),
  replyDays: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 30,
      description: "For so many days after its send a message counts as a reply. 3 when absent.",
      examples: [3],
    }),
  ),
  variants: Type.Optional(
    Type.Array(
      Type.Object(
        {
          name: Type.String({
            maxLength: 50,
            ...NO_NUL,
            description: "What reports call it.",
            examples: ["A"],
          }),
          share: share("Its share of the audience."),
          ...TEXT,
        },
        {
          $id: "BroadcastVariant",
          additionalProperties: false,
          description: "One text of an A/B campaign.",
        },
      ),
      {
        minItems: 2,
        maxItems: 10,
        description:
          "A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1.",
      },
    ),
  ),
  holdoutShare: Type.Optional(share("A/B: the share that gets nothing, for comparison.")),
};

const broadcastName = Type.String({
  minLength: 1,
  maxLength: 200,
  ...NO_NUL,
  description: "The team's name for it.",
  examples: ["Black Friday"],
});

/** A campaign as somebody writes it, whole. */
export const draftMembers = {
  name: broadcastName,
  kind: oneOf(BROADCAST_KINDS, "What it sends.", "TEXT"),
  segmentId: Type.Optional(
    anyId("Its audience (`GET /v1/segments`). Without one: all contacts who have not opted out."),
  ),
  quietHours: Type.Optional(QuietHours),
  ...ALIKE,
};

/** What changes in a draft; null takes the segment or the quiet hours away. */
export const draftChanges = {
  name: Type.Optional(broadcastName),
  segmentId: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: 100,
      ...NO_NUL,
      description: "Its audience. Null: all contacts who have not opted out.",
      examples: [ID],
    }),
  ),
  quietHours: Type.Optional(
    Type.Unsafe<Static<typeof QuietHours> | null>({
      type: ["object", "null"],
      properties: QuietHours.properties,
      required: QuietHours.required,
      additionalProperties: false,
      description:
        "Between these minutes of the recipient's day nothing is sent. Null: at every hour.",
      examples: [{ from: 1_320, until: 480 }],
    }),
  ),
  ...ALIKE,
};

export const BroadcastDraft = Type.Object(draftMembers, {
  $id: "BroadcastDraft",
  additionalProperties: false,
  description: "A campaign as it is written, before it is sent.",
});
export type BroadcastDraft = Shown<typeof BroadcastDraft>;

export const draftExample: Static<typeof BroadcastDraft> = {
  name: "Black Friday",
  kind: "WHATSAPP_TEMPLATE",
  channelId: ID,
  templateId: ID,
  variables: { "1": "{{first_name|friend}}", "2": "ready" },
};
