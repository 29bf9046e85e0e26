import { namesAddress, type NamedAddresses } from "../../contacts/identity/names-address.ts";
import type { Queryable } from "../../db/database.ts";
import { selectTexts } from "../audience/erasure-store.ts";

/** Campaigns of a workspace that are looked at; the newest. */
const MOST = 1_000;

/** Campaigns (of the newest 1,000) one of whose own texts names one of the addresses, by id. */
export async function findNamingCampaigns(
  db: Queryable,
  workspaceId: string,
  who: NamedAddresses,
): Promise<string[]> {
  const rows = await selectTexts(db, workspaceId, MOST);
  return rows.filter(({ text }) => namesAddress(text, who)).map(({ id }) => id);
}
