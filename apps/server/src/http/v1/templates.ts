import { listTemplates } from "../../templates/list-templates.ts";
import type { Call } from "./route.ts";

/** GET /v1/templates */
export async function getTemplates({ context, principal }: Call): Promise<string> {
  return JSON.stringify(await listTemplates(context, principal.workspaceId));
}
