import type { Tx } from "../db/database.ts";
import { selectCredits, chargeCreditBalance } from "./workspace-store.ts";

/**
 * Takes SMS segments from the balance, all or nothing (contract §5, OTP). Calls at the same time never take more than
 * there is. A workspace with a null balance is not limited.
 */
export async function reserveCredits(
  tx: Tx,
  workspaceId: string,
  segments: number,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly balance: number }> {
  if ((await chargeCreditBalance(tx, workspaceId, segments)) !== undefined) return { ok: true };
  return { ok: false, balance: await selectCredits(tx, workspaceId) };
}

/** Gives back the segments of a send that the gateway rejected. */
export async function refundCredits(tx: Tx, workspaceId: string, segments: number): Promise<void> {
  if (segments > 0) await chargeCreditBalance(tx, workspaceId, -segments);
}
