import { appendFileSync } from "node:fs";
import type { Config } from "../../src/config.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { openContext } from "../../src/open-context.ts";
import { freeBots } from "../../src/bots/turn/free-bots.ts";
import { freeReplies } from "../../src/messages/send/sweep-messages.ts";
import { createFreeClaimsWorker } from "../../src/workers/free-claims.ts";
import { createDispatchWorker } from "../../src/workers/dispatch-messages.ts";
import { startLoops } from "../../src/workers/loop.ts";
import { createRunTurnsWorker, createSweepTurnsWorker } from "../../src/workers/run-turns.ts";
import { createHandOverStuckWorker, createStartBotsWorker } from "../../src/workers/start-bots.ts";
import { createMessageSweeper } from "../../src/workers/sweep-messages.ts";
import { createWorkFlowsWorker } from "../../src/workers/work-flows.ts";
import { mortal, type Step } from "./mortal.ts";
import { QuickClock } from "./quick-clock.ts";

// A process with the loops of bots, and nothing else of a server, that kills itself (kill -9) after so many steps:
// statements, calls, and before and after each commit.

/** What a worker is started with. */
export interface WorkerOrders {
  readonly config: Config;
  /** Base64. */
  readonly masterKey: string;
  readonly since: number;
  readonly speed: number;
  /** Null: it lives until it is ended. */
  readonly steps: number | null;
  /** Only commits of runs and turns are counted as steps. */
  readonly atCommits: boolean;
  /** Where the step at which it died is written, a JSON line. */
  readonly deaths: string;
}

// It ends with the test, also when that is killed.
process.on("disconnect", () => process.exit(0));

process.once("message", (orders: WorkerOrders) => {
  void (async () => {
    const clock = new QuickClock(orders.since, orders.speed);
    const app = await openContext(
      orders.config,
      { masterKey: Buffer.from(orders.masterKey, "base64") },
      { clock, log: createLogger("error") },
    );
    const counts = ({ kind, tables }: Step): boolean =>
      !orders.atCommits ||
      (kind.endsWith("commit") && (tables.includes("bot_run") || tables.includes("ai_turn")));
    const { worker, died, last } = mortal(app, orders.steps ?? Infinity, true, counts);
    void died.then(() => {
      appendFileSync(orders.deaths, `${JSON.stringify(last())}\n`);
      process.kill(process.pid, "SIGKILL");
    });
    // The others find out when it is dead.
    await app.life.begin();
    startLoops(worker, [
      createFreeClaimsWorker(worker, [freeReplies, freeBots]),
      createStartBotsWorker(worker),
      createRunTurnsWorker(worker),
      createWorkFlowsWorker(worker),
      createSweepTurnsWorker(worker),
      createHandOverStuckWorker(worker),
      createDispatchWorker(worker),
      createMessageSweeper(worker),
    ]);
    process.send?.("works");
  })();
});
