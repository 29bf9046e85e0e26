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
   * Ends PostgreSQL with a checkpoint and frees the data folder. Other processes that use it are cut off
   * (`share-database.ts`).
   */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly kind: Holder["kind"];
  readonly log: Pick<Logger, "info" | "warn" | "error">;
}

const READY_TIMEOUT_MS = 60_000;
/**
 * The wait before a crashed PostgreSQL is started again. It doubles up to ten seconds while the start keeps failing.
 */
const RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

/**
 * Starts PostgreSQL on `<dataDir>/postgres` and keeps it running until `stop`. The first start makes the cluster. It
 * listens on a Unix socket that only this user can reach. Leftovers of a killed process are ended first. Throws
 * DataFolderLocked when the folder is in use, though a server waits while a command holds it. Throws an error of one
 * line when PostgreSQL cannot start.
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

/** The cluster's folder for a program that may not reach it by name. */
const BY_HANDLE = "/proc/self/fd/3";

class Supervisor {
  readonly #options: EmbeddedOptions;
  readonly #lock: DataLock;
  readonly #cluster: string;
  readonly #logFile: string;
  readonly #socketDir: string;
  // PostgreSQL refuses to run as root. Then it runs as nobody.
  readonly #runAs: RunAs | undefined =
    process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
  readonly #native: string;
  #child: ChildProcess | null = null;
  /** The length of the log when the last program began. What stands before it is old. */
  #logged = 0;
  readonly #halt = new AbortController();
  #supervision: Promise<void> = Promise.resolve();

  constructor(options: EmbeddedOptions, lock: DataLock) {
    this.#options = options;
    this.#lock = lock;
    this.#cluster = path.join(options.dataDir, "postgres");
    this.#logFile = path.join(options.dataDir, "postgres.log");
    this.#native = findPostgres(this.#runAs);
    // The socket is not in the data folder: its path may have 107 bytes at most, and some shared folders carry no
    // sockets.
    const temporary = os.tmpdir().length < 80 ? os.tmpdir() : "/tmp";
    this.#socketDir = mkdtempSync(path.join(temporary, "parley-"));
    if (this.#runAs) chownSync(this.#socketDir, this.#runAs.uid, this.#runAs.gid);
  }

  get #url(): string {
    return this.#urlOf("parley");
  }

  /**
   * Sets what the driver would otherwise take from the environment: PGSSLMODE and others are meant for another server.
   */
  #urlOf(database: string): string {
    const settings = new URLSearchParams({
      host: this.#socketDir,
      port: String(PORT),
      sslmode: "disable",
      sslnegotiation: "postgres",
      replication: "false",
      // An empty text would count as not set.
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
      await this.#end("SIGQUIT");
      rmSync(this.#socketDir, { recursive: true, force: true });
      throw error;
    }
    this.#lock.describe({ ...holder, databaseUrl: this.#url });
    this.#supervision = this.#supervise();
    return { url: this.#url, stop: () => this.#stop() };
  }

  /** Makes the cluster aside and moves it into place. So a killed initdb leaves nothing that looks like a database. */
  async #create(): Promise<void> {
    this.#dropDrafts();
    // The draft has a new name each time: the initdb of a process that was just killed may still write to its own.
    const draft = mkdtempSync(`${this.#cluster}.new-`);
    if (this.#runAs) chownSync(draft, this.#runAs.uid, this.#runAs.gid);
    const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
    const child = this.#spawn(
      "initdb",
      draft,
      // Every commit waits while a new log file is made: 30 to 115 ms with the usual 16 MB, 11 ms with 4 MB.
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
        // Somebody still writes there. The next start removes it.
      }
  }

  #spawn(program: string, cluster: string, ...args: string[][]): ChildProcess {
    const log = openSync(this.#logFile, "a", 0o600);
    if (fstatSync(log).size > 10_000_000) ftruncateSync(log);
    this.#logged = fstatSync(log).size;
    // As root, the folders may lie where the user nobody may not look (/root). So the program gets open handles: /proc
    // leads from a handle straight to its folder, without asking the folders above.
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
          // A group of its own: Ctrl-C at the terminal goes to Parley only, which ends PostgreSQL last.
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

  /** Starts PostgreSQL again whenever it ends by itself. The pool deals with the broken connections. */
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
        log.error(
          { ...describeForLog(error), waitMs: wait },
          "PostgreSQL could not be started again yet",
        );
        await sleep(wait, undefined, { signal: this.#halt.signal }).catch(() => {});
        wait = Math.min(wait * 2, MAX_RESTART_MS);
      }
    }
  }

  async #stop(): Promise<void> {
    if (this.#halt.signal.aborted) return;
    this.#halt.abort();
    await this.#end("SIGINT", 8_000);
    await this.#end("SIGQUIT", 1_000);
    await this.#end("SIGKILL", 1_000);
    await this.#supervision;
    rmSync(this.#socketDir, { recursive: true, force: true });
    this.#lock[Symbol.dispose]();
  }

  /** SIGINT closes the clients and writes a checkpoint, SIGQUIT does not even that. */
  async #end(signal: NodeJS.Signals, patienceMs = 2_000): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit", { signal: AbortSignal.timeout(patienceMs) }).catch(() => {});
  }

  /** Removes the socket folder that a killed process left. Its postmaster.pid may know the folder by handle only. */
  #dropOldSockets(): void {
    const memory = path.join(this.#options.dataDir, "socket-folder");
    try {
      const old = readFileSync(memory, "utf8");
      if (/^\/[^\0]*\/parley-[A-Za-z0-9]{6}$/.test(old))
        rmSync(old, { recursive: true, force: true });
    } catch {
      // This is the first start, or the last stop was clean.
    }
    writeFileSync(memory, this.#socketDir, { mode: 0o600 });
  }

  #failure(what: string): Error {
    const told = lastFault(this.#logFile, this.#logged).replaceAll(BY_HANDLE, this.#cluster);
    return new Error(`embedded PostgreSQL ${what}: ${told} (see ${this.#logFile})`);
  }
}
