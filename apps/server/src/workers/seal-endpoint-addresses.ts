import type { Context } from "../context.ts";
import { sealAddresses } from "../webhooks/seal-addresses.ts";
import type { Worker } from "./worker.ts";

/**
 * Seals addresses of endpoints that an older version stored in plain text. Once all are sealed, it does nothing until
 * the next start.
 */
export function createSealEndpointAddressesWorker(context: Context): Worker {
  let left = true;
  return {
    name: "seal-endpoint-addresses",
    queue: "housekeeping",
    pollMs: 10 * 60_000,
    async runOnce() {
      if (!left) return 0;
      const sealed = await sealAddresses(context);
      left = sealed > 0;
      return sealed;
    },
  };
}
