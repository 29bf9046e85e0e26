import type { Context } from "../context.ts";
import { deleteOldRows } from "../db/delete-old-rows.ts";
import { sql } from "../db/sql.ts";

/** Longer than any gateway's bill is open, and than any receipt takes. */
const KEPT_MS = 365 * 86_400_000;
const BATCH = 1_000;

/** Removes the log of passcodes after a year: numbers and times, which nobody asks for any more. Gives how many went. */
export function pruneOtp(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteOldRows(context.db, sql`otp_record`, {
    before: new Date(context.clock.now().getTime() - KEPT_MS),
    where: sql`o.status <> 'calling'`,
    limit: BATCH,
  });
}
