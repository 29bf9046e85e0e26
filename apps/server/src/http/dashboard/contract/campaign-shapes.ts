import { Type } from "typebox";
import {
  count,
  freeForm,
  id,
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
import { draftMembers } from "../../../wire/broadcast-draft.ts";
import { FunnelJson } from "../../../wire/broadcast-report.ts";
import {
  BROADCAST_CHANNEL_TYPES,
  BROADCAST_KINDS,
  BROADCAST_STATUSES,
  RECIPIENT_STATUSES,
} from "../../../wire/words.ts";

const byReason = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });
/** A campaign as somebody writes it, whole. */
export const CampaignDraft = Type.Object(draftMembers);

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
  etag: text("This version of a draft: a change takes it as `If-Match`."),
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

export const CampaignReport = Type.Object({
  statusReason: nullableText("Why the engine paused or failed it."),
  skipped: byReason("By reason."),
  failed: byReason("By the platform's code."),
  unknownCount: count("Whose message may or may not have arrived."),
  funnel: FunnelJson,
});
export type CampaignReport = Shown<typeof CampaignReport>;

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
