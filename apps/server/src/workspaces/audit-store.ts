import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface AuditLine {
  readonly id: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Entries that fit every member that is given. */
export interface AuditFilter {
  /** As stored: "cli", "system", "member:<id>", "key:<id>". */
  readonly actor?: string;
  /** Whole ("member.removed"), or a noun alone ("member") for all that was done to such records. */
  readonly action?: string;
  /** The id of the record that was changed. */
  readonly subject?: string;
  readonly since?: Date;
}

/** Newest first, from before `before` on. The order is that of the key, so a page is a walk along it. */
export function selectAudit(
  db: Queryable,
  workspaceId: string,
  filter: AuditFilter,
  before: string | null,
  limit: number,
): Promise<AuditLine[]> {
  const [actor, action] = [filter.actor ?? null, filter.action ?? null];
  const [subject, since] = [filter.subject ?? null, filter.since ?? null];
  return db.query<AuditLine>(sql`
    select id, actor, action, subject, facts, created_at as "createdAt" from audit_entry
    where workspace_id = ${workspaceId}
      and (${before}::uuid is null or id < ${before}::uuid)
      and (${actor}::text is null or actor = ${actor}::text)
      and (${action}::text is null or action = ${action}::text or action like ${action}::text || '.%')
      and (${subject}::text is null or subject = ${subject}::text)
      and (${since}::timestamptz is null or created_at >= ${since}::timestamptz)
    order by id desc limit ${limit}`);
}
