import type { Context } from "../context.ts";
import { deleteOldRecords } from "./otp-store.ts";

/** Longer than any gateway's bill is open, and than any receipt takes. */
const KEPT_MS = 365 * 86_400_000;
const BATCH = 1_000;

/** Removes the log of passcodes after a year: numbers and times, which nobody asks for any more. Gives how many went. */
export function pruneOtp(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteOldRecords(context.db, new Date(context.clock.now().getTime() - KEPT_MS), BATCH);
}
