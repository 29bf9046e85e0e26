import type { Queryable } from "../db/database.ts";
import { smsProviderFor } from "./registry.ts";
import { countSegments } from "./segments.ts";
import { selectByWorkspace } from "./sms-provider-store.ts";

/** How many parts, at a credit each, these texts have together as the workspace's gateway is sent them. */
export async function partsOfTexts(
  db: Queryable,
  workspaceId: string,
  texts: readonly string[],
): Promise<number> {
  const gateway = await selectByWorkspace(db, workspaceId);
  const clean = gateway && smsProviderFor(gateway.provider).clean;
  return texts.reduce((sum, text) => sum + countSegments(clean?.(text) ?? text).segments, 0);
}
