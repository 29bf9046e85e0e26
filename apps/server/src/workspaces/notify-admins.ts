import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { insertNotice, type NewNotice } from "./notice-store.ts";

/**
 * Tells the admins of a workspace something, once per occasion. It is a row in the caller's transaction, shown in
 * the app, and mailed by a worker when SMTP_URL is set. Returns false when they were told before.
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
