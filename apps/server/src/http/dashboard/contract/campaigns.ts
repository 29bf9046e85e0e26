import { Type } from "typebox";
import {
  count,
  id,
  nullableCount,
  nullableId,
  NO_NUL,
  nullableText,
  oneOf,
  text,
} from "../../../wire/schema.ts";
import {
  BroadcastBreakdownJson,
  BroadcastComparisonJson,
  BroadcastEstimateJson,
  BroadcastPreviewJson,
  BroadcastReplyJson,
  BroadcastTimelineJson,
} from "../../../wire/broadcast-report.ts";
import { RECIPIENT_STATUSES } from "../../../wire/words.ts";
import {
  AudienceReach,
  AudienceSample,
  Campaign,
  CampaignDraft,
  CampaignRecipient,
  CampaignReport,
  CampaignLine,
  CampaignTemplate,
  CampaignWay,
  DraftInQuestion,
} from "./campaign-shapes.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";
import { Id, Name } from "./inputs.ts";

const Cursor = Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...NO_NUL }));
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }));
const OptionalName = Type.Optional(Name);
/** Without a segment everyone; without a channel by the SMS gateway. */
const Audience = Type.Object({
  segmentId: Type.Optional(Id),
  channelId: Type.Optional(Id),
});
/** The new campaign. */
const Made = Type.Object({ id: id("The campaign.") });
const RecipientFilter = {
  status: Type.Optional(oneOf(RECIPIENT_STATUSES, "Only these.")),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200, ...NO_NUL })),
};

/** Which campaigns a list shows. */
export const CAMPAIGN_FILTERS = ["draft", "scheduled", "running", "paused", "finished"] as const;

/** Campaigns: written, sent, watched and reported (docs/campaigns.md). Everybody reads; owners and admins change. */
export const campaigns = {
  listCampaigns: face({
    method: "GET",
    path: "/campaigns",
    who: EVERYONE,
    query: Type.Object({
      show: Type.Optional(oneOf(CAMPAIGN_FILTERS, "Only these.")),
      cursor: Cursor,
      limit: Limit,
    }),
    answer: Type.Object({ items: Type.Array(CampaignLine), nextCursor: nullableId("The rest.") }),
  }),
  /** Everything that a campaign can be made of. */
  campaignChoices: face({
    method: "GET",
    path: "/campaign-choices",
    who: EVERYONE,
    answer: Type.Object({
      ways: Type.Array(CampaignWay),
      segments: Type.Array(
        Type.Object({
          id: id("The segment."),
          name: text("Its name."),
          contactCount: nullableCount("When it was last counted."),
        }),
      ),
      attributes: Type.Array(Type.String(), { description: "Keys that texts can show." }),
      timeZone: text("The workspace's."),
    }),
  }),
  /** Approved templates of a channel. */
  campaignTemplates: face({
    method: "GET",
    path: "/campaign-templates",
    who: EVERYONE,
    query: Type.Object({ channelId: Id }),
    answer: Type.Object({ templates: Type.Array(CampaignTemplate) }),
  }),
  /**
   * How many people of an audience one way reaches, before there is a message: seconds at a million contacts, so each way
   * is asked for by itself. 404 for a way that is gone, 400 for a segment that is.
   */
  reachAudience: face({
    method: "POST",
    path: "/campaign-audiences",
    who: ADMINS,
    body: Audience,
    answer: Type.Object({ reach: AudienceReach }),
  }),
  /** The first people of an audience, as the way sees them. */
  sampleAudience: face({
    method: "POST",
    path: "/campaign-audiences/sample",
    who: ADMINS,
    body: Audience,
    answer: Type.Object({ people: AudienceSample }),
  }),
  /** What a start of this draft would do now; null when counting its audience takes longer than 20 s. */
  estimateDraft: face({
    method: "POST",
    path: "/campaign-estimates",
    who: ADMINS,
    body: Type.Object(DraftInQuestion),
    answer: BroadcastEstimateJson,
  }),
  /** The messages that real contacts would get from this draft now. */
  previewDraft: face({
    method: "POST",
    path: "/campaign-previews",
    who: ADMINS,
    body: Type.Object({
      ...DraftInQuestion,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    }),
    answer: BroadcastPreviewJson,
  }),
  /** Contacts with this text in their name or number, to send a test to. */
  findTestPeople: face({
    method: "GET",
    path: "/campaign-people",
    who: ADMINS,
    query: Type.Object({ search: Type.String({ minLength: 1, maxLength: 200, ...NO_NUL }) }),
    answer: Type.Object({
      people: Type.Array(
        Type.Object({
          id: id("The contact."),
          name: nullableText("Its name."),
          phone: nullableText("Its number."),
        }),
      ),
    }),
  }),

  createCampaign: face({
    method: "POST",
    path: "/campaigns",
    who: ADMINS,
    status: 201,
    body: CampaignDraft,
    answer: Made,
  }),
  readCampaign: face({
    method: "GET",
    path: "/campaigns/{id}",
    who: EVERYONE,
    answer: Campaign,
  }),
  /** Replaces a draft as a whole. */
  replaceCampaign: face({
    method: "PUT",
    path: "/campaigns/{id}",
    who: ADMINS,
    body: CampaignDraft,
    answer: Campaign,
  }),
  /** As `estimateDraft`, for a campaign that is stored. */
  estimateCampaign: face({
    method: "GET",
    path: "/campaigns/{id}/estimate",
    who: EVERYONE,
    answer: BroadcastEstimateJson,
  }),
  previewCampaign: face({
    method: "GET",
    path: "/campaigns/{id}/preview",
    who: EVERYONE,
    query: Type.Object({ count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })) }),
    answer: BroadcastPreviewJson,
  }),
  /** To a contact, or to a number; a number without a contact gets one. */
  testCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/test",
    who: ADMINS,
    status: 201,
    body: Type.Object({
      contactId: Type.Optional(Id),
      phone: Type.Optional(Type.String({ minLength: 1, maxLength: 60, ...NO_NUL })),
    }),
    answer: Made,
  }),
  /** Starts or resumes. 402 SUBSCRIPTION_SUSPENDED, 400 BROADCAST_NOT_STARTABLE. */
  startCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/start",
    who: ADMINS,
    answer: Campaign,
  }),
  pauseCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/pause",
    who: ADMINS,
    answer: Campaign,
  }),
  cancelCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/cancel",
    who: ADMINS,
    answer: Campaign,
  }),
  /** `wall`: the clock of the campaign's zone. */
  scheduleCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/schedule",
    who: ADMINS,
    body: Type.Object({
      wall: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$", maxLength: 16 }),
    }),
    answer: Campaign,
  }),
  unscheduleCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/unschedule",
    who: ADMINS,
    answer: Campaign,
  }),
  paceCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/pace",
    who: ADMINS,
    body: Type.Object({ rateLimitPerMinute: Type.Integer({ minimum: 10, maximum: 1_000_000 }) }),
    answer: Campaign,
  }),
  copyCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/copy",
    who: ADMINS,
    status: 201,
    body: Type.Object({ name: OptionalName, channelId: Type.Optional(Id) }),
    answer: Made,
  }),
  /**
   * Creates a draft for the recipients that failed. `unknown`: for a cancelled campaign, also those with an
   * unknown outcome.
   */
  resendFailed: face({
    method: "POST",
    path: "/campaigns/{id}/resend-failed",
    who: ADMINS,
    status: 201,
    body: Type.Object({
      name: OptionalName,
      all: Type.Optional(Type.Boolean()),
      unknown: Type.Optional(Type.Boolean()),
    }),
    answer: Made,
  }),
  /** Sends again to the recipients with an unknown outcome; some may get it twice. */
  resendUnknown: face({
    method: "POST",
    path: "/campaigns/{id}/resend-unknown",
    who: ADMINS,
    answer: Type.Object({ resent: count("How many wait again.") }),
  }),

  campaignReport: face({
    method: "GET",
    path: "/campaigns/{id}/report",
    who: EVERYONE,
    answer: CampaignReport,
  }),
  campaignTimeline: face({
    method: "GET",
    path: "/campaigns/{id}/timeline",
    who: EVERYONE,
    query: Type.Object({
      by: Type.Optional(oneOf(["minute", "hour", "day"], "Counts by; minute when absent.")),
    }),
    answer: BroadcastTimelineJson,
  }),
  /** A/B only: 409 NOT_ALLOWED_IN_STATE for another campaign. */
  compareVariants: face({
    method: "GET",
    path: "/campaigns/{id}/variants",
    who: EVERYONE,
    answer: BroadcastComparisonJson,
  }),
  /** Reads every recipient: seconds at a million. */
  breakCampaignDown: face({
    method: "GET",
    path: "/campaigns/{id}/breakdown",
    who: EVERYONE,
    query: Type.Object({
      /** `tag` or `attribute.KEY`. */
      by: Type.String({ minLength: 1, maxLength: 220, ...NO_NUL }),
    }),
    answer: BroadcastBreakdownJson,
  }),
  listRecipients: face({
    method: "GET",
    path: "/campaigns/{id}/recipients",
    who: EVERYONE,
    query: Type.Object({ ...RecipientFilter, cursor: Cursor, limit: Limit }),
    answer: Type.Object({
      items: Type.Array(CampaignRecipient),
      nextCursor: nullableId("The rest; a page may be short and not the last."),
    }),
  }),
  listReplies: face({
    method: "GET",
    path: "/campaigns/{id}/replies",
    who: EVERYONE,
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
      limit: Limit,
    }),
    answer: Type.Object({ items: Type.Array(BroadcastReplyJson), more: Type.Boolean() }),
  }),
} as const;

/** Every recipient as CSV. Served apart, because its answer is not JSON and is sent page by page. */
export const recipientsFile = face({
  method: "GET",
  heavy: true,
  path: "/campaigns/{id}/recipients.csv",
  who: ADMINS,
  proven: true,
  query: Type.Object(RecipientFilter),
  answer: Type.String(),
});
