import { openDue } from "../broadcasts/audience/open-due.ts";
import { storeAudiences } from "../broadcasts/audience/store-audience.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/**
 * Works on campaigns before their first message: opens those that are due, and stores their audiences in turn, some
 * chunks of each. Sending is another worker, because its rounds take seconds while campaigns are busy.
 */
export function createStoreAudiencesWorker(context: Context): Worker {
  return {
    name: "store-audiences",
    queue: "broadcasts",
    pollMs: 1_000,
    runOnce: async () => (await openDue(context)) + (await storeAudiences(context)),
  };
}
