import type { Context } from "../context.ts";
import { deleteOldRecords } from "./otp-store.ts";

/** Longer than a gateway's bill can be questioned, and longer than any receipt takes. */
const KEPT_MS = 365 * 86_400_000;
const BATCH = 1_000;

/**
 * Deletes records of passcodes that are older than a year: numbers and times that nobody asks for any more. Gives how
 * many.
 */
export function pruneOtp(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteOldRecords(context.db, new Date(context.clock.now().getTime() - KEPT_MS), BATCH);
}
