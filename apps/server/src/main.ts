import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app.ts";
import { ConfigError, folderFault, launcherPid, loadConfig, type Config } from "./config.ts";
import { startEmbedded, type Embedded } from "./db/embedded.ts";
import { checkMasterKey, followMasterKey } from "./db/check-master-key.ts";
import { migrate, newerMigrations } from "./db/migrate.ts";
import { poolerFault } from "./db/pooler.ts";
import { textIndexWarning } from "./db/text-index.ts";
import { describeFault, unusableDatabase } from "./db/unusable-database.ts";
import { graceSilentConnections } from "./http/connections/silent-connections.ts";
import { receiveNudges } from "./lib/nudges.ts";
import { listenFault } from "./lib/listen-fault.ts";
import { createLogger } from "./lib/logger.ts";
import { addressable } from "./lib/setting-text.ts";
import type { Loops } from "./workers/loop.ts";

/** How long a start waits for PostgreSQL. Docker Compose starts both at the same time. */
const DATABASE_TIMEOUT_MS = 30_000;
/** A stop must be over by then (contract: SIGTERM finishes running work within 10 s). */
const STOP_TIMEOUT_MS = 9_500;
/** How long requests may take to finish before their connections are closed. */
const REQUESTS_TIMEOUT_MS = 5_000;
/**
 * How long all work may take to end. A provider may take 20 s to answer. Calls still under way then are left as after a
 * crash (leases end, lost answers wait for evidence), so that PostgreSQL is stopped cleanly all the same.
 */
const WORK_TIMEOUT_MS = 6_500;

/** Functions that stop what was started, in the order of the start. They run in reverse. */
const stoppers: (() => Promise<void>)[] = [];
let stopDatabase: () => Promise<void> = async () => {};
let releasePort: () => Promise<void> = async () => {};

async function start(): Promise<void> {
  const begun = performance.now();
  const loaded = loadConfig();
  const unfit = folderFault(loaded.config.dataDir);
  if (unfit !== null) throw new ConfigError([unfit]);
  const log = createLogger(loaded.config.logLevel);
  for (const { name, nearest } of loaded.unknown)
    log.warn({ setting: name, nearest }, "a PARLEY_ variable that is no setting is ignored");
  onSignals((signal) => {
    log.info({ signal }, "stopping");
    void stop(log.error.bind(log)).then(() => process.exit(0));
  });

  let config: Config = { ...loaded.config };
  if (config.port === 0) {
    const port = await holdPort(config.host);
    config = { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
  }
  // Begun here, because PostgreSQL starts meanwhile.
  const building =
    config.role === "worker"
      ? null
      : import("./http/dashboard/built-dashboard.ts").then(({ buildDashboardPages }) =>
          buildDashboardPages({ dataDir: config.dataDir, log }),
        );
  // A failed build gives null. A defect is thrown where the result is awaited.
  building?.catch(() => {});
  let embedded: Embedded | undefined;
  if (config.databaseUrl === undefined) {
    const starting = startEmbedded({ dataDir: config.dataDir, kind: "server", log });
    // Set before PostgreSQL is there: a signal during its start must not leave it behind.
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

  const { anybodyCanSignIn, setUpLink, buildApp, ensureDemo, describeDemo, startLoops } =
    await loadServer();
  const app = await buildApp(config, loaded.secrets, { log });
  stoppers.push(async () => app[Symbol.asyncDispose]());
  await checkMasterKey(app.db, app.sealer);
  await app.life.begin();
  const following = new AbortController();
  const followed = followMasterKey({ ...app, keyring: app.sealer }, following.signal);
  stoppers.push(async () => {
    following.abort();
    await followed;
  });
  const newer = await newerMigrations(app.db);
  if (newer !== null)
    log.warn(newer, "the database was migrated by a newer Parley, beside which this one runs");
  const slow = await textIndexWarning(app.db);
  if (slow !== null) log.warn(slow);
  // Stopped after HTTP, because running requests may still nudge the loops.
  let loops: Loops | undefined;
  stoppers.push(async () => loops?.stop());
  await serve(app, await building);
  // Before the loops, because their sends to sandbox channels need the emulators.
  const demo = await ensureDemo(app, {
    publicUrl: config.publicUrl,
    address: `http://${addressable(config.host)}:${config.port}`,
  });
  const workers =
    config.role === "api" ? app.workers.filter((worker) => worker.everyProcess) : app.workers;
  if (config.role !== "api") receiveNudges(app);
  loops = startLoops(app, workers);
  // Asked before the start is over: a database that goes down afterwards ends no server.
  const needsOwner = !demo && config.role !== "worker" && !(await anybodyCanSignIn(app));
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
  else if (needsOwner)
    process.stdout.write(
      `\nNobody can sign in yet. Set up the first owner here:\n  ${setUpLink(app)}\n\n`,
    );
  else if (embedded && config.role !== "worker") process.stdout.write(signInAt(config.publicUrl));
}

/** For a person who looks on, and has lost the lines of the first start. */
const signInAt = (url: string): string =>
  `\nSign in at ${url}\nAnother API key: ./bin/parley key create --workspace ID (./bin/parley workspace list has the ids)\n\n`;

/** Loads the server's code. PostgreSQL starts meanwhile, which shortens a start by a third of a second. */
async function loadServer() {
  const [app, http, demo, loop, login, code] = await Promise.all([
    import("./app.ts"),
    import("./http/server.ts"),
    import("./sandbox/demo.ts"),
    import("./workers/loop.ts"),
    import("./logins/login.ts"),
    import("./logins/set-up-code.ts"),
  ]);
  return { ...app, ...http, ...demo, ...loop, ...login, ...code };
}

/** False until the demo is made and its lines are printed. /readyz waits for it. */
let started = false;

/** Starts the HTTP server. A worker process has one too, for its health and metrics. */
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
  await releasePort();
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    const fault = listenFault(error, host, port);
    if (fault !== null) throw new Error(fault, { cause: error });
    throw error;
  }
}

let stopped: Promise<void> | undefined;

/**
 * Stops once, in this order: no new connections, then requests, loops, group commits and database connections end, and
 * PostgreSQL last.
 */
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
        // With a second signal, a person does not want to wait. PostgreSQL repairs itself from its log at the next
        // start. One Ctrl-C at a terminal arrives as several signals at once: from the terminal, from npm and from the
        // launcher.
      } else if (performance.now() - since > 1_000) process.exit(1);
    });
  }
  const launcher = launcherPid();
  // The launcher passes signals on. When it is killed outright it cannot, and this process would keep the data folder
  // without anybody's knowledge.
  if (launcher !== null && process.ppid === launcher)
    setInterval(() => {
      if (process.ppid !== launcher && since === 0) process.kill(process.pid, "SIGTERM");
    }, 1_000).unref();
}

/**
 * Gives a free port, and holds it until `releasePort`: PostgreSQL starts meanwhile, and another program could be given
 * the same port.
 */
async function holdPort(host: string): Promise<number> {
  const holder = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    holder.once("error", reject).listen(0, host, resolve);
  });
  releasePort = async () => void (await new Promise((resolve) => holder.close(resolve)));
  return (holder.address() as AddressInfo).port;
}

const words = process.argv.slice(2);
if (words.length > 0) {
  const isAsked = words.includes("--help") || words.includes("-h");
  const line =
    "parley: the server takes no arguments. .env.example lists its settings; ./bin/parley --help lists the commands\n";
  (isAsked ? process.stdout : process.stderr).write(line);
  process.exit(isAsked ? 0 : 2);
}
try {
  await start();
} catch (error) {
  const asked = stopped !== undefined;
  const lines = error instanceof ConfigError ? error.faults : [describeFault(error)];
  // A stop during the start breaks it off anywhere. Then the error is no fault.
  for (const line of asked ? [] : lines)
    process.stderr.write(`parley: ${line.replaceAll(/\s*\n\s*/g, " ")}\n`);
  await stop((facts) => process.stderr.write(`parley: ${JSON.stringify(facts)}\n`));
  process.exit(asked ? 0 : 1);
}
