import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import { claimChannelsToSync } from "../channels/platform-sync.ts";
import { refreshCredentials } from "../channels/refresh-credentials.ts";
import { templateSourceFor } from "../channels/registry.ts";
import { setUpChannel } from "../channels/set-up-channel.ts";
import { describeForLog } from "../db/describe-for-log.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import type { Worker } from "./worker.ts";

const AT_ONCE = 4;

/**
 * Synchronises channels with their platforms: after a connect, every hour, and when a push asks for it. It renews
 * credentials that expire, sets the webhook (Telegram), and reads templates (WhatsApp).
 */
export function createSyncChannelsWorker(context: Context): Worker {
  return {
    name: "sync-channels",
    queue: "housekeeping",
    // This is also how long templates take to appear after a connect at the command line, which sends no nudge to this
    // process.
    pollMs: 1_000,
    async runOnce() {
      const due = await claimChannelsToSync(context, AT_ONCE);
      const results = await Promise.allSettled(
        due.map(async ({ workspaceId, id, type }) => {
          await refreshCredentials(context, workspaceId, id);
          const { status, syncError } = await setUpChannel(context, workspaceId, id);
          // When the channel is in error, reading its templates would fail too, or hide the reason.
          if (templateSourceFor(type) === null || status !== "connected") return;
          await syncTemplates(SYSTEM, context, workspaceId, id, { trouble: syncError });
        }),
      );
      for (const [index, result] of results.entries()) {
        if (result.status === "rejected")
          context.log.error(
            { channelId: due[index]?.id, ...describeForLog(result.reason) },
            "channel sync broke off; it is tried again in ten minutes",
          );
      }
      return due.length;
    },
  };
}
