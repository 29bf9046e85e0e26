import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { Worker } from "./worker.ts";

/** Frees what a process that is gone had claimed and not begun. Gives how much. */
export type FreeClaims = (tx: Tx, processId: string, now: Date) => Promise<number>;

/**
 * Finds processes that are gone (`db/process-life.ts`) and frees their claims, so that others need not wait for the
 * leases. A call with a committed intent is not made again: it waits for the platform's report.
 */
export function createFreeClaimsWorker(context: Context, parts: readonly FreeClaims[]): Worker {
  const { db, life, wake, log } = context;
  return {
    name: "free-claims",
    queue: "housekeeping",
    pollMs: 500,
    async runOnce() {
      let buried = 0;
      for (const processId of await life.findGone()) {
        const freed = await db.transaction(async (tx) => {
          if (!(await life.bury(tx, processId))) return null;
          let count = 0;
          for (const part of parts) count += await part(tx, processId, context.clock.now());
          return count;
        });
        if (freed === null) continue;
        buried++;
        log.info({ processId, freed }, "a process is gone; its claims are free");
        for (const queue of [
          "deliveries",
          "messages",
          "media",
          "bots",
          "runs",
          "housekeeping",
        ] as const)
          wake.nudge(queue);
      }
      return buried;
    },
  };
}
