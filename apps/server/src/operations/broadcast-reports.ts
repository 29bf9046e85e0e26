import { Type } from "typebox";
import {
  broadcastBreakdownExample,
  BroadcastBreakdownJson,
  broadcastComparisonExample,
  BroadcastComparisonJson,
  BroadcastReplyPageJson,
  broadcastReportExample,
  BroadcastReportJson,
  broadcastTimelineExample,
  BroadcastTimelineJson,
} from "../wire/broadcast-report.ts";
import { AT, ID, oneOf } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { RATES } from "./rates.ts";
import { EVERYONE } from "./roles.ts";

const id = anyId("The campaign.");
const reads = {
  roles: EVERYONE,
  scope: "broadcasts:read",
  bots: true,
  trace: null,
  rate: RATES.reports,
  doors: ["v1"],
} as const;

/** What became known of a campaign that was sent. */
export const broadcastReports = {
  readBroadcastReport: operation("broadcast.report", {
    says: "How far every recipient of a campaign is, all at one instant",
    more: "Counts every recipient: seconds at a million, and 503 `OVERLOADED` after 20 s. In `funnel`, `total` = `pending` + `sending` + `sent` + `failed` + `skipped`, also while it sends.",
    at: "GET /broadcasts/{id}/report",
    input: { id },
    answer: BroadcastReportJson,
    example: {
      input: { id: ID },
      answer: {
        ...broadcastReportExample,
        broadcast: { ...broadcastReportExample.broadcast, status: "DRAFT" },
      },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND"],
    ...reads,
    doors: ["v1", "mcp"],
    tool: { name: "broadcast_report", class: "read" },
  }),
  readBroadcastTimeline: operation("broadcast.timeline", {
    says: "What happened to a campaign, and its counts by time",
    at: "GET /broadcasts/{id}/timeline",
    input: {
      id,
      by: Type.Optional(
        oneOf(["minute", "hour", "day"], "The step of the counts; minute when absent.", "hour"),
      ),
    },
    answer: BroadcastTimelineJson,
    example: { input: { id: ID }, answer: broadcastTimelineExample },
    errors: ["BROADCAST_NOT_FOUND"],
    ...reads,
    doors: ["app", "v1"],
  }),
  compareBroadcastVariants: operation("broadcast.variants", {
    says: "The variants of an A/B campaign side by side",
    more: "Of a campaign without variants: 409 `NOT_ALLOWED_IN_STATE`.",
    at: "GET /broadcasts/{id}/variants",
    input: { id },
    answer: BroadcastComparisonJson,
    example: { input: { id: ID }, answer: broadcastComparisonExample },
    errors: ["BROADCAST_NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...reads,
    doors: ["app", "v1"],
  }),
  breakBroadcastDown: operation("broadcast.breakdown", {
    says: "How far recipients are, by a present fact of theirs",
    more: "Reads every recipient and contact of the campaign: seconds at a million, and 503 `OVERLOADED` after 20 s.",
    at: "GET /broadcasts/{id}/breakdown",
    input: {
      id,
      by: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 220,
          pattern: "^(tag|attribute\\.[^\\u0000]+)$",
          "x-fault": "must be tag or attribute.KEY",
          description: "`tag`, as when absent, or `attribute.KEY`.",
          examples: ["attribute.city"],
        }),
      ),
    },
    answer: BroadcastBreakdownJson,
    example: {
      input: { id: ID, by: "tag" },
      answer: broadcastBreakdownExample,
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND"],
    ...reads,
    doors: ["app", "v1"],
  }),
  listBroadcastReplies: operation("broadcast.replies", {
    says: "Who answered a campaign, newest first",
    at: "GET /broadcasts/{id}/replies",
    input: {
      id,
      ...pageInput(
        "`nextCursor` of the page before: time and contact of its last reply.",
        `${AT}_${ID}`,
      ),
    },
    answer: BroadcastReplyPageJson,
    example: {
      input: { id: ID },
      answer: { items: [], nextCursor: null },
      after: "broadcast.create",
    },
    errors: ["BROADCAST_NOT_FOUND"],
    ...reads,
    doors: ["app", "v1"],
  }),
} as const;
