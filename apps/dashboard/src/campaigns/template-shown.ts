import type { TemplateJson } from "../api/shapes.ts";
import type { CampaignTemplate } from "./contract.ts";

/** The template in the form that the composer's preview reads. */
export function shownAs({
  id,
  channelId,
  name,
  language,
  components,
  needs,
}: CampaignTemplate): TemplateJson {
  return {
    id,
    channelId,
    metaId: "",
    name,
    language,
    status: "APPROVED",
    components,
    bodyVariableCount: needs.body.length,
    headerFormat: needs.headerMedia?.toUpperCase() ?? null,
    lastSyncedAt: "",
  };
}
