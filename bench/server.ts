import { buildApp } from "../apps/server/src/app.ts";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { buildHttp } from "../apps/server/src/http/server.ts";
import { startLoops, type Loops } from "../apps/server/src/workers/loop.ts";
import { benchConfig, SECRETS } from "./config.ts";
import type { Config } from "../apps/server/src/config.ts";
import { receiveNudges } from "../apps/server/src/lib/nudges.ts";
import { registerCheckless } from "./checkless.ts";

/** What the run asks of the product's process. */
export type Ask = "work" | "memory" | "end";
export interface Answer {
  readonly origin?: string;
  readonly checkless?: string;
  readonly rss?: number;
  readonly peak?: number;
  /** The 99th percentile of the event loop's delay since the last such question, in milliseconds. */
  readonly loopMs?: number;
}

/** The product as it is, in a process of its own: app, HTTP side, workers when asked to. */
const [, , databaseUrl = "", role, pages = ""] = process.argv;
const config = { ...benchConfig(databaseUrl), role: asRole(role) };
const app = await buildApp(config, SECRETS);
const http = await buildHttp(app, pages === "" ? null : pages);
await http.listen({ host: "127.0.0.1", port: 0 });
const checkless = await registerCheckless(app);
let loops: Loops | undefined;
const delay = monitorEventLoopDelay();
delay.enable();

function asRole(word: string | undefined): Config["role"] {
  return word === "api" || word === "worker" ? word : "all";
}

const port = (address: string | AddressInfo | null) =>
  address !== null && typeof address === "object" ? address.port : 0;

async function answer(ask: Ask): Promise<Answer> {
  if (ask === "work" && config.role !== "api") receiveNudges(app);
  if (ask === "work")
    loops ??= startLoops(
      app,
      config.role === "api" ? app.workers.filter((worker) => worker.everyProcess) : app.workers,
    );
  if (ask === "end") await loops?.stop();
  if (ask === "memory") {
    const loopMs = delay.percentile(99) / 1e6;
    delay.reset();
    const peak = process.resourceUsage().maxRSS * 1_024;
    return { rss: process.memoryUsage.rss(), peak, loopMs };
  }
  return {};
}

process.on("message", (ask: Ask) => {
  void answer(ask).then(async (told) => {
    process.send?.(told);
    if (ask !== "end") return;
    await http.close();
    await checkless.close();
    await app[Symbol.asyncDispose]();
    process.exit(0);
  });
});
process.on("disconnect", () => process.exit(1));
process.send?.({
  origin: `http://127.0.0.1:${port(http.server.address())}`,
  checkless: `http://127.0.0.1:${port(checkless.server.address())}`,
} satisfies Answer);
