import type { Queryable, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { NIL_ID } from "../lib/ids.ts";
import type { Deleted, Kept, Retention, RetentionStep } from "./retention.ts";

interface Row extends Omit<Retention, "deleted">, Deleted {}

const COLUMNS: Sql = sql`workspace_id as "workspaceId", message_months as "messageMonths", file_months as "fileMonths",
  event_days as "eventDays", begins_at as "beginsAt", changed_at as "changedAt", step, at_id as "atId",
  passed_at as "passedAt", passed_before as "passedBefore", messages, files, notes, events`;

const toRetention = ({ messages, files, notes, events, ...row }: Row): Retention => ({
  ...row,
  deleted: { messages, files, notes, events },
});

/** The retention of a workspace; null: none was ever set. */
export async function selectRetention(
  db: Queryable,
  workspaceId: string,
): Promise<Retention | null> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from retention where workspace_id = ${workspaceId}`,
  );
  return row ? toRetention(row) : null;
}

/** The same under a lock: no batch is deleted meanwhile, and of two changes the second sees the first. */
export async function lockRetention(tx: Tx, workspaceId: string, now: Date): Promise<Retention> {
  await tx.query(sql`
    insert into retention (workspace_id, begins_at, changed_at) values (${workspaceId}, ${now}, ${now})
    on conflict do nothing`);
  const [row] = await tx.query<Row>(
    sql`select ${COLUMNS} from retention where workspace_id = ${workspaceId} for update`,
  );
  if (!row) throw new Error("the retention was not stored");
  return toRetention(row);
}

/** Stores a change, and begins a pass from its start when it is due. `counts` false: what was deleted counts again. */
export async function updateRetention(
  tx: Tx,
  workspaceId: string,
  kept: Kept,
  at: {
    readonly now: Date;
    readonly beginsAt: Date;
    readonly dueAt: Date | null;
    readonly again: boolean;
  },
): Promise<Retention> {
  const count = (name: Sql) =>
    sql`${name} = case when ${at.again}::boolean then 0 else ${name} end`;
  const [row] = await tx.query<Row>(sql`
    update retention set message_months = ${kept.messageMonths}::smallint, file_months = ${kept.fileMonths}::smallint,
      event_days = ${kept.eventDays}::smallint, begins_at = ${at.beginsAt}, changed_at = ${at.now}, step = 'messages',
      at_id = ${NIL_ID}, due_at = ${at.dueAt}::timestamptz, passed_at = null, passed_before = null,
      ${count(sql`messages`)}, ${count(sql`files`)}, ${count(sql`notes`)}, ${count(sql`events`)}
    where workspace_id = ${workspaceId} returning ${COLUMNS}`);
  if (!row) throw new Error("the retention was not stored");
  return toRetention(row);
}

/** Whether a workspace has a batch to delete. Takes no lock. */
export async function hasDue(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(sql`select 1 from retention where due_at <= ${now} limit 1`);
  return rows.length > 0;
}

/**
 * Locks the retention whose batch has been due the longest, of those that no other process works on. The lock is the
 * lease: a process that dies has it no more, and its batch was not done.
 */
export async function lockDueRetention(tx: Tx, now: Date): Promise<Retention | null> {
  const [row] = await tx.query<Row>(sql`
    select ${COLUMNS} from retention where due_at <= ${now} order by due_at limit 1 for update skip locked`);
  return row ? toRetention(row) : null;
}

/** Notes a batch that was done, in its transaction. */
export async function moveRetention(
  tx: Tx,
  workspaceId: string,
  to: {
    readonly step: RetentionStep;
    readonly atId: string;
    readonly dueAt: Date;
    readonly deleted: Partial<Deleted>;
    /** The pass is over: when, and what it looked at. */
    readonly passed: { readonly at: Date; readonly before: Date | null } | null;
  },
): Promise<void> {
  const { messages = 0, files = 0, notes = 0, events = 0 } = to.deleted;
  await tx.query(sql`
    update retention set step = ${to.step}, at_id = ${to.atId}, due_at = ${to.dueAt},
      passed_at = coalesce(${to.passed?.at ?? null}::timestamptz, passed_at),
      passed_before = coalesce(${to.passed?.before ?? null}::timestamptz, passed_before),
      messages = messages + ${messages}::bigint, files = files + ${files}::bigint, notes = notes + ${notes}::bigint,
      events = events + ${events}::bigint
    where workspace_id = ${workspaceId}`);
}

/** Puts a batch off that failed. The other workspaces go first. */
export async function postponeRetention(
  db: Queryable,
  workspaceId: string,
  dueAt: Date,
): Promise<void> {
  await db.query(sql`
    update retention set due_at = ${dueAt} where workspace_id = ${workspaceId} and due_at is not null`);
}
