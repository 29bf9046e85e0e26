import { Type } from "typebox";
import {
  count,
  freeForm,
  id,
  NO_NUL,
  nullableCount,
  nullableId,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "../../../wire/schema.ts";
import { FunnelJson } from "../../../wire/broadcast-report.ts";
import {
  BROADCAST_CHANNEL_TYPES,
  BROADCAST_KINDS,
  BROADCAST_STATUSES,
  RECIPIENT_STATUSES,
} from "../../../wire/words.ts";
import { Id } from "./inputs.ts";

const byReason = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });
const Fields = Type.Record(
  Type.String({ minLength: 1, maxLength: 100 }),
  Type.String({ maxLength: 2_000, ...NO_NUL }),
  { maxProperties: 100 },
);

/** The members of one text: a campaign's, or one of its variants'. */
const TEXT = {
  body: Type.Optional(Type.String({ maxLength: 4_096, ...NO_NUL })),
  templateId: Type.Optional(Id),
  /** The texts for the template's body, by the names of its variables. */
  variables: Type.Optional(Fields),
  header: Type.Optional(
    Type.Object({
      text: Type.Optional(Type.String({ maxLength: 1_024, ...NO_NUL })),
      mediaId: Type.Optional(Id),
    }),
  ),
  /** The values for buttons, by their position from "0". */
  buttons: Type.Optional(Fields),
};

/** A campaign as somebody writes it, whole. */
export const CampaignDraft = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, ...NO_NUL }),
  kind: oneOf(BROADCAST_KINDS, "What it sends."),
  channelId: Type.Optional(Id),
  ...TEXT,
  segmentId: Type.Optional(Id),
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, ...NO_NUL })),
  localTime: Type.Optional(Type.Boolean()),
  quietHours: Type.Optional(
    Type.Object({
      from: Type.Integer({ minimum: 0, maximum: 1_439 }),
      until: Type.Integer({ minimum: 0, maximum: 1_439 }),
    }),
  ),
  rateLimitPerMinute: Type.Optional(Type.Integer({ minimum: 10, maximum: 1_000_000 })),
  replyDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
  variants: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 50, ...NO_NUL }),
        share: Type.Number({ minimum: 0, maximum: 1 }),
        ...TEXT,
      }),
      { minItems: 2, maxItems: 10 },
    ),
  ),
  holdoutShare: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
});
export type CampaignDraft = Shown<typeof CampaignDraft>;

/**
 * A draft that need not be stored. `id` names the stored draft that it would replace, whose audience may be that
 * of a resend.
 */
export const DraftInQuestion = { id: Type.Optional(Id), draft: CampaignDraft };

const HeaderFile = Type.Object({
  id: id("The file."),
  fileName: nullableText("As it was named."),
  kind: text("image, video or document."),
  url: text("Where it can be looked at."),
});

const StoredText = {
  body: nullableText("TEXT and SMS."),
  templateId: nullableId("Of a template."),
  variables: Type.Array(Type.String(), { description: "In the order of the template's places." }),
  headerText: nullableText("The variable of its header."),
  headerFile: Type.Union([HeaderFile, Type.Null()]),
  buttonTexts: Type.Array(Type.Object({ index: Type.Integer(), text: Type.String() })),
};

const ROW = {
  id: id("The campaign."),
  name: text("What the team calls it."),
  kind: oneOf(BROADCAST_KINDS, "What it sends."),
  channelId: nullableId("Null for SMS."),
  channelType: oneOf(BROADCAST_CHANNEL_TYPES, "The kind of channel."),
  status: oneOf(BROADCAST_STATUSES, "Where it is."),
  statusReason: nullableText("Why the engine paused or failed it."),
  parentId: nullableId("The campaign that it is a test or a resend of."),
  isTest: Type.Boolean(),
  scheduledAt: nullableTime("When it starts by itself."),
  startedAt: nullableTime("When it started."),
  completedAt: nullableTime("When it ended."),
  createdAt: time("When it was made."),
  totalCount: count("Everybody in the audience, the skipped too."),
  sentCount: count("Taken by the platform."),
  deliveredCount: count("Arrived."),
  readCount: count("Read."),
  failedCount: count("Failed."),
  skippedCount: count("Left out."),
};

export const CampaignLine = Type.Object(ROW);
export type CampaignLine = Shown<typeof CampaignLine>;

export const Campaign = Type.Object({
  ...ROW,
  ...StoredText,
  variants: Type.Array(Type.Object({ name: Type.String(), share: Type.Number(), ...StoredText })),
  parentName: nullableText("Of the campaign that it is a test or a resend of."),
  segmentId: nullableId("Null: everyone who has not opted out."),
  segmentName: nullableText("Null: none, or it is gone."),
  timeZone: text("IANA: of its times."),
  localTime: Type.Boolean(),
  quietFrom: nullableCount("Minutes of the day."),
  quietUntil: nullableCount("Minutes of the day."),
  replyDays: count("For so long a message counts as a reply."),
  rateLimitPerMinute: count("Its pace."),
  /** The server's clock. */
  now: time("Now."),
});
export type Campaign = Shown<typeof Campaign>;

export const CampaignWay = Type.Object({
  kind: oneOf(BROADCAST_KINDS, "What goes at any time."),
  channelId: nullableId("Null for SMS."),
  channelType: oneOf(BROADCAST_CHANNEL_TYPES, "The kind of channel."),
  name: text("The channel's; empty for SMS."),
  ready: Type.Boolean({
    description: "False: the channel is in error, or the gateway was never tested.",
  }),
  usualRate: count("Messages a minute that such a number usually may send."),
});
export type CampaignWay = Shown<typeof CampaignWay>;

export const CampaignTemplate = Type.Object({
  id: id("The template."),
  channelId: id("Of this channel."),
  name: text("Its name at the platform."),
  language: text("A language code."),
  category: nullableText("Like MARKETING."),
  components: Type.Array(freeForm, { description: "The platform's own." }),
  needs: Type.Object({
    body: Type.Array(Type.String(), { description: "The places of its body, in order." }),
    headerText: nullableText("The place of its header."),
    headerMedia: nullableOneOf(["image", "video", "document"], "The file of its header."),
    buttons: Type.Array(
      Type.Object({
        index: Type.Integer(),
        kind: oneOf(["url", "quick_reply", "copy_code"], "What it gets."),
        required: Type.Boolean(),
      }),
    ),
    unsupported: Type.Array(Type.String(), { description: "What campaigns cannot give it." }),
  }),
});
export type CampaignTemplate = Shown<typeof CampaignTemplate>;

/** Null: counting took longer than 20 seconds. */
export const AudienceReach = Type.Union([
  Type.Object({
    recipients: count("People the way reaches."),
    skipped: byReason("Others by reason."),
  }),
  Type.Null(),
]);

/** Null: they were not found in time. */
export const AudienceSample = Type.Union([
  Type.Array(
    Type.Object({
      contactId: id("The contact."),
      name: nullableText("Its name."),
      address: nullableText("Where the way reaches it."),
      skipped: nullableText("Why it would be skipped."),
    }),
  ),
  Type.Null(),
]);

export const CampaignEstimate = Type.Object({
  cannotRun: nullableText("Why it could not run now: a code."),
  recipients: count("Who would get it."),
  skipped: byReason("Who would not, by reason."),
  slotsLeft: nullableCount("Of this month; null: unlimited."),
  credits: Type.Union([
    Type.Object({ needed: count("SMS parts."), left: nullableCount("Null: not counted.") }),
    Type.Null(),
  ]),
  covered: Type.Boolean({ description: "Slots and credits cover everybody." }),
  seconds: count("At its pace."),
  pace: Type.Union([
    Type.Object({
      limit: oneOf(["set", "usual", "refused"], "Whose limit its pace passes."),
      most: count("Messages a minute."),
    }),
    Type.Null(),
  ]),
});
export type CampaignEstimate = Shown<typeof CampaignEstimate>;

export const CampaignPreview = Type.Object({
  cannotRun: nullableText("Why it could not run now: a code."),
  contacts: Type.Array(
    Type.Object({
      contactId: id("The contact."),
      name: nullableText("Its name."),
      address: nullableText("Where it is reached."),
      text: nullableText("The words; null when it is skipped."),
      headerText: nullableText("The header's words, where they have a place."),
      buttons: Type.Array(Type.Object({ index: Type.Integer(), text: Type.String() })),
      skipped: nullableText("Why it would be skipped."),
    }),
  ),
});
export type CampaignPreview = Shown<typeof CampaignPreview>;

export const CampaignReport = Type.Object({
  statusReason: nullableText("Why the engine paused or failed it."),
  skipped: byReason("By reason."),
  failed: byReason("By the platform's code."),
  unknownCount: count("Whose message may or may not have arrived."),
  funnel: FunnelJson,
});
export type CampaignReport = Shown<typeof CampaignReport>;

export const CampaignTimeline = Type.Object({
  timeZone: text("The workspace's, whose hours and days the counts are of."),
  entries: Type.Array(
    Type.Object({
      at: time("When."),
      kind: text("A move of the campaign, halved, paced or waited."),
      to: nullableOneOf(BROADCAST_STATUSES, "Where it moved."),
      cause: nullableText("Why."),
      actor: nullableText("`member:ID`, `key:ID`, `cli`; null: the engine."),
      rateFrom: nullableCount("The pace before."),
      rateTo: nullableCount("The pace after."),
      until: nullableTime("Until when nothing is sent."),
    }),
  ),
  chart: Type.Array(
    Type.Object({
      at: time("From when."),
      sent: count("Became sent."),
      delivered: count("Became delivered."),
      read: count("Became read."),
      failed: count("Became failed."),
    }),
  ),
});
export type CampaignTimeline = Shown<typeof CampaignTimeline>;

const Rate = Type.Object({
  count: count("So many."),
  rate: Type.Number(),
  low: Type.Number({ description: "95 %." }),
  high: Type.Number({ description: "95 %." }),
});
const METRICS = ["delivered", "read", "replied", "optedOut"] as const;
export const CampaignComparison = Type.Object({
  variants: Type.Array(
    Type.Object({
      name: text("The variant."),
      share: Type.Number(),
      total: count("Drawn for it."),
      sent: count("Sent."),
      rates: Type.Object({ delivered: Rate, read: Rate, replied: Rate, optedOut: Rate }),
    }),
  ),
  holdout: Type.Object({ share: Type.Number(), count: count("Left out by lot.") }),
  comparisons: Type.Array(
    Type.Object({
      metric: oneOf(METRICS, "What is compared."),
      variant: text("This one."),
      against: text("The first one."),
      difference: Type.Number(),
      low: Type.Number(),
      high: Type.Number(),
      clear: Type.Boolean({ description: "Whether the difference is more than chance." }),
    }),
  ),
});
export type CampaignComparison = Shown<typeof CampaignComparison>;

const Reached = {
  total: count("Recipients."),
  skipped: count("Skipped."),
  failed: count("Failed."),
  sent: count("Sent, delivered ones included."),
  delivered: count("Delivered, read ones included."),
  read: count("Read."),
  replied: count("Answered."),
  optedOut: count("Opted out because of it."),
};
/** How far recipients came, by what they are now. */
export const CampaignBreakdown = Type.Object({
  /** The 20 values that most of them have; by tag a recipient is under each of its tags. */
  values: Type.Array(Type.Object({ value: nullableText("Null: those without one."), ...Reached })),
  other: Type.Union([Type.Object(Reached), Type.Null()]),
});
export type CampaignBreakdown = Shown<typeof CampaignBreakdown>;

export const CampaignRecipient = Type.Object({
  contactId: id("The contact."),
  name: nullableText("Its name."),
  address: nullableText("Where it is reached."),
  status: oneOf(RECIPIENT_STATUSES, "How far the message is."),
  reason: nullableText("Why it was skipped, or the code of what failed."),
  detail: nullableText("The platform's words."),
  conversationId: nullableId("Where the message is."),
  variant: nullableText("A/B: which."),
  at: nullableTime("The last change."),
  repliedAt: nullableTime("When it answered."),
});
export type CampaignRecipient = Shown<typeof CampaignRecipient>;

export const CampaignReplyLine = Type.Object({
  contactId: nullableId("Null: erased since."),
  name: nullableText("Its name, else its number with a plus."),
  repliedAt: time("When."),
  conversationId: nullableId("Where."),
  text: nullableText("What it wrote."),
});
