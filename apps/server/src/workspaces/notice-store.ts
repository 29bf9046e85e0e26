import type { Queryable, Tx } from "../db/database.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";

export interface DueNotice {
  readonly workspace_id: string;
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  /** The number of attempts, with this one. */
  readonly mail_attempts: number;
  /** Addresses of the owners and admins. */
  readonly recipients: string[];
}

export interface NewNotice {
  /** The kind of event: "endpoint.disabled", "channel.error", "broadcast.paused". */
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  /** The occasion ("endpoint:<id>:<disabled at>"). Each has one notice. */
  readonly dedupe: string;
}

/** Stores a notice to the admins, whose mail is due at once. False when this occasion already has one. */
export async function insertNotice(
  tx: Tx,
  workspaceId: string,
  row: NewNotice & { readonly id: string; readonly at: Date },
): Promise<boolean> {
  const rows =
    await tx.query(sql`insert into notice (workspace_id, id, kind, subject, body, dedupe, created_at, mail_due_at)
    values (${workspaceId}, ${row.id}, ${row.kind}, ${row.subject}, ${row.body}, ${row.dedupe}, ${row.at}, ${row.at})
    on conflict (workspace_id, dedupe) do nothing returning id`);
  return rows.length > 0;
}

/** A notice to the admins, and whether its mail still waits. */
export interface Notice {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  readonly createdAt: Date;
  readonly mailWaits: boolean;
}

/** The notices of a workspace, newest first. */
export function selectNotices(
  db: Queryable,
  workspaceId: string,
  limit: number,
): Promise<Notice[]> {
  return db.query<Notice>(sql`
    select id, kind, subject, body, created_at as "createdAt", mail_due_at is not null as "mailWaits"
    from notice where workspace_id = ${workspaceId} order by id desc limit ${limit}`);
}

/** Takes due notices. Each is due again at `retryAt` unless it is finished, so a crash delays a mail but loses none. */
export function claimNotices(
  db: Queryable,
  now: Date,
  retryAt: Date,
  limit: number,
): Promise<DueNotice[]> {
  return db.query<DueNotice>(sql`
    with due as (
      select workspace_id, id from notice
      where mail_due_at <= ${now} order by mail_due_at limit ${limit} for update skip locked)
    update notice n set mail_due_at = ${retryAt}, mail_attempts = n.mail_attempts + 1
    from due where n.workspace_id = due.workspace_id and n.id = due.id
    returning n.workspace_id, n.id, n.kind, n.subject, n.body, n.mail_attempts,
      array(select m.email from member m
            where m.workspace_id = n.workspace_id and m.role in ('owner', 'admin') order by m.id) as recipients`);
}

/** Sets when a notice is due again. With null it is finished: mailed or given up. */
export async function finishNotice(
  db: Queryable,
  notice: Pick<DueNotice, "workspace_id" | "id">,
  dueAt: Date | null,
): Promise<void> {
  await db.query(sql`update notice set mail_due_at = ${dueAt}
    where workspace_id = ${notice.workspace_id} and id = ${notice.id}`);
}

/** Cancels the mails that wait. Their notices are still shown. */
export async function dropMails(db: Queryable): Promise<void> {
  await db.query(sql`update notice set mail_due_at = null where mail_due_at is not null`);
}

/** Deletes notices from before a time, except those whose mail still waits. Returns how many. */
export function deleteOldNotices(db: Queryable, before: Date, limit: number): Promise<number> {
  return deleteOldRows(db, sql`notice`, { before, where: sql`o.mail_due_at is null`, limit });
}
