import type { Context } from "../../context.ts";
import { selectOfTemplate, type NamedCampaign } from "./template-use-store.ts";

export { campaignsSending } from "./template-use-store.ts";

/** How many of the newest campaigns of a template are shown. */
const MOST = 20;

/** The newest campaigns with this template as their own; variants of A/B campaigns are not searched. */
export function campaignsOfTemplate(
  context: Pick<Context, "db">,
  workspaceId: string,
  templateId: string,
): Promise<NamedCampaign[]> {
  return selectOfTemplate(context.db, workspaceId, templateId, MOST);
}
