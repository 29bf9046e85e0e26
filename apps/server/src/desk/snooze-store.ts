import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface SnoozeKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** Conversations that have reached the end of their snooze, the longest overdue first, by the index of snoozes. */
export function selectDueSnoozes(db: Queryable, now: Date, limit: number): Promise<SnoozeKey[]> {
  return db.query(sql`select workspace_id as "workspaceId", conversation_id as id from desk_conversation
    where snoozed_until <= ${now}::timestamptz order by snoozed_until limit ${limit}::int`);
}

/** Whether the snooze is still over: somebody may have opened or snoozed the conversation again. */
export async function selectSnoozeDue(db: Queryable, key: SnoozeKey, now: Date): Promise<boolean> {
  const rows =
    await db.query(sql`select 1 from desk_conversation where workspace_id = ${key.workspaceId}
    and conversation_id = ${key.id} and status = 'snoozed' and snoozed_until <= ${now}::timestamptz`);
  return rows.length > 0;
}

/** When each of these conversations' snooze ends; those without an end are absent. */
export function selectSnoozes(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly until: Date }[]> {
  return db.query(sql`
    select conversation_id as id, snoozed_until as until from desk_conversation
    where workspace_id = ${workspaceId} and conversation_id = any(${ids}::uuid[]) and snoozed_until is not null`);
}
