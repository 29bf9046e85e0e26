import { sql, type Sql } from "../../db/sql.ts";

/**
 * The contact that an id on a channel belongs to (`contact_id`; of several ids the first that is found). Goes
 * after `lateral`.
 */
export const holderOf = (
  workspaceId: Sql | string,
  channelId: Sql | string,
  externalIds: Sql | string,
): Sql => sql`(select contact_id from contact_identity
  where workspace_id = ${workspaceId} and channel_id = ${channelId} and external_id in (${externalIds}) limit 1)`;

/**
 * The platform's own newest id of a contact on a channel that is in force and is no phone number; null when there
 * is none.
 */
export const platformId = (workspaceId: Sql, channelId: string | null, contactId: Sql): Sql =>
  sql`(select external_id from contact_identity
    where workspace_id = ${workspaceId} and contact_id = ${contactId} and channel_id = ${channelId}
      and not is_number and retired_at is null
    order by created_at desc, external_id desc limit 1)`;

/**
 * The same ids of a channel's contacts (`contact_id`, each once, and `external_id`), to be joined where all contacts are
 * read: a look-up for each of a million took 2.6 of 4.8 s of processor time, this takes 0.4 (336,000 ids). They are read
 * before they are sorted: the planner would walk the ids of all channels in the order of contacts, a page for each (2 s).
 */
export const platformIds = (workspaceId: string, channelId: string | null): Sql =>
  sql`(select distinct on (contact_id) contact_id, external_id from (select * from contact_identity
      where workspace_id = ${workspaceId} and channel_id = ${channelId} and not is_number and retired_at is null
      offset 0) i
    order by contact_id, created_at desc, external_id desc)`;

/** The first id of a contact on a channel; of two from the same moment, the number. Goes after `lateral`. */
export const firstIdentity = (workspaceId: Sql, channelId: Sql, contactId: Sql): Sql =>
  sql`(select external_id from contact_identity
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and contact_id = ${contactId}
    order by created_at, is_number desc limit 1)`;

/** The newest ids on a channel. Goes after `from`. */
export const newestIdentities = (workspaceId: string, channelId: string, limit: number): Sql =>
  sql`(select * from contact_identity where workspace_id = ${workspaceId} and channel_id = ${channelId}
    order by created_at desc limit ${limit})`;
