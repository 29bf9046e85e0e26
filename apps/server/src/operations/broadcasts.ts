import { Type } from "typebox";
import { broadcastExample } from "../wire/broadcast.ts";
import {
  BroadcastPageJson,
  broadcastRecordExample,
  BroadcastRecordJson,
} from "../wire/broadcast-record.ts";
import {
  BroadcastDraft,
  draftChanges,
  draftExample,
  draftMembers,
} from "../wire/broadcast-draft.ts";
import {
  broadcastEstimateExample,
  BroadcastEstimateJson,
  broadcastPreviewExample,
  BroadcastPreviewJson,
} from "../wire/broadcast-report.ts";
import { AT, ID, NO_NUL, Nothing, oneOf } from "../wire/schema.ts";
import { BROADCAST_KINDS, BROADCAST_STATUSES } from "../wire/words.ts";
import { anyId, moment } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { RATES } from "./rates.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const id = anyId("The campaign.");
const newName = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    ...NO_NUL,
    description: "The name of the new campaign.",
    examples: ["Black Friday, second round"],
  }),
);
const shown = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 20,
    default: 5,
    description: "How many contacts.",
    examples: [2],
  }),
);
const inQuestion = {
  id: Type.Optional(
    anyId("The stored draft that it would replace, whose audience may be that of a resend."),
  ),
  draft: BroadcastDraft,
};

/** Nothing is sent by these. Who may send may draft. */
const drafting = {
  scope: "broadcasts:draft",
  otherScopes: ["broadcasts:write"],
  bots: false,
} as const;
const drafts = { ...drafting, doors: ["app", "v1"] } as const;
const moves = {
  roles: ADMINS,
  scope: "broadcasts:write",
  bots: false,
  trace: "audit",
  doors: ["app", "v1"],
} as const;
const RUNNING = {
  ...broadcastRecordExample,
  status: "RUNNING",
  totalCount: 1,
  startedAt: AT,
} as const;

/** Campaigns as programs write and send them. To start and to resume one: `POST /broadcasts/{id}/start`. */
export const broadcasts = {
  createBroadcast: operation("broadcast.create", {
    says: "Create a campaign as a draft",
    more: "It is checked as a whole: what is refused names its field. Nothing is sent before `POST /broadcasts/{id}/start` or `/schedule`.",
    at: "POST /broadcasts",
    input: draftMembers,
    answer: BroadcastRecordJson,
    example: { input: draftExample, answer: broadcastRecordExample },
    errors: [],
    roles: ADMINS,
    trace: "audit",
    status: 201,
    ...drafts,
    doors: ["app", "v1", "mcp"],
    tool: { name: "draft_broadcast", class: "draft" },
  }),
  updateBroadcast: operation("broadcast.update", {
    says: "Change a draft",
    more: "What is left out stays. Variables, header and buttons are replaced as a whole, and are given again with another template. The texts of an A/B campaign are replaced by all `variants` together.",
    at: "PATCH /broadcasts/{id}",
    input: { id, ...draftChanges },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID, name: "Black Friday 2026" },
      answer: { ...broadcastRecordExample, name: "Black Friday 2026" },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    trace: "audit",
    versioned: true,
    ...drafting,
    doors: ["v1"],
  }),
  deleteBroadcast: operation("broadcast.delete", {
    says: "Delete a draft",
    more: "Its last event is `broadcast.status` with `CANCELLED`. A campaign in another state stays for its report: 409 `NOT_ALLOWED_IN_STATE`.",
    at: "DELETE /broadcasts/{id}",
    input: { id },
    answer: Nothing,
    example: { input: { id: ID }, answer: {}, after: "broadcast.create" },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    trace: "audit",
    versioned: true,
    ...drafting,
    doors: ["v1", "cli"],
  }),
  estimateDraft: operation("broadcast.estimate_draft", {
    says: "What a start of a draft would do now, stored or not",
    more: "Counts everybody in the audience: seconds at a million contacts.",
    at: "POST /broadcast-estimates",
    input: inQuestion,
    answer: BroadcastEstimateJson,
    example: { input: { draft: draftExample }, answer: broadcastEstimateExample },
    errors: ["BROADCAST_NOT_FOUND"],
    roles: ADMINS,
    trace: null,
    rate: RATES.reports,
    ...drafts,
  }),
  previewDraft: operation("broadcast.preview_draft", {
    says: "The messages that real contacts would get from a draft, stored or not",
    at: "POST /broadcast-previews",
    input: { ...inQuestion, count: shown },
    answer: BroadcastPreviewJson,
    example: { input: { draft: draftExample }, answer: broadcastPreviewExample },
    errors: ["BROADCAST_NOT_FOUND"],
    roles: ADMINS,
    trace: null,
    rate: RATES.reports,
    ...drafts,
  }),
  estimateBroadcast: operation("broadcast.estimate", {
    says: "What a start would do now",
    more: "Of a draft or a scheduled campaign; another's report has its counts: 409 `NOT_ALLOWED_IN_STATE`.",
    at: "GET /broadcasts/{id}/estimate",
    input: { id },
    answer: BroadcastEstimateJson,
    example: { input: { id: ID }, answer: broadcastEstimateExample },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: EVERYONE,
    trace: null,
    rate: RATES.reports,
    ...drafts,
  }),
  previewBroadcast: operation("broadcast.preview", {
    says: "The messages that real contacts would get now",
    at: "GET /broadcasts/{id}/preview",
    input: { id, count: shown },
    answer: BroadcastPreviewJson,
    example: { input: { id: ID }, answer: broadcastPreviewExample },
    errors: ["BROADCAST_NOT_FOUND"],
    roles: EVERYONE,
    trace: null,
    rate: RATES.reports,
    ...drafting,
    doors: ["v1"],
  }),
  duplicateBroadcast: operation("broadcast.duplicate", {
    says: "Copy a campaign as a new draft",
    more: "With its text, audience, times of the day and pace, and without a time at which it starts.",
    at: "POST /broadcasts/{id}/duplicate",
    input: {
      id,
      name: newName,
      channelId: Type.Optional(anyId("Another channel than the campaign's.")),
    },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID },
      answer: { ...broadcastRecordExample, name: "Black Friday (copy)" },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND"],
    roles: ADMINS,
    trace: "audit",
    status: 201,
    ...drafts,
  }),
  resendFailed: operation("broadcast.resend_failed", {
    says: "Create a draft for the recipients that failed",
    more: "Of a campaign that is paused, completed or cancelled. Numbers that accept no message are left out unless `all`. Recipients with an unknown outcome wait for `/resend-unknown`; only of a cancelled campaign `unknown` includes them. 400 when no recipient is left.",
    at: "POST /broadcasts/{id}/resend-failed",
    input: {
      id,
      name: newName,
      all: Type.Optional(
        Type.Boolean({ description: "Also those whose number accepts no message." }),
      ),
      unknown: Type.Optional(
        Type.Boolean({
          description:
            "Of a cancelled campaign: also those who may have it already. Some may get it twice.",
        }),
      ),
    },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID },
      answer: { ...broadcastRecordExample, name: "Black Friday (resend)", parentId: ID },
    },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    roles: ADMINS,
    trace: "audit",
    status: 201,
    ...drafts,
  }),

  pauseBroadcast: operation("broadcast.pause", {
    says: "Pause a running campaign",
    more: "Calls that began are finished and counted; no new one is made. `POST /broadcasts/{id}/start` resumes it.",
    at: "POST /broadcasts/{id}/pause",
    input: { id },
    answer: BroadcastRecordJson,
    example: { input: { id: ID }, answer: { ...RUNNING, status: "PAUSED" } },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...moves,
    doors: ["app", "v1", "mcp"],
    tool: { name: "pause_broadcast", class: "send", reaches: ["id"] },
  }),
  cancelBroadcast: operation("broadcast.cancel", {
    says: "Cancel a campaign that has not ended",
    more: "Recipients that still wait stay counted as waiting, and get nothing.",
    at: "POST /broadcasts/{id}/cancel",
    input: { id },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID },
      answer: { ...broadcastRecordExample, status: "CANCELLED", completedAt: AT },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...moves,
  }),
  scheduleBroadcast: operation("broadcast.schedule", {
    says: "Start a draft at a time",
    more: "The time must be in the future. With `localTime` its wall clock in the campaign's zone counts on each recipient's own clock.",
    at: "POST /broadcasts/{id}/schedule",
    input: { id, scheduledAt: moment("When it starts.") },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID, scheduledAt: "2099-11-21T10:00:00Z" },
      answer: {
        ...broadcastRecordExample,
        status: "SCHEDULED",
        scheduledAt: "2099-11-21T10:00:00.000Z",
      },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...moves,
    doors: ["v1"],
  }),
  unscheduleBroadcast: operation("broadcast.unschedule", {
    says: "Take back the time of a scheduled campaign: it is a draft again",
    at: "POST /broadcasts/{id}/unschedule",
    input: { id },
    answer: BroadcastRecordJson,
    example: { input: { id: ID }, answer: broadcastRecordExample, after: "broadcast.schedule" },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...moves,
  }),
  paceBroadcast: operation("broadcast.set_pace", {
    says: "Set a campaign's pace",
    more: "From the next batch on, within a second. A limit that a refusal of the platform left is lifted up to it.",
    at: "POST /broadcasts/{id}/pace",
    input: {
      id,
      rateLimitPerMinute: Type.Integer({
        minimum: 10,
        maximum: 1_000_000,
        description: "Messages a minute.",
        examples: [600],
      }),
    },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID, rateLimitPerMinute: 600 },
      answer: { ...broadcastRecordExample, rateLimitPerMinute: 600 },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...moves,
  }),
  testBroadcast: operation("broadcast.test", {
    says: "Send a campaign's message to chosen contacts now",
    more: "As a campaign of its own, whose `parentId` is this one: nothing of it counts in this one's report, and each message uses a slot. Give `contactIds` or `phone`; a number without a contact gets one, for which the key needs `contacts:write`.",
    at: "POST /broadcasts/{id}/test",
    input: {
      id,
      contactIds: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100, ...NO_NUL }), {
          minItems: 1,
          maxItems: 20,
          description: "The contacts.",
          examples: [[ID]],
        }),
      ),
      phone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 60,
          ...NO_NUL,
          description: "A number with its country code.",
          examples: ["+201001234567"],
        }),
      ),
    },
    answer: BroadcastRecordJson,
    example: {
      input: { id: ID, contactIds: [ID] },
      answer: {
        ...broadcastRecordExample,
        name: "Black Friday (test)",
        status: "QUEUED",
        parentId: ID,
        isTest: true,
      },
    },
    errors: ["BROADCAST_NOT_FOUND", "BROADCAST_NOT_STARTABLE", "SUBSCRIPTION_SUSPENDED"],
    status: 201,
    ...moves,
  }),
  resendUnknown: operation("broadcast.resend_unknown", {
    says: "Send again to the recipients with an unknown outcome",
    more: "Some may get it twice. Of a campaign that is running, paused or completed; a completed one runs again. Each uses a new message and slot.",
    at: "POST /broadcasts/{id}/resend-unknown",
    input: { id },
    answer: BroadcastRecordJson,
    example: { input: { id: ID }, answer: RUNNING },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...moves,
  }),

  searchBroadcasts: operation("broadcast.search", {
    says: "Campaigns by state, kind, channel, segment, name and time, newest first",
    more: "Beyond the 100 of `GET /v1/broadcasts`.",
    at: "POST /broadcasts/search",
    input: {
      status: Type.Optional(
        Type.Array(oneOf(BROADCAST_STATUSES, "A state."), {
          minItems: 1,
          maxItems: BROADCAST_STATUSES.length,
          description: "Only campaigns in one of these states.",
          examples: [["RUNNING", "PAUSED"]],
        }),
      ),
      kind: Type.Optional(oneOf(BROADCAST_KINDS, "Only campaigns of this kind.", "SMS")),
      channelId: Type.Optional(anyId("Only campaigns on this channel.")),
      segmentId: Type.Optional(anyId("Only campaigns to this segment.")),
      parentId: Type.Optional(anyId("Only tests and resends of this campaign.")),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          ...NO_NUL,
          description: "Only campaigns with this text in their name, whatever its case.",
          examples: ["friday"],
        }),
      ),
      createdAfter: Type.Optional(moment("Only campaigns that were made after this.")),
      createdBefore: Type.Optional(moment("Only campaigns that were made before this.")),
      ...pageInput("`nextCursor` of the page before: the id of its last campaign.", ID),
    },
    answer: BroadcastPageJson,
    example: {
      input: { status: ["DRAFT"], name: "friday" },
      answer: { items: [{ ...broadcastExample, status: "DRAFT" }], nextCursor: null },
      after: "broadcast.create",
    },
    errors: [],
    roles: EVERYONE,
    scope: "broadcasts:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
} as const;
