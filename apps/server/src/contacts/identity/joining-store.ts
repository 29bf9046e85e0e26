import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface ChannelKey {
  readonly workspaceId: string;
  readonly channelId: string;
}

/** The contacts that these ids on a channel lead to. */
export async function selectIdentityHolders(
  tx: Tx,
  key: ChannelKey,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ externalId: string; contactId: string }>(sql`
    select external_id as "externalId", contact_id as "contactId" from contact_identity
    where workspace_id = ${key.workspaceId} and channel_id = ${key.channelId}
      and external_id = any(${externalIds}::text[])`);
  return new Map(rows.map((row) => [row.externalId, row.contactId]));
}

/** All ids of a contact on a channel. */
export async function selectIdsOf(tx: Tx, key: ChannelKey, contactId: string): Promise<string[]> {
  const rows = await tx.query<{ externalId: string }>(sql`
    select external_id as "externalId" from contact_identity
    where workspace_id = ${key.workspaceId} and contact_id = ${contactId} and channel_id = ${key.channelId}`);
  return rows.map((row) => row.externalId);
}

/** An id on a channel leads to this contact from now on. */
export async function writeHolder(
  tx: Tx,
  key: ChannelKey,
  externalId: string,
  contactId: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)
    values (${key.workspaceId}, ${key.channelId}, ${externalId}, ${contactId}, ${at})
    on conflict (workspace_id, channel_id, external_id) do update set contact_id = excluded.contact_id`);
}
