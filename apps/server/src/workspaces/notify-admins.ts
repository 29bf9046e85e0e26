import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { insertNotice, type NewNotice } from "./notice-store.ts";

/**
 * Notifies the admins of a workspace, once per occasion. It stores a row in the caller's transaction. The app shows it,
 * and a worker mails it when SMTP_URL is set. False when they were already notified of this occasion.
 */
export async function notifyAdmins(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  notice: NewNotice,
): Promise<boolean> {
  const row = { ...notice, id: context.ids.next(), at: context.clock.now() };
  return insertNotice(tx, workspaceId, row);
}
