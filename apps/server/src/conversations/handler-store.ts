import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { HandlerKind, HandOverReason } from "../wire/words.ts";

/** A conversation. */
export interface ThreadId {
  readonly workspaceId: string;
  readonly conversationId: string;
}

/** Who answers a conversation. It has no row until a live bot has met it: no one answers then. */
export interface AnsweredThread extends ThreadId {
  readonly handler: HandlerKind;
  /** Rises with each change of the handler. */
  readonly version: number;
  readonly botId: string | null;
  readonly runId: string | null;
  /** What was said until then is not of this run. */
  readonly since: Date;
  readonly handedReason: HandOverReason | null;
}

const COLUMNS: Sql = sql`t.workspace_id as "workspaceId", t.conversation_id as "conversationId", t.handler,
  t.version::float8 as version, t.bot_id as "botId", t.run_id as "runId", t.since,
  t.handed_reason as "handedReason"`;

/** Those of the conversations that have a row. The conversations must be locked: that is the lock of the rows, too. */
export function selectAnswered(
  db: Queryable,
  keys: readonly ThreadId[],
): Promise<AnsweredThread[]> {
  return db.query<AnsweredThread>(sql`
    select ${COLUMNS} from unnest(${keys.map((key) => key.workspaceId)}::uuid[],
      ${keys.map((key) => key.conversationId)}::uuid[]) as k (workspace_id, conversation_id)
    cross join lateral (select * from bot_thread
      where workspace_id = k.workspace_id and conversation_id = k.conversation_id limit 1) t`);
}

/** Writes who answers. The version rises by one. The conversation must be locked. */
export async function writeAnswered(
  tx: Tx,
  rows: readonly Omit<AnsweredThread, "version">[],
  now: Date,
): Promise<Map<string, number>> {
  const written = await tx.query<{ id: string; version: number }>(sql`
    insert into bot_thread as t (workspace_id, conversation_id, handler, bot_id, run_id, since, handed_reason, changed_at)
    select *, ${now}::timestamptz from unnest(
      ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.conversationId)}::uuid[],
      ${rows.map((row) => row.handler)}::text[], ${rows.map((row) => row.botId)}::uuid[],
      ${rows.map((row) => row.runId)}::uuid[], ${rows.map((row) => row.since)}::timestamptz[],
      ${rows.map((row) => row.handedReason)}::text[])
    on conflict (workspace_id, conversation_id) do update set handler = excluded.handler, version = t.version + 1,
      bot_id = excluded.bot_id, run_id = excluded.run_id, since = excluded.since,
      handed_reason = excluded.handed_reason, changed_at = excluded.changed_at
    returning t.conversation_id as id, t.version::float8 as version`);
  return new Map(written.map(({ id, version }) => [id, version]));
}

/** A conversation that a live bot may answer, since the customer wrote. */
export interface DueThread extends ThreadId {
  readonly since: Date;
  /** Looks that failed. */
  readonly tries: number;
}

/** Conversations that are due, the longest waiting first. Takes no lock: each is taken by `claimDueThread` under its own. */
export function selectDueThreads(db: Queryable, now: Date, limit: number): Promise<DueThread[]> {
  return db.query<DueThread>(sql`
    select workspace_id as "workspaceId", conversation_id as "conversationId", since, tries from bot_due
    where due_at <= ${now}::timestamptz order by due_at limit ${limit}::int`);
}

/** Removes the row of a locked conversation, and gives since when it waited; null: another process took it. */
export async function claimDueThread(tx: Tx, key: ThreadId): Promise<Date | null> {
  const [row] = await tx.query<{ since: Date }>(sql`
    delete from bot_due where workspace_id = ${key.workspaceId} and conversation_id = ${key.conversationId}
    returning since`);
  return row?.since ?? null;
}

/** A conversation whose look failed, once more, waits until then. */
export async function postponeDue(db: Queryable, key: ThreadId, until: Date): Promise<void> {
  await db.query(sql`
    update bot_due set due_at = ${until}::timestamptz, tries = tries + 1
    where workspace_id = ${key.workspaceId} and conversation_id = ${key.conversationId}`);
}

/** A conversation that is joined into another one of its workspace. */
interface Joined {
  readonly workspaceId: string;
  readonly fromId: string;
  readonly intoId: string;
}

/** What waits for a bot in a conversation waits in the one that it is joined into. */
export async function moveDue(tx: Tx, { workspaceId, fromId, intoId }: Joined): Promise<void> {
  await tx.query(sql`
    insert into bot_due (workspace_id, conversation_id, since, due_at)
    select workspace_id, ${intoId}, since, due_at from bot_due
    where workspace_id = ${workspaceId} and conversation_id = ${fromId}
    on conflict (workspace_id, conversation_id) do nothing`);
}

/** Has a bot look at a conversation in which a customer has waited since a time. */
export async function insertDue(
  tx: Tx,
  { workspaceId, conversationId }: ThreadId,
  since: Date,
): Promise<void> {
  await tx.query(sql`
    insert into bot_due (workspace_id, conversation_id, since, due_at)
    values (${workspaceId}, ${conversationId}, ${since}, ${since})
    on conflict (workspace_id, conversation_id) do nothing`);
}

/** Whether a conversation is open and a member's. */
export async function isAssigned(
  db: Queryable,
  { workspaceId, conversationId }: ThreadId,
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select 1 from conversation where workspace_id = ${workspaceId} and id = ${conversationId}
      and status <> 'resolved' and assignee_id is not null) as found`);
  return row?.found ?? false;
}

/**
 * Gives who answers a conversation to the one that it is joined into. False: that one has a row of its own, or this one
 * has none.
 */
export async function moveAnswered(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
): Promise<boolean> {
  const moved = await tx.query(sql`
    update bot_thread t set conversation_id = ${intoId}, version = t.version + 1
    where t.workspace_id = ${workspaceId} and t.conversation_id = ${fromId} and not exists (
      select 1 from bot_thread o where o.workspace_id = ${workspaceId} and o.conversation_id = ${intoId})
    returning 1`);
  return moved.length > 0;
}
