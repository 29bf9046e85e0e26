import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { buildApp, type App } from "../../src/app.ts";
import { loadSecrets, parseConfig } from "../../src/config.ts";
import { readHolder } from "../../src/db/data-lock.ts";
import { startEmbedded, type Embedded } from "../../src/db/embedded.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { copyFirstStart } from "../process/first-start.ts";
import { BARE, postgresPid } from "../process/launch.ts";
import { freePort } from "../free-port.ts";

const MAIN = path.resolve(import.meta.dirname, "../../src/main.ts");

export type Victim = "server" | "postgres" | "both";

/**
 * The server as it is run: `main.ts` in a process of its own with its embedded PostgreSQL, at an address that stays
 * the same over restarts, so that platforms and clients find it again.
 */
export class RealServer implements AsyncDisposable {
  readonly base: string;
  readonly dataDir: string;
  /** Everything it ever printed. */
  readonly logFile: string;
  readonly #folder: string;
  readonly #environment: Record<string, string>;
  #child: ChildProcess | null = null;

  private constructor(port: number, environment: Record<string, string>) {
    this.#folder = mkdtempSync(path.join(os.tmpdir(), "parley-crash-"));
    this.base = `http://127.0.0.1:${port}`;
    this.dataDir = path.join(this.#folder, "data");
    this.logFile = path.join(this.#folder, "log");
    this.#environment = {
      PORT: String(port),
      PARLEY_DATA_DIR: this.dataDir,
      PARLEY_DEMO: "off",
      PARLEY_OUTBOUND_ALLOW: "127.0.0.0/8",
      ...environment,
    };
    mkdirSync(this.dataDir, { mode: 0o700 });
  }

  /** Started and ready. */
  static async start(environment: Record<string, string> = {}): Promise<RealServer> {
    const server = new RealServer(await freePort(), environment);
    await copyFirstStart(server.dataDir);
    server.launch();
    try {
      await server.ready();
    } catch (error) {
      // A server that stays would keep the test's process alive.
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  /** Starts the process and does not wait for it. */
  launch(): void {
    const log = openSync(this.logFile, "a", 0o600);
    this.#child = spawn(process.execPath, [MAIN], {
      env: {
        ...BARE,
        // It ends with us, also when we are killed.
        PARLEY_LAUNCHER_PID: String(process.pid),
        ...this.#environment,
      },
      stdio: ["ignore", log, log],
      cwd: "/",
    });
    closeSync(log);
  }

  /** On a crowded machine a start has taken more than a minute. One that ended is noticed at once. */
  async ready(withinMs = 180_000): Promise<void> {
    for (const deadline = Date.now() + withinMs; ; await sleep(25)) {
      const answer = await fetch(`${this.base}/readyz`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.status === 200) return;
      if (this.ended) throw new Error(`the server ended: ${this.logs().slice(-2_000)}`);
      if (Date.now() > deadline) throw new Error("the server is not ready in time");
    }
  }

  /** It ended by itself. */
  get ended(): boolean {
    return this.#child !== null && (this.#child.exitCode ?? this.#child.signalCode) !== null;
  }

  /** `kill -9`, in the order named; gives whether there was something to kill. */
  async kill(victim: Victim): Promise<boolean> {
    let killed = false;
    if (victim !== "server") killed = this.#killPostgres();
    if (victim !== "postgres" && this.#child) {
      const child = this.#child;
      const ended = once(child, "exit");
      if (child.exitCode === null && child.signalCode === null) {
        killed = child.kill("SIGKILL");
        await ended;
      }
      this.#child = null;
    }
    return killed;
  }

  #killPostgres(): boolean {
    try {
      process.kill(postgresPid(this.dataDir), "SIGKILL");
      return true;
    } catch {
      // Between its end and its next start there is none.
      return false;
    }
  }

  /** SIGTERM; gives the exit code and how long it took. */
  async stop(): Promise<{ code: number | null; ms: number }> {
    const child = this.#child;
    if (!child) throw new Error("no server runs");
    const begun = performance.now();
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    this.#child = null;
    return { code: child.exitCode, ms: Math.round(performance.now() - begun) };
  }

  logs(): string {
    return readFileSync(this.logFile, "utf8");
  }

  /** How long each start took that came to its end, milliseconds, in order of length. */
  starts(): number[] {
    const told = this.logs().matchAll(/"startedInMs":(\d+)/g);
    return [...told].map((match) => Number(match[1])).toSorted((a, b) => a - b);
  }

  get databaseUrl(): string {
    const url = readHolder(this.dataDir)?.databaseUrl;
    if (!url) throw new Error("the database is not there");
    return url;
  }

  /** The database as a command starts it, while no server runs. A killed server's own ends within a second. */
  async #databaseAlone(): Promise<Embedded> {
    const log = createLogger("silent");
    return startEmbedded({ dataDir: this.dataDir, kind: "command", log });
  }

  /** Kills the server, does this while its database runs alone, and starts the server again. */
  async whileDown(work: () => Promise<void>): Promise<void> {
    await this.kill("server");
    const database = await this.#databaseAlone();
    await work();
    await database.stop();
    this.launch();
    await this.ready();
  }

  /** One statement on a connection of its own: the database comes and goes. */
  async query<Row extends object>(text: string): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: 5_000,
    });
    // A connection that is cut between statements tells it here.
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** The operations in this process, on the server's database, as the command line has them: no workers, no HTTP. */
  async open(): Promise<App> {
    const environment = new Map(
      Object.entries(this.#environment).map(([name, text]) => [name, { text, base: "/" }]),
    );
    const config = { ...parseConfig(environment), databaseUrl: this.databaseUrl };
    const log = createLogger("silent");
    return buildApp(config, loadSecrets(config, environment), { log, operator: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill("both");
    await sleep(100);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
