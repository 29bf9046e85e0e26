import type { Context } from "../../context.ts";
import { selectOfTemplate, type NamedCampaign } from "./template-use-store.ts";

/** Campaigns that are shown of a template; the newest. */
const MOST = 20;

/** The newest campaigns whose own template this is; variants of A/B campaigns are not looked into. */
export function campaignsOfTemplate(
  context: Pick<Context, "db">,
  workspaceId: string,
  templateId: string,
): Promise<NamedCampaign[]> {
  return selectOfTemplate(context.db, workspaceId, templateId, MOST);
}
