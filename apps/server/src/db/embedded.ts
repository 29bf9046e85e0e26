import { spawn, type ChildProcess } from "node:child_process";
import { chownSync, closeSync, constants, existsSync, fstatSync, ftruncateSync } from "node:fs";
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../lib/logger.ts";
import { DataFolderLocked, lockDataFolder, type DataLock, type Holder } from "./data-lock.ts";
import { reniceAutovacuum } from "./lower-autovacuum.ts";
import { checkCluster, findPostgres, type RunAs } from "./postgres-binaries.ts";
import { endLeftovers } from "./postgres-processes.ts";
import { endWithUs } from "./end-with-us.ts";
import { answers, createDatabase, lastFault } from "./postgres-probe.ts";
import { PORT, SETTINGS } from "./postgres-settings.ts";
import { describeForLog } from "./describe-for-log.ts";

/** The embedded PostgreSQL of a data folder, running. */
export interface Embedded {
  readonly url: string;
  /**
   * Ends it with a checkpoint and frees the data folder. Other processes that use it are cut off (`share-database.ts`).
   */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly kind: Holder["kind"];
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

const READY_TIMEOUT_MS = 60_000;
/** After a crash it is started again after this long, growing to ten seconds while it keeps failing. */
const RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, made on first use, on a Unix socket that only this user reaches, and
 * keeps it running until `stop`. Ends leftovers of a killed process first. Throws DataFolderLocked; a server waits
 * for a command that holds the folder. Throws with one line when it cannot start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockPatiently(options);
  try {
    return await new Supervisor(options, lock).start();
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function lockPatiently({ dataDir, kind }: EmbeddedOptions): Promise<DataLock> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return lockDataFolder(dataDir);
    } catch (error) {
      const passing = error instanceof DataFolderLocked && error.holder?.kind === "command";
      if (kind !== "server" || !passing || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** The cluster's folder as the program gets it where it may not look by name. */
const BY_HANDLE = "/proc/self/fd/3";

class Supervisor {
  readonly #options: EmbeddedOptions;
  readonly #lock: DataLock;
  readonly #cluster: string;
  readonly #logFile: string;
  readonly #socketDir: string;
  // PostgreSQL refuses to run as root: as root, run it as nobody.
  readonly #runAs: RunAs | undefined =
    process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
  readonly #native: string;
  #child: ChildProcess | null = null;
  /** The length of the log when the last program began: what stands before is of another day. */
  #logged = 0;
  readonly #halt = new AbortController();
  #supervision: Promise<void> = Promise.resolve();
  readonly #autovacuum = reniceAutovacuum(() => this.#child?.pid);

  constructor(options: EmbeddedOptions, lock: DataLock) {
    this.#options = options;
    this.#lock = lock;
    this.#cluster = path.join(options.dataDir, "postgres");
    this.#logFile = path.join(options.dataDir, "postgres.log");
    this.#native = findPostgres(this.#runAs);
    // Not in the data folder: a socket's path ends at 107 bytes, and some shared folders carry no sockets.
    const temporary = os.tmpdir().length < 80 ? os.tmpdir() : "/tmp";
    this.#socketDir = mkdtempSync(path.join(temporary, "parley-"));
    if (this.#runAs) chownSync(this.#socketDir, this.#runAs.uid, this.#runAs.gid);
  }

  get #url(): string {
    return this.#urlOf("parley");
  }

  /** Says what the driver would else take from the environment: PGSSLMODE and others are meant for another server. */
  #urlOf(database: string): string {
    const settings = new URLSearchParams({
      host: this.#socketDir,
      port: String(PORT),
      sslmode: "disable",
      sslnegotiation: "postgres",
      replication: "false",
      // An empty one would be as none.
      options: " ",
    });
    return `postgres://postgres@/${database}?${settings.toString()}`;
  }

  async start(): Promise<Embedded> {
    const { kind } = this.#options;
    const holder = { kind, pid: process.pid, since: new Date().toISOString() };
    this.#lock.describe({ ...holder, databaseUrl: null });
    try {
      this.#dropOldSockets();
      if (existsSync(path.join(this.#cluster, "PG_VERSION"))) checkCluster(this.#cluster);
      else await this.#create();
      await endLeftovers(this.#cluster);
      await this.#launch();
      await createDatabase(this.#urlOf("postgres"), "parley");
    } catch (error) {
      this.#autovacuum[Symbol.dispose]();
      await this.#end("SIGQUIT");
      rmSync(this.#socketDir, { recursive: true, force: true });
      throw error;
    }
    this.#lock.describe({ ...holder, databaseUrl: this.#url });
    this.#supervision = this.#supervise();
    return { url: this.#url, stop: () => this.#stop() };
  }

  /** Made aside and moved into place: an initdb that was killed leaves nothing that looks like a database. */
  async #create(): Promise<void> {
    this.#dropDrafts();
    // A name of its own: the initdb of a predecessor that was killed a moment ago may still write.
    const draft = mkdtempSync(`${this.#cluster}.new-`);
    if (this.#runAs) chownSync(draft, this.#runAs.uid, this.#runAs.gid);
    const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
    const child = this.#spawn(
      "initdb",
      draft,
      // A new file of the log holds up every commit: of the usual 16 MB for 30 to 115 ms, of 4 MB for 11.
      ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--wal-segsize=4"],
      [`--locale=${locale}`],
    );
    await once(child, "exit");
    if (child.exitCode !== 0) throw this.#failure("could not make its database");
    renameSync(draft, this.#cluster);
  }

  #dropDrafts(): void {
    const { dataDir } = this.#options;
    const drafts = readdirSync(dataDir).filter((name) => name.startsWith("postgres.new"));
    for (const name of drafts)
      try {
        rmSync(path.join(dataDir, name), { recursive: true, force: true });
      } catch {
        // Somebody writes there still: the next time.
      }
  }

  #spawn(program: string, cluster: string, ...args: string[][]): ChildProcess {
    const log = openSync(this.#logFile, "a", 0o600);
    if (fstatSync(log).size > 10_000_000) ftruncateSync(log);
    this.#logged = fstatSync(log).size;
    // As root the folders may lie where nobody may look (/root). Their open handles go along, and /proc leads from a
    // handle straight to its folder without asking the folders above.
    const handles = this.#byHandle
      ? [cluster, this.#socketDir].map((dir) =>
          openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY),
        )
      : [];
    try {
      return spawn(
        path.join(this.#native, "bin", program),
        ["-D", handles.length > 0 ? BY_HANDLE : cluster, ...args.flat()],
        {
          ...this.#runAs,
          cwd: "/",
          stdio: ["ignore", log, log, ...handles],
          // In a group of its own: Ctrl-C at the terminal is for Parley, which ends PostgreSQL last.
          detached: true,
          env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
        },
      );
    } finally {
      for (const handle of [log, ...handles]) closeSync(handle);
    }
  }

  get #byHandle(): boolean {
    return this.#runAs !== undefined && process.platform === "linux";
  }

  async #launch(): Promise<void> {
    const child = this.#spawn("postgres", this.#cluster, [
      "-k",
      this.#byHandle ? "/proc/self/fd/4" : this.#socketDir,
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ]);
    this.#child = child;
    child.once("error", () => {});
    if (child.pid !== undefined) endWithUs(child, child.pid, this.#runAs);
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await answers(this.#urlOf("postgres")))) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
        throw this.#failure("did not start");
      if (Date.now() > deadline)
        throw this.#failure(`did not answer within ${READY_TIMEOUT_MS} ms`);
      await sleep(20);
    }
  }

  /** Starts it again whenever it ends by itself. Connections that broke are the pool's business. */
  async #supervise(): Promise<void> {
    const { log } = this.#options;
    for (let wait = RESTART_MS; ;) {
      const child = this.#child;
      if (child && child.exitCode === null && child.signalCode === null) await once(child, "exit");
      if (this.#halt.signal.aborted) return;
      log.error(
        { code: child?.exitCode, signal: child?.signalCode },
        "PostgreSQL ended; starting it again",
      );
      try {
        await endLeftovers(this.#cluster, 2_000);
        if (this.#halt.signal.aborted) return;
        await this.#launch();
        wait = RESTART_MS;
        log.info({}, "PostgreSQL is back");
      } catch (error) {
        log.error({ ...describeForLog(error), waitMs: wait }, "PostgreSQL does not come back yet");
        await sleep(wait, undefined, { signal: this.#halt.signal }).catch(() => {});
        wait = Math.min(wait * 2, MAX_RESTART_MS);
      }
    }
  }

  async #stop(): Promise<void> {
    if (this.#halt.signal.aborted) return;
    this.#halt.abort();
    this.#autovacuum[Symbol.dispose]();
    await this.#end("SIGINT", 8_000);
    await this.#end("SIGQUIT", 1_000);
    await this.#end("SIGKILL", 1_000);
    await this.#supervision;
    rmSync(this.#socketDir, { recursive: true, force: true });
    this.#lock[Symbol.dispose]();
  }

  /** SIGINT closes the clients, SIGQUIT does not even write a checkpoint. */
  async #end(signal: NodeJS.Signals, patienceMs = 2_000): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit", { signal: AbortSignal.timeout(patienceMs) }).catch(() => {});
  }

  /** A killed predecessor left its socket's folder; its postmaster.pid may know it by handle only. */
  #dropOldSockets(): void {
    const memory = path.join(this.#options.dataDir, "socket-folder");
    try {
      const old = readFileSync(memory, "utf8");
      if (/^\/[^\0]*\/parley-[A-Za-z0-9]{6}$/.test(old))
        rmSync(old, { recursive: true, force: true });
    } catch {
      // The first start, or a stop that was clean.
    }
    writeFileSync(memory, this.#socketDir, { mode: 0o600 });
  }

  #failure(what: string): Error {
    const told = lastFault(this.#logFile, this.#logged).replaceAll(BY_HANDLE, this.#cluster);
    return new Error(`embedded PostgreSQL ${what}: ${told} (see ${this.#logFile})`);
  }
}
