/** The shapes of the server's answers that these pages use. */
export type {
  Campaign,
  CampaignReport,
  CampaignLine,
  CampaignTemplate,
  CampaignWay,
} from "../../../server/src/http/dashboard/contract/campaign-shapes.ts";
export type {
  BroadcastBreakdownJson,
  BroadcastComparisonJson,
  BroadcastEstimateJson,
  BroadcastPreviewJson,
  BroadcastTimelineJson,
} from "../../../server/src/wire/broadcast-report.ts";
export { countSegments } from "../../../server/src/sms/segments.ts";
