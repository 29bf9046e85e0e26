import type { Context } from "../context.ts";
import { claimPolls } from "../channels/poll-leases.ts";
import { pollChannel } from "../messages/receive/poll-channel.ts";
import type { Worker } from "./worker.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Bots that one process reads. Each keeps one connection open. */
const AT_ONCE = 500;
/** Shorter than proxies let an answer take. */
const WAIT_MS = 25_000;

/** Reads the updates of bots that Telegram cannot call. One call per bot is under way all the time. */
export function createPollTelegramWorker(
  context: Context,
  { waitMs = WAIT_MS }: { readonly waitMs?: number } = {},
): Worker {
  const halt = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    name: "poll-telegram",
    queue: "housekeeping",
    pollMs: 1_000,
    async runOnce() {
      if (halt.signal.aborted || running.size >= AT_ONCE) return 0;
      const leases = await claimPolls(context, AT_ONCE - running.size);
      for (const lease of leases) {
        const run = pollChannel(context, lease, { waitMs, signal: halt.signal })
          .catch((error: unknown) => {
            // The lease ends by itself, and then the same updates are read again.
            const { channelId } = lease;
            context.log.error({ channelId, ...describeForLog(error) }, "reading updates broke off");
          })
          .finally(() => running.delete(run));
        running.add(run);
      }
      return leases.length;
    },
    async stop() {
      halt.abort();
      await Promise.all(running);
    },
  };
}
