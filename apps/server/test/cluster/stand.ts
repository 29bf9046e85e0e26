import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp, type App } from "../../src/app.ts";
import { loadSecrets, parseConfig } from "../../src/config.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { ShopServer } from "../crash/shop.ts";
import { BARE } from "../process/launch.ts";
import { NameServer } from "./name-server.ts";
import { Network, NOBODY, type Machine } from "./network.ts";
import { found, PatroniCluster, queryOnce } from "./patroni.ts";
import { freePort } from "../free-port.ts";

const SOURCE = path.resolve(import.meta.dirname, "../../src");
const SET_CLOCK = path.join(import.meta.dirname, "set-clock.ts");
const NAME_SERVER = "127.53.0.1";
const REDIS = 11;
/** No private ending: Parley asks its name servers for it, and does not find it in a hosts file. */
const DOMAIN = "parley-cluster.net";
export const RECEIVER = `receiver.${DOMAIN}`;

/** A process of Parley at an address that stays the same when it is started again. */
export class Program {
  readonly base: string;
  readonly role: "api" | "worker";
  readonly #environment: Record<string, string>;
  readonly #stand: { readonly resolver: string; readonly log: string; readonly clock: string };
  #child: ChildProcess | null = null;

  constructor(
    role: "api" | "worker",
    port: number,
    environment: Record<string, string>,
    stand: { readonly resolver: string; readonly log: string; readonly clock: string },
  ) {
    this.role = role;
    this.base = `http://127.0.0.1:${port}`;
    this.#stand = stand;
    this.#environment = { ...environment, PORT: String(port), PARLEY_ROLE: role };
  }

  /** Starts it, and does not wait for it. */
  launch(): void {
    const out = openSync(this.#stand.log, "a");
    this.#child = inside(
      this.#stand.resolver,
      ["--import", SET_CLOCK, path.join(SOURCE, "main.ts")],
      {
        env: {
          ...this.#environment,
          CLUSTER_CLOCK: this.#stand.clock,
          PARLEY_LAUNCHER_PID: String(process.pid),
        },
        stdio: ["ignore", out, out],
      },
    );
    closeSync(out);
  }

  async ready(): Promise<void> {
    for (const deadline = Date.now() + 180_000; ; await sleep(50)) {
      const answer = await fetch(`${this.base}/readyz`).catch(() => null);
      await answer?.body?.cancel();
      if (answer?.status === 200) return;
      const late = Date.now() > deadline;
      if (late || this.#child?.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`${this.role} is not ready: ${this.logs().slice(-2_000)}`);
    }
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Sets its clock: that of the machine and so many milliseconds. */
  setClock(ahead: number): void {
    writeFileSync(this.#stand.clock, String(ahead));
    this.#child?.kill("SIGUSR2");
  }

  logs(): string {
    return readFileSync(this.#stand.log, "utf8");
  }
}

/** Runs Node with another `/etc/resolv.conf`, in a mount namespace of its own. */
function inside(
  resolver: string,
  words: readonly string[],
  options: { env: Record<string, string>; stdio: ("ignore" | "pipe" | number)[] },
): ChildProcess {
  const script = `mount --bind "$0" /etc/resolv.conf && exec "$@"`;
  return spawn("unshare", ["--mount", "sh", "-c", script, resolver, process.execPath, ...words], {
    cwd: "/",
    stdio: options.stdio,
    env: { ...BARE, ...options.env },
  });
}

/**
 * Two processes of the API and two workers on a cluster of Patroni. The first of each reaches it through HAProxy, the second by all its
 * hosts in `DATABASE_URL`. All names are those of a name server of the stand.
 */
export class Stand implements ShopServer {
  readonly cluster: PatroniCluster;
  readonly names: NameServer;
  readonly redis: Machine | null;
  readonly apis: readonly Program[];
  readonly workers: readonly Program[];
  readonly folder: string;
  readonly #network: Network;
  readonly #environment: Record<string, string>;
  readonly #resolver: string;
  #turn = 0;

  private constructor(
    folder: string,
    network: Network,
    cluster: PatroniCluster,
    names: NameServer,
    ports: readonly number[],
  ) {
    this.folder = folder;
    this.#network = network;
    this.cluster = cluster;
    this.names = names;
    this.redis = found("redis-server") ? network.machine(REDIS) : null;
    this.#resolver = path.join(folder, "resolv.conf");
    writeFileSync(this.#resolver, `nameserver ${NAME_SERVER}\n`);
    this.#environment = {
      PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
      PARLEY_DATA_DIR: path.join(folder, "parley"),
      PARLEY_DEMO: "off",
      PARLEY_OUTBOUND_ALLOW: "127.0.0.0/8",
      ...(this.redis && { REDIS_URL: `redis://${this.redis.address}:6379` }),
    };
    const hosts = cluster.nodes.map(({ name }) => `${name}.${DOMAIN}`);
    const roads = [`db.${DOMAIN}`, hosts.join(",")].map(
      (one) => `postgres://postgres@${one}/parley?target_session_attrs=read-write`,
    );
    const program = (role: "api" | "worker", number: number) =>
      new Program(
        role,
        ports[role === "api" ? number : number + 2] ?? 0,
        { ...this.#environment, DATABASE_URL: roads[number] ?? "" },
        {
          resolver: this.#resolver,
          log: path.join(folder, `${role}-${number}.log`),
          clock: path.join(folder, `${role}-${number}.clock`),
        },
      );
    this.apis = [program("api", 0), program("api", 1)];
    this.workers = [program("worker", 0), program("worker", 1)];
  }

  static async start(): Promise<Stand> {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-cluster-"));
    chownSync(folder, NOBODY, NOBODY);
    const network = new Network();
    let names: NameServer | undefined;
    try {
      const cluster = new PatroniCluster(network, folder);
      names = await NameServer.start(
        NAME_SERVER,
        new Map([
          [RECEIVER, "127.0.0.1"],
          [`db.${DOMAIN}`, cluster.balancer.address],
          ...cluster.nodes.map(
            ({ name, machine }) => [`${name}.${DOMAIN}`, machine.address] as const,
          ),
        ]),
      );
      const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
      const stand = new Stand(folder, network, cluster, names, ports);
      stand.startRedis();
      const { leader } = await cluster.whole();
      await queryOnce(leader.url, "create database probe");
      await queryOnce(leader.url, "create database parley");
      await queryOnce(
        leader.url.replace(/postgres$/, "probe"),
        "create table probe (at timestamptz default now())",
      );
      await stand.#launch();
      return stand;
    } catch (error) {
      await names?.[Symbol.asyncDispose]();
      network[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      throw error;
    }
  }

  startRedis(): void {
    if (!this.redis) return;
    const words = `--bind ${this.redis.address} --protected-mode no --appendonly no`.split(" ");
    this.redis.run(path.join(this.folder, "redis.log"), "redis-server", [...words, "--save", ""]);
  }

  get programs(): readonly Program[] {
    return [...this.apis, ...this.workers];
  }

  async #launch(): Promise<void> {
    for (const program of this.programs) program.launch();
    await Promise.all(this.programs.map((program) => program.ready()));
  }

  get base(): string {
    return this.apis[this.#turn++ % this.apis.length]?.base ?? "";
  }

  /** All hosts, as a process without the stand's name server reaches them. */
  get #url(): string {
    const hosts = this.cluster.nodes.map(({ machine }) => machine.address).join(",");
    return `postgres://postgres@${hosts}/parley?target_session_attrs=read-write`;
  }

  async query<Row extends object>(text: string): Promise<Row[]> {
    const leader = await this.cluster.leader();
    return queryOnce<Row>(leader.url.replace(/postgres$/, "parley"), text, 60_000);
  }

  async open(): Promise<App> {
    const environment = new Map(
      Object.entries({ ...this.#environment, DATABASE_URL: this.#url }).map(([name, text]) => [
        name,
        { text, base: "/" },
      ]),
    );
    const config = parseConfig(environment);
    const log = createLogger("silent");
    return buildApp(config, loadSecrets(config, environment), { log, operator: true });
  }

  /** Runs a command with the stand's name server. Gives what it printed as JSON. */
  async command(...words: readonly string[]): Promise<Record<string, unknown>> {
    const child = inside(this.#resolver, [path.join(SOURCE, "cli/main.ts"), ...words, "--json"], {
      env: { ...this.#environment, DATABASE_URL: this.#url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [printed, faults] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (data: string) => (printed += data));
    child.stderr?.setEncoding("utf8").on("data", (data: string) => (faults += data));
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`parley ${words.join(" ")}: ${faults}`);
    return JSON.parse(printed) as Record<string, unknown>;
  }

  async whileDown(work: () => Promise<void>): Promise<void> {
    await Promise.all(this.programs.map((program) => program.kill()));
    await work();
    await this.#launch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.programs.map((program) => program.kill()));
    await this.names[Symbol.asyncDispose]();
    this.#network[Symbol.dispose]();
    // PARLEY_CLUSTER_KEEP=1 leaves the logs of all machines and processes there.
    if (process.env["PARLEY_CLUSTER_KEEP"] === "1") return;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
