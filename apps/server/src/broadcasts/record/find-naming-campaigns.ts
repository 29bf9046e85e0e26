import { namesAddress, type NamedAddresses } from "../../contacts/identity/names-address.ts";
import type { Queryable } from "../../db/database.ts";
import { selectTexts } from "../audience/erasure-store.ts";

/** How many of a workspace's newest campaigns are read. */
const MOST = 1_000;

/** The ids of campaigns (among the newest 1,000) whose own texts contain one of the addresses. */
export async function findNamingCampaigns(
  db: Queryable,
  workspaceId: string,
  who: NamedAddresses,
): Promise<string[]> {
  const rows = await selectTexts(db, workspaceId, MOST);
  return rows.filter(({ text }) => namesAddress(text, who)).map(({ id }) => id);
}
