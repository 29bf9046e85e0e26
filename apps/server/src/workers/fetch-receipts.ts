import type { Context } from "../context.ts";
import { createTurns } from "../lib/turns.ts";
import { fetchReceipts } from "../otp/fetch-receipts.ts";
import type { Worker } from "./worker.ts";

/**
 * The time between two calls. kwtSMS advises two calls a second. It shuts out accounts that make more than five, and
 * sends count too.
 */
const GAP_MS = 500;

/** Asks for the receipts of passcodes and of campaigns' messages at gateways that send none. */
export function createFetchReceiptsWorker(context: Context): Worker {
  const turn = createTurns(context.clock, GAP_MS);
  return {
    name: "fetch-receipts",
    queue: "housekeeping",
    pollMs: 15_000,
    runOnce: () => fetchReceipts(context, 20, turn),
  };
}
