import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { AuditLine } from "./audit-store.ts";

/** Lines of the audit about these subjects keep who did what and when, and lose the facts. */
export async function eraseAudit(
  tx: Tx,
  workspaceId: string,
  subjects: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update audit_entry set facts = '{}'
    where workspace_id = ${workspaceId} and subject = any(${subjects}::text[]) and facts <> '{}'`);
}

/** The audit of these subjects, newest first, with ids below `below`. */
export function auditOf(
  db: Queryable,
  workspaceId: string,
  subjects: readonly string[],
  below: string,
  limit: number,
): Promise<AuditLine[]> {
  return db.query<AuditLine>(sql`
    select a.* from unnest(${subjects}::text[]) as s (subject) cross join lateral (
      select id, actor, action, subject, facts, created_at as "createdAt" from audit_entry
      where workspace_id = ${workspaceId} and subject = s.subject and id < ${below}
      order by id desc limit ${limit}) a
    order by a.id desc limit ${limit}`);
}
