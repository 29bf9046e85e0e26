import { sql, type Sql } from "../../db/sql.ts";

/** Whose an id on a channel is (`contact_id`; of several ids the first that is found), to stand after `lateral`. */
export const holderOf = (
  workspaceId: Sql | string,
  channelId: Sql | string,
  externalIds: Sql | string,
): Sql => sql`(select contact_id from contact_identity
  where workspace_id = ${workspaceId} and channel_id = ${channelId} and external_id in (${externalIds}) limit 1)`;

/** The platform's own id of a contact on a channel, the newest that holds and is no phone number; null: none. */
export const platformId = (workspaceId: Sql, channelId: string | null, contactId: Sql): Sql =>
  sql`(select external_id from contact_identity
    where workspace_id = ${workspaceId} and contact_id = ${contactId} and channel_id = ${channelId}
      and not is_number and retired_at is null
    order by created_at desc limit 1)`;

/** The first id of a contact on a channel, of two of the same moment the number; to stand after `lateral`. */
export const firstIdentity = (workspaceId: Sql, channelId: Sql, contactId: Sql): Sql =>
  sql`(select external_id from contact_identity
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and contact_id = ${contactId}
    order by created_at, is_number desc limit 1)`;

/** The newest ids on a channel, to stand after `from`. */
export const newestIdentities = (workspaceId: string, channelId: string, limit: number): Sql =>
  sql`(select * from contact_identity where workspace_id = ${workspaceId} and channel_id = ${channelId}
    order by created_at desc limit ${limit})`;
