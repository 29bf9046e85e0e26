import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface NewNotice {
  /** What kind of thing happened: "endpoint.disabled", "channel.error", "broadcast.paused". */
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
  /** The occasion: the same one is told once ("endpoint:<id>:<disabled at>"). */
  readonly dedupe: string;
}

/**
 * Tells the admins of a workspace, once per occasion: a row in the caller's transaction, shown in the app and mailed
 * by a worker when SMTP_URL is set. Gives false when they were told before.
 */
export async function notifyAdmins(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  notice: NewNotice,
): Promise<boolean> {
  const now = context.clock.now();
  const rows =
    await tx.query(sql`insert into notice (workspace_id, id, kind, subject, body, dedupe, created_at, mail_due_at)
    values (${workspaceId}, ${context.ids.next()}, ${notice.kind}, ${notice.subject}, ${notice.body},
            ${notice.dedupe}, ${now}, ${now})
    on conflict (workspace_id, dedupe) do nothing returning id`);
  return rows.length > 0;
}
