import type { Context } from "../context.ts";
import { fetchReceipts } from "../otp/fetch-receipts.ts";
import type { Worker } from "./worker.ts";

/** Asks for the receipts of passcodes where the gateway does not tell by itself. */
export function createFetchReceiptsWorker(context: Context): Worker {
  return {
    name: "fetch-receipts",
    queue: "housekeeping",
    pollMs: 15_000,
    runOnce: () => fetchReceipts(context, 20),
  };
}
