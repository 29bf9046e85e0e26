import { usageSummary } from "../../usage/usage-summary.ts";
import type { Call } from "./route.ts";

/** GET /v1/usage */
export async function getUsage({ context, principal }: Call): Promise<string> {
  return JSON.stringify(await usageSummary(context, principal.workspaceId));
}
