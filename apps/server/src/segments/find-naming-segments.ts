import type { NamedAddresses } from "../contacts/identity/names-address.ts";
import type { Queryable } from "../db/database.ts";
import { definitionNames } from "./definition-addresses.ts";
import { selectSegmentDefinitions } from "./erasure-store.ts";

/** How many of a workspace's newest segments are read. */
const MOST = 1_000;

/** The ids of saved segments (among the newest 1,000) whose rules name one of the addresses. */
export async function findNamingSegments(
  db: Queryable,
  workspaceId: string,
  who: NamedAddresses,
): Promise<string[]> {
  const rows = await selectSegmentDefinitions(db, workspaceId, MOST);
  return rows.filter((row) => definitionNames(row.definition, who)).map((row) => row.id);
}
