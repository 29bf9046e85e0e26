import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { holderOf } from "../contacts/identity/identity-sql.ts";

export interface Profile {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
}

export interface VisitorRow {
  readonly version: number;
  readonly userId: string | null;
  readonly profile: Profile;
}

export interface VisitorKey {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly visitorId: string;
}

const COLUMNS = sql`version, user_id as "userId", profile`;

/** Null: nothing is known except what the token says. */
export async function selectVisitor(db: Queryable, key: VisitorKey): Promise<VisitorRow | null> {
  const [row] = await db.query<VisitorRow>(sql`
    select ${COLUMNS} from chat_visitor
    where workspace_id = ${key.workspaceId} and channel_id = ${key.channelId} and id = ${key.visitorId}`);
  return row ?? null;
}

/**
 * Writes what a page said of a visitor. With `proven` the browser belongs to that user from now on; if it did not
 * before, its earlier tokens end. Null: it became another user's meanwhile.
 */
export async function saveVisitor(
  tx: Tx,
  key: VisitorKey,
  write: { readonly proven: string | null; readonly profile: Profile; readonly at: Date },
): Promise<VisitorRow | null> {
  const { proven, profile, at } = write;
  const [row] = await tx.query<VisitorRow>(sql`
    insert into chat_visitor as v (workspace_id, channel_id, id, version, user_id, profile, updated_at)
    values (${key.workspaceId}, ${key.channelId}, ${key.visitorId}, ${proven === null ? 0 : 1}, ${proven},
      ${JSON.stringify(profile)}::jsonb, ${at})
    on conflict (workspace_id, channel_id, id) do update set
      version = v.version + case when v.user_id is null and excluded.user_id is not null then 1 else 0 end,
      user_id = coalesce(v.user_id, excluded.user_id), profile = v.profile || excluded.profile, updated_at = ${at}
    where v.user_id is null or v.user_id = excluded.user_id
    returning ${COLUMNS}`);
  return row ?? null;
}

/** Ends the tokens up to this version. Later ones stay valid. */
export async function revokeTokens(
  db: Queryable,
  key: VisitorKey,
  version: number,
  at: Date,
): Promise<void> {
  await db.query(sql`
    insert into chat_visitor as v (workspace_id, channel_id, id, version, updated_at)
    values (${key.workspaceId}, ${key.channelId}, ${key.visitorId}, ${version + 1}, ${at})
    on conflict (workspace_id, channel_id, id) do update set version = v.version + 1, updated_at = ${at}
    where v.version = ${version}`);
}

/**
 * Deletes rows of browsers without a contact, and returns how many. The contact is looked up by a subquery with a
 * limit, because no planner turns that into a join. A join, before the first statistics, read every visitor of the
 * channel who ever wrote for each browser (after a restore: 240 pages for a browser among 10,000 visitors, 19 s a
 * batch).
 */
export async function sweepSilent(
  db: Queryable,
  sweep: { readonly saidBefore: Date; readonly endedBefore: Date; readonly limit: number },
): Promise<number> {
  const gone = await db.query(sql`
    delete from chat_visitor where (workspace_id, channel_id, id) in (
      select v.workspace_id, v.channel_id, v.id from chat_visitor v
      where (v.updated_at < ${sweep.endedBefore}
          or v.updated_at < ${sweep.saidBefore} and v.version = 0 and v.user_id is null)
        and ${holderOf(sql`v.workspace_id`, sql`v.channel_id`, sql`v.id, 'user:' || v.user_id`)} is null
      limit ${sweep.limit}
      for update skip locked)
    returning 1`);
  return gone.length;
}
