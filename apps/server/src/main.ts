import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app.ts";
import { ConfigError, launcherPid, loadConfig, type Config } from "./config.ts";
import { startEmbedded, type Embedded } from "./db/embedded.ts";
import { checkMasterKey } from "./db/check-master-key.ts";
import { migrate } from "./db/migrate.ts";
import { poolerFault } from "./db/pooler.ts";
import { textIndexWarning } from "./db/text-index.ts";
import { describeFault, unusableDatabase } from "./db/unusable-database.ts";
import { graceSilentConnections } from "./http/connections/silent-connections.ts";
import { receiveNudges } from "./lib/nudges.ts";
import { listenFault } from "./lib/listen-fault.ts";
import { createLogger } from "./lib/logger.ts";
import { addressable } from "./lib/setting-text.ts";
import type { Loops } from "./workers/loop.ts";

/** Who starts PostgreSQL together with us (docker compose) expects to be waited for. */
const DATABASE_TIMEOUT_MS = 30_000;
/** Stopping must be over by then (contract: SIGTERM finishes what is in hand within 10 s). */
const STOP_TIMEOUT_MS = 9_500;
/** What requests get to finish before their connections are closed. */
const REQUESTS_TIMEOUT_MS = 5_000;
/**
 * What all work gets. A provider may take 20 s to answer: what is then still in the air is left as a crash would leave
 * it (leases end, lost answers wait for evidence), so that PostgreSQL is stopped cleanly all the same.
 */
const WORK_TIMEOUT_MS = 6_500;

/** What was started, in order; stopped in reverse. */
const stoppers: (() => Promise<void>)[] = [];
let stopDatabase: () => Promise<void> = async () => {};

async function start(): Promise<void> {
  const begun = performance.now();
  const loaded = loadConfig();
  const log = createLogger(loaded.config.logLevel);
  for (const { name, nearest } of loaded.unknown)
    log.warn({ setting: name, nearest }, "a PARLEY_ variable that is no setting is ignored");
  onSignals((signal) => {
    log.info({ signal }, "stopping");
    void stop(log.error.bind(log)).then(() => process.exit(0));
  });

  let config: Config = { ...loaded.config };
  if (config.port === 0) {
    const port = await freePort(config.host);
    config = { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
  }
  // PostgreSQL starts meanwhile.
  const building =
    config.role === "worker"
      ? null
      : import("./http/dashboard/built-dashboard.ts").then(({ buildDashboardPages }) =>
          buildDashboardPages({ dataDir: config.dataDir, log }),
        );
  // It ends in null, but for a defect, which is thrown where it is waited for.
  building?.catch(() => {});
  let embedded: Embedded | undefined;
  if (config.databaseUrl === undefined) {
    const starting = startEmbedded({ dataDir: config.dataDir, kind: "server", log });
    // Before it is there: a signal while it starts must not leave it behind.
    stopDatabase = async () => (await starting.catch(() => null))?.stop();
    [embedded] = await Promise.all([starting, loadServer()]);
  }
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? "";
  config = { ...config, databaseUrl };
  const applied = await migrate(databaseUrl, {
    unreachableMs: DATABASE_TIMEOUT_MS,
    waits: (fault) =>
      log.warn({ fault: describeFault(fault) }, "PostgreSQL cannot serve yet; waiting for it"),
  }).catch((error: unknown) => {
    throw unusableDatabase(loaded.config.databaseUrl, error);
  });
  if (applied.length > 0) log.info({ applied }, "migrated");
  if (loaded.config.databaseUrl !== undefined) {
    const fault = await poolerFault(databaseUrl);
    if (fault !== null) throw unusableDatabase(loaded.config.databaseUrl, new Error(fault));
  }

  const { buildApp, ensureDemo, describeDemo, startLoops } = await loadServer();
  const app = await buildApp(config, loaded.secrets, { log });
  stoppers.push(async () => app[Symbol.asyncDispose]());
  await checkMasterKey(app.db, app.sealer);
  await app.life.begin();
  const slow = await textIndexWarning(app.db);
  if (slow !== null) log.warn(slow);
  // Stopped after HTTP, because requests in hand may still nudge them.
  let loops: Loops | undefined;
  stoppers.push(async () => loops?.stop());
  await serve(app, await building);
  // Before the loops: what they send to sandbox channels needs the emulator there.
  const demo = await ensureDemo(app, {
    publicUrl: config.publicUrl,
    address: `http://${addressable(config.host)}:${config.port}`,
  });
  const workers =
    config.role === "api" ? app.workers.filter((worker) => worker.everyProcess) : app.workers;
  if (config.role !== "api") receiveNudges(app);
  loops = startLoops(app, workers);
  started = true;
  log.info(
    {
      role: config.role,
      url: config.publicUrl,
      startedInMs: Math.round(performance.now() - begun),
    },
    "ready",
  );
  if (demo) process.stdout.write(`${describeDemo(demo)}\n`);
}

/** Loads the server's code. PostgreSQL starts meanwhile, which shortens a start by a third of a second. */
async function loadServer() {
  const [app, http, demo, loop] = await Promise.all([
    import("./app.ts"),
    import("./http/server.ts"),
    import("./sandbox/demo.ts"),
    import("./workers/loop.ts"),
  ]);
  return { ...app, ...http, ...demo, ...loop };
}

/** Who waits for /readyz finds the demo made and its lines printed. */
let started = false;

/** Listens. A worker process does too, for its health and metrics. */
async function serve(app: App, dashboard: string | null): Promise<void> {
  const { host, port } = app.config;
  const { buildHttp } = await loadServer();
  const fastify = await buildHttp(
    {
      ...app,
      readiness: async () =>
        started ? app.readiness() : { ready: false, faults: ["the start is not finished"] },
    },
    dashboard,
  );
  graceSilentConnections(fastify.server);
  stoppers.push(async () => {
    const late = setTimeout(() => fastify.server.closeAllConnections(), REQUESTS_TIMEOUT_MS);
    await fastify.close();
    clearTimeout(late);
  });
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    const fault = listenFault(error, host, port);
    if (fault !== null) throw new Error(fault, { cause: error });
    throw error;
  }
}

let stopped: Promise<void> | undefined;

/** Stops accepting, finishes requests, loops, group commits, then database connections and PostgreSQL: once. */
function stop(report: (facts: object, message: string) => void): Promise<void> {
  setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
  const ended = (undo: () => Promise<void>) =>
    undo().catch((error: unknown) => report({ error: describeFault(error) }, "stop failed"));
  stopped ??= (async () => {
    const late = sleep(WORK_TIMEOUT_MS, "late", { ref: false });
    for (const undo of stoppers.splice(0).toReversed())
      if ((await Promise.race([ended(undo), late])) === "late") break;
    await ended(stopDatabase);
  })();
  return stopped;
}

function onSignals(first: (signal: string) => void): void {
  let since = 0;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (since === 0) {
        since = performance.now();
        first(signal);
        // A second signal is a person who does not want to wait; PostgreSQL's own log makes the next start whole.
        // One Ctrl-C at a terminal comes as several at once: from the terminal, from npm and from the launcher.
      } else if (performance.now() - since > 1_000) process.exit(1);
    });
  }
  const launcher = launcherPid();
  // The launcher passes signals on; killed outright it cannot, and this process would hold the data folder unseen.
  if (launcher !== null && process.ppid === launcher)
    setInterval(() => {
      if (process.ppid !== launcher && since === 0) process.kill(process.pid, "SIGTERM");
    }, 1_000).unref();
}

async function freePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject).listen(0, host, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

try {
  await start();
} catch (error) {
  const asked = stopped !== undefined;
  const lines = error instanceof ConfigError ? error.faults : [describeFault(error)];
  // Stopped while it starts, it breaks off where it is: no fault of anything.
  for (const line of asked ? [] : lines)
    process.stderr.write(`parley: ${line.replaceAll(/\s*\n\s*/g, " ")}\n`);
  await stop((facts) => process.stderr.write(`parley: ${JSON.stringify(facts)}\n`));
  process.exit(asked ? 0 : 1);
}
