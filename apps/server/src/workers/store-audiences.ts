import { openDue } from "../broadcasts/audience/open-due.ts";
import { storeAudiences } from "../broadcasts/audience/store-audience.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/**
 * Campaigns before their first message: opens what is due, stores audiences, a chunk of each in turn. Apart from the
 * sending, whose rounds take seconds while campaigns are busy.
 */
export function createStoreAudiencesWorker(context: Context): Worker {
  return {
    name: "store-audiences",
    queue: "broadcasts",
    pollMs: 1_000,
    runOnce: async () => (await openDue(context)) + (await storeAudiences(context)),
  };
}
