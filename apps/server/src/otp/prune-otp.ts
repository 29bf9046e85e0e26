import type { Context } from "../context.ts";
import { deleteOldRecords } from "./otp-store.ts";
import { deleteOldVerifications } from "./verification-store.ts";

/** Longer than a gateway's bill can be questioned, and longer than any receipt takes. */
const KEPT_MS = 365 * 86_400_000;
/** A verification is valid for an hour at most, and shown for a day after that. */
const VERIFICATION_KEPT_MS = 25 * 3_600_000;
const BATCH = 1_000;

/**
 * Deletes records of passcodes that are older than a year, and verifications a day after they expired: numbers and times
 * that no one asks for any more. Gives how many.
 */
export async function pruneOtp(context: Pick<Context, "db" | "clock">): Promise<number> {
  const now = context.clock.now().getTime();
  const records = await deleteOldRecords(context.db, new Date(now - KEPT_MS), BATCH);
  const before = new Date(now - VERIFICATION_KEPT_MS);
  return records + (await deleteOldVerifications(context.db, before, BATCH));
}
