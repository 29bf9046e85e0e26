import type { Context } from "../context.ts";
import { claimChannelsToSync } from "../channels/platform-sync.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import type { Worker } from "./worker.ts";

const AT_ONCE = 4;

/** Reads templates at the platform: just after a connect, every hour, and when a push asks for it. */
export function createSyncTemplatesWorker(context: Context): Worker {
  return {
    name: "sync-templates",
    queue: "housekeeping",
    // Also how long templates take to appear after a connect from the command line, which nudges nobody here.
    pollMs: 1_000,
    async runOnce() {
      const due = await claimChannelsToSync(context, AT_ONCE);
      const results = await Promise.allSettled(
        due.map(({ workspaceId, id }) => syncTemplates(context, workspaceId, id)),
      );
      for (const [index, result] of results.entries()) {
        if (result.status === "rejected")
          context.log.error(
            { channelId: due[index]?.id, error: String(result.reason) },
            "template sync broke off; it is tried again in ten minutes",
          );
      }
      return due.length;
    },
  };
}
