import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { ApiKey } from "./api-key.ts";
import { selectKey, selectKeys } from "./key-store.ts";

/** Every key of the workspace, newest first, with revoked ones. */
export async function listKeys(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ApiKey[]> {
  return isId(workspaceId) ? selectKeys(context.db, workspaceId) : [];
}

/** One key of the workspace, also a revoked or expired one; null: there is none. */
export async function findKey(
  context: Pick<Context, "db">,
  workspaceId: string,
  keyId: string,
): Promise<ApiKey | null> {
  return isId(keyId) ? selectKey(context.db, workspaceId, keyId) : null;
}
