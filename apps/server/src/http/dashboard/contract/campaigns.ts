import { Type } from "typebox";
import { CLOCK, DAY } from "../../../wire/calendar.ts";
import {
  id,
  nullableCount,
  nullableId,
  NO_NUL,
  nullableText,
  oneOf,
  text,
} from "../../../wire/schema.ts";
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
} from "./campaign-shapes.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";
import { Id } from "./inputs.ts";

const Cursor = Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...NO_NUL }));
const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }));
/** Without a segment everyone; without a channel by the SMS gateway. */
const Audience = Type.Object({
  segmentId: Type.Optional(Id),
  channelId: Type.Optional(Id),
});
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
  /** Starts or resumes. 402 SUBSCRIPTION_SUSPENDED, 400 BROADCAST_NOT_STARTABLE. */
  startCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/start",
    who: ADMINS,
    answer: Campaign,
  }),
  /** `wall`: the clock of the campaign's zone. */
  scheduleCampaign: face({
    method: "POST",
    path: "/campaigns/{id}/schedule",
    who: ADMINS,
    body: Type.Object({
      wall: Type.String({ pattern: `^${DAY}T${CLOCK}$`, maxLength: 16 }),
    }),
    answer: Campaign,
  }),

  campaignReport: face({
    method: "GET",
    path: "/campaigns/{id}/report",
    who: EVERYONE,
    answer: CampaignReport,
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
