import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { Profile } from "./visitor-store.ts";

export interface OnChannelId {
  readonly channelId: string;
  readonly id: string;
}

const given = (list: readonly OnChannelId[]): Sql => sql`(select distinct * from unnest(
  ${list.map((one) => one.channelId)}::uuid[], ${list.map((one) => one.id)}::text[]) as u (channel_id, id)) k`;

/** Separates the browsers of proven users from them and ends their tokens. */
export function revokeUserTokens(
  tx: Tx,
  workspaceId: string,
  users: readonly OnChannelId[],
  at: Date,
): Promise<{ channelId: string; visitorId: string; userId: string }[]> {
  return tx.query(sql`
    update chat_visitor v set version = v.version + 1, user_id = null, profile = '{}', updated_at = ${at}
    from ${given(users)} where v.workspace_id = ${workspaceId} and v.channel_id = k.channel_id and v.user_id = k.id
    returning v.channel_id as "channelId", v.id as "visitorId", k.id as "userId"`);
}

/** A browser without a row has a token of version 0. */
export async function revokeBrowserTokens(
  tx: Tx,
  workspaceId: string,
  browsers: readonly OnChannelId[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into chat_visitor as v (workspace_id, channel_id, id, version, updated_at)
    select ${workspaceId}, k.channel_id, k.id, 1, ${at} from ${given(browsers)}
    on conflict (workspace_id, channel_id, id) do update
      set version = v.version + 1, user_id = null, profile = '{}', updated_at = ${at}`);
}

export interface ProfileRow {
  readonly channelId: string;
  readonly visitorId: string;
  readonly userId: string | null;
  readonly profile: Profile;
  readonly updatedAt: Date;
}

/** What pages said of these browsers and users of web chat. */
export function selectProfiles(
  db: Queryable,
  workspaceId: string,
  browsers: readonly OnChannelId[],
  users: readonly OnChannelId[],
): Promise<ProfileRow[]> {
  return db.query<ProfileRow>(sql`
    select v.channel_id as "channelId", v.id as "visitorId", v.user_id as "userId", v.profile,
      v.updated_at as "updatedAt"
    from (
      select v.channel_id, v.id from ${given(browsers)} cross join lateral (select channel_id, id from chat_visitor
        where workspace_id = ${workspaceId} and channel_id = k.channel_id and id = k.id limit 1) v
      union
      select v.channel_id, v.id from ${given(users)} join chat_visitor v
        on v.workspace_id = ${workspaceId} and v.channel_id = k.channel_id and v.user_id = k.id
    ) k cross join lateral (select * from chat_visitor
      where workspace_id = ${workspaceId} and channel_id = k.channel_id and id = k.id limit 1) v
    order by v.channel_id, v.id`);
}
