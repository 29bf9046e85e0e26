import { sql, type Sql } from "../db/sql.ts";

/**
 * One channel. Goes after `lateral`: a look-up by the key, which the planner never turns into a join over all
 * channels.
 */
export const channelAt = (workspaceId: Sql | string, id: Sql | string): Sql =>
  sql`(select * from channel where workspace_id = ${workspaceId} and id = ${id} limit 1)`;

/** The ids of all channels of a workspace. Goes after `from`. */
export const channelIds = (workspaceId: string): Sql =>
  sql`(select id from channel where workspace_id = ${workspaceId})`;

/** Whether a channel is disconnected. */
export const isDisconnected = (workspaceId: Sql, id: Sql): Sql =>
  sql`exists (select 1 from channel where workspace_id = ${workspaceId} and id = ${id} and status = 'disconnected')`;

/** The ids of channels that their platform asked to wait, of all workspaces. */
export const throttledIds = (now: Date): Sql =>
  sql`select id from channel where throttled_until > ${now}::timestamptz`;

/** Until when the platform throttles a channel; null: it does not. */
export const throttledUntilOf = (workspaceId: Sql, channelId: Sql, now: Date): Sql =>
  sql`(select throttled_until from channel where workspace_id = ${workspaceId} and id = ${channelId}
    and throttled_until > ${now}::timestamptz)`;

/** How many channels of the installation are in trouble. */
export const troubledCount: Sql = sql`(select count(*) from channel where status = 'error')`;

/** The sandbox channels, of every workspace, as rows `workspaceId, id, type, name, apiUrl, verified`. */
export const sandboxChannels: Sql = sql`
  select workspace_id as "workspaceId", id, type, name, api_url as "apiUrl", true as verified
  from channel where sandbox and status <> 'disconnected'`;

/** Whether any workspace has connected the account of a platform with this id. */
export const accountExists = (type: string, id: string): Sql => sql`exists (select 1 from channel
  where type = ${type} and status <> 'disconnected'
    and external_id = ${id})`;
