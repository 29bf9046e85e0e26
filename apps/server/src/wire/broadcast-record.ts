import { Type } from "typebox";
import { draftExample } from "./broadcast-draft.ts";
import { BroadcastJson, broadcastExample, BroadcastReasonJson } from "./broadcast.ts";
import {
  count,
  cursorPage,
  nullable,
  nullableId,
  nullableText,
  nullableTime,
  ref,
  text,
  type Shown,
} from "./schema.ts";

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

/** A text as it is stored, in the form in which a draft takes it. */
const STORED_TEXT = {
  variables: texts("The texts for the template's body, by the number of its variables."),
  header: nullable(
    Type.Object({
      text: nullableText("The text of the header's variable."),
      mediaId: nullableId("The file of the header."),
    }),
    "What the template's header shows. Null when it has no variable and no file.",
  ),
  buttons: texts("The values for the template's buttons, by their place from 0."),
};

const VariantJson = Type.Object({
  name: text("What reports call it."),
  share: Type.Number({ description: "Its share of the audience." }),
  body: nullableText("TEXT and SMS."),
  templateId: nullableId("WHATSAPP_TEMPLATE."),
  ...STORED_TEXT,
});

export const BroadcastRecordJson = Type.Object(
  {
    ...BroadcastJson.properties,
    ...STORED_TEXT,
    variants: Type.Array(VariantJson, {
      description:
        "A/B: its texts. The campaign's own are then those of the first. Else an empty list.",
    }),
    holdoutShare: Type.Number({ description: "A/B: the share that gets nothing." }),
    segmentId: nullableId("Its audience. Null: all contacts who have not opted out."),
    timeZone: text("For its times, and for recipients without a zone of their own."),
    localTime: Type.Boolean({
      description: "The time at which it is scheduled counts on each recipient's own clock.",
    }),
    quietHours: nullable(
      Type.Object({
        from: count("The minute of the day from which nothing is sent."),
        until: count("The minute of the day at which sending goes on."),
      }),
      "When nothing is sent, by each recipient's clock.",
    ),
    replyDays: count("For so many days after its send a message counts as a reply."),
    statusReason: nullableText("Why the campaign was paused or failed automatically."),
    parentId: nullableId("The campaign that it is a test or a resend of."),
    isTest: Type.Boolean({ description: "A test goes to chosen contacts only." }),
    startedAt: nullableTime("When it began to send."),
    completedAt: nullableTime("When it ended."),
  },
  { $id: "BroadcastRecord", description: "A campaign with everything that it is made of." },
);
export type BroadcastRecordJson = Shown<typeof BroadcastRecordJson>;

export const BroadcastDetailsJson = Type.Object(
  {
    ...BroadcastJson.properties,
    reason: Type.Optional(ref(BroadcastReasonJson)),
    draft: Type.Optional(ref(BroadcastRecordJson)),
  },
  {
    $id: "BroadcastDetails",
    description: "A campaign; with `include=draft` also everything that it is made of.",
  },
);

export const BroadcastPageJson = cursorPage("BroadcastPage", BroadcastJson, "Newest first.");

/** A draft for everybody: what `draftExample` makes. */
export const broadcastRecordExample: BroadcastRecordJson = {
  ...broadcastExample,
  status: "DRAFT",
  variables: draftExample.variables ?? {},
  header: null,
  buttons: {},
  variants: [],
  holdoutShare: 0,
  segmentId: null,
  timeZone: "UTC",
  localTime: false,
  quietHours: null,
  replyDays: 3,
  statusReason: null,
  parentId: null,
  isTest: false,
  startedAt: null,
  completedAt: null,
};
