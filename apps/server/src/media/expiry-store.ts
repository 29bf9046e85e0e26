import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { NIL_ID } from "../lib/ids.ts";

/** Ids between two ids. */
export interface IdRange {
  readonly above: string;
  readonly below: string;
}

interface Times {
  readonly now: Date;
  /** When a file that may still be being fetched is there. */
  readonly fetchedBy: Date;
}

const gone = ({ now, fetchedBy }: Times): Sql => sql`
    state = 'failed', reason = 'expired', detail = null, file_name = null, source_sealed = null, available_at = null,
      delete_at = case when state = 'pending' and attempts > 0 then ${fetchedBy}::timestamptz
        else ${now}::timestamptz end`;

/** Closes the files of messages and has them removed. Gives how many. */
export async function expireOfMessages(
  tx: Tx,
  workspaceId: string,
  messageIds: readonly string[],
  times: Times,
): Promise<number> {
  const rows = await tx.query(sql`
    update media set ${gone(times)}
    where workspace_id = ${workspaceId} and message_id = any(${messageIds}::uuid[]) and delete_at is null returning 1`);
  return rows.length;
}

/** Closes these files of messages and has them removed. Gives their ids. */
export async function expireByIds(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  times: Times,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update media set ${gone(times)}
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) and message_id is not null and delete_at is null
    returning id`);
  return rows.map(({ id }) => id);
}

/** Some files of messages between two ids, in the order of ids. */
export function selectOld(
  tx: Tx,
  workspaceId: string,
  { above, below }: IdRange,
  limit: number,
): Promise<{ readonly id: string; readonly messageId: string }[]> {
  return tx.query(sql`
    select id, message_id as "messageId" from media
    where workspace_id = ${workspaceId} and id > ${above} and id < ${below} and message_id is not null
      and delete_at is null order by id limit ${limit}`);
}

/** How many files of messages have an id in the range; counts no further than `most`. */
export async function countOfMessages(
  db: Queryable,
  workspaceId: string,
  { above, below }: { readonly above: string | null; readonly below: string },
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (select 1 from media
      where workspace_id = ${workspaceId} and id > ${above ?? NIL_ID}::uuid and id < ${below}
        and message_id is not null and delete_at is null limit ${most}) m`);
  return row?.count ?? 0;
}
