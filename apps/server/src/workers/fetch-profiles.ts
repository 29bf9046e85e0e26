import { fetchProfiles } from "../channels/fetch-profiles.ts";
import type { Context } from "../context.ts";
import type { Worker } from "./worker.ts";

/** Asks Messenger and Instagram for the names of customers who wrote for the first time. */
export function createFetchProfilesWorker(context: Context): Worker {
  return {
    name: "fetch-profiles",
    queue: "profiles",
    pollMs: 5_000,
    runOnce: () => fetchProfiles(context),
  };
}
