import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { ApiKey } from "./api-key.ts";
import { selectKeys } from "./key-store.ts";

/** Every key of the workspace, newest first, with revoked ones. */
export async function listKeys(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ApiKey[]> {
  return isId(workspaceId) ? selectKeys(context.db, workspaceId) : [];
}
