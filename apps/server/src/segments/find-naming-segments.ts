import type { NamedAddresses } from "../contacts/identity/names-address.ts";
import type { Queryable } from "../db/database.ts";
import { definitionNames } from "./definition-addresses.ts";
import { selectSegmentDefinitions } from "./erasure-store.ts";

/** Segments of a workspace that are looked at; the newest. */
const MOST = 1_000;

/** Saved segments with rules that name one of the addresses, by id; looks at the newest 1,000. */
export async function findNamingSegments(
  db: Queryable,
  workspaceId: string,
  who: NamedAddresses,
): Promise<string[]> {
  const rows = await selectSegmentDefinitions(db, workspaceId, MOST);
  return rows.filter((row) => definitionNames(row.definition, who)).map((row) => row.id);
}
