import type { Queryable } from "../../db/database.ts";
import { isId } from "../../lib/ids.ts";
import { selectMerged } from "./merge-store.ts";

/** The kept contact of each merged id. Null and malformed ids have none. */
export async function mergedInto(
  db: Queryable,
  workspaceId: string,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.flatMap((id) => (id !== null && isId(id) ? [id] : []));
  if (wanted.length === 0) return new Map();
  const rows = await selectMerged(db, workspaceId, wanted);
  return new Map(rows.map(({ id, now }) => [id, now]));
}
