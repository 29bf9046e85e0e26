/** The shapes of the server's answers that these pages use. */
export type {
  Campaign,
  CampaignBreakdown,
  CampaignComparison,
  CampaignEstimate,
  CampaignPreview,
  CampaignReport,
  CampaignLine,
  CampaignTemplate,
  CampaignTimeline,
  CampaignWay,
} from "../../../server/src/http/dashboard/contract/campaign-shapes.ts";
export { countSegments } from "../../../server/src/sms/segments.ts";
