import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cutAt } from "../../src/db/time-limit.ts";
import { eventually } from "../crash/shop.ts";
import { Network, NOBODY, noNamespaces, type Machine } from "./network.ts";

const PROGRAMS = ["etcd", "patroni", "haproxy", "setpriv", "unshare"];
const NODES = [1, 2, 3];
const BALANCER = 10;
/** PostgreSQL's programs from Debian: the embedded one brings neither `pg_basebackup` nor `pg_rewind`. */
const POSTGRES = "/usr/lib/postgresql";

/** Seconds. The leader's key ends after `ttl`: that long nobody takes over from a leader that is silent. */
export const PATRONI = { ttl: 20, loop_wait: 5, retry_timeout: 5 };
/** How HAProxy finds the leader. */
export const CHECKS = "inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions";

/** Whether a program is in the path. */
export function found(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, program)));
}

const newest = () =>
  existsSync(POSTGRES)
    ? readdirSync(POSTGRES)
        .filter((version) => existsSync(`${POSTGRES}/${version}/bin/pg_rewind`))
        .toSorted((a, b) => Number(b) - Number(a))[0]
    : undefined;

/**
 * The section of Patroni's settings for etcd. An old leader under Patroni 3.0.2 writes its name over that of the new one when it
 * is back in the network (`update_leader` in `dcs/etcd3.py`), and what the new one confirmed is lost: seen twice in four rounds. It
 * does not so with the older interface of etcd.
 */
function store(): "etcd" | "etcd3" {
  const told = execFileSync("patroni", ["--version"]).toString();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(told) ?? [];
  return Number(major) * 100 + Number(minor) < 301 ? "etcd" : "etcd3";
}

/** Why no cluster can be made here; false: it can. */
export function noCluster(): string | false {
  const missing = PROGRAMS.filter((program) => !found(program));
  if (newest() === undefined) missing.push(`a PostgreSQL below ${POSTGRES}`);
  return missing.length > 0 ? `not here: ${missing.join(", ")}` : noNamespaces();
}

/** A machine with PostgreSQL, its Patroni and a member of etcd. */
export class Node {
  readonly machine: Machine;
  readonly name: string;
  readonly #folder: string;
  readonly #etcd: readonly string[];

  constructor(machine: Machine, name: string, folder: string, nodes: ReadonlyMap<string, string>) {
    this.machine = machine;
    this.name = name;
    this.#folder = path.join(folder, name);
    mkdirSync(this.#folder);
    chownSync(this.#folder, NOBODY, NOBODY);
    const { address } = machine;
    const peers = [...nodes].map(([one, at]) => `${one}=http://${at}:2380`);
    this.#etcd = Object.entries({
      name,
      "data-dir": path.join(this.#folder, "etcd"),
      "listen-client-urls": `http://${address}:2379`,
      "advertise-client-urls": `http://${address}:2379`,
      "listen-peer-urls": `http://${address}:2380`,
      "initial-advertise-peer-urls": `http://${address}:2380`,
      "initial-cluster": peers.join(","),
      "initial-cluster-state": "new",
      // A crowded machine must not be taken for a dead one.
      "heartbeat-interval": "300",
      "election-timeout": "3000",
      "enable-v2": "true",
      // A member that was cut off must not force an election when it is back (the default since etcd 3.5).
      "pre-vote": "true",
      "log-level": "error",
    }).map(([option, value]) => `--${option}=${value}`);
    const around = `${address.replace(/\d+$/, "0")}/24`;
    // YAML reads JSON.
    const settings = {
      scope: "parley",
      name,
      restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
      [store()]: { hosts: [...nodes.values()].map((at) => `${at}:2379`) },
      bootstrap: {
        dcs: {
          ...PATRONI,
          synchronous_mode: true,
          postgresql: {
            use_pg_rewind: true,
            parameters: { max_connections: 200, wal_log_hints: "on", max_wal_size: "256MB" },
          },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }],
        pg_hba: [
          "local all all trust",
          `host all all ${around} trust`,
          `host replication all ${around} trust`,
        ],
      },
      postgresql: {
        listen: `${address}:5432`,
        connect_address: `${address}:5432`,
        data_dir: path.join(this.#folder, "data"),
        bin_dir: `${POSTGRES}/${newest()}/bin`,
        pgpass: path.join(this.#folder, "pgpass"),
        authentication: {
          superuser: { username: "postgres" },
          replication: { username: "replicator" },
          rewind: { username: "postgres" },
        },
        parameters: { unix_socket_directories: this.#folder, shared_buffers: "64MB" },
        basebackup: [{ checkpoint: "fast" }],
      },
    };
    writeFileSync(path.join(this.#folder, "patroni.json"), JSON.stringify(settings));
  }

  /** Starts what a machine starts with its power. */
  start(): void {
    this.machine.run(`${this.#folder}/etcd.log`, "etcd", this.#etcd);
    this.machine.run(`${this.#folder}/patroni.log`, "patroni", [`${this.#folder}/patroni.json`]);
  }

  get url(): string {
    return `postgres://postgres@${this.machine.address}:5432/postgres`;
  }

  /** Asks Patroni; null when it does not answer. */
  async ask(place: string, body?: object): Promise<string | null> {
    try {
      const answer = await fetch(`http://${this.machine.address}:8008/${place}`, {
        signal: AbortSignal.timeout(body ? 60_000 : 2_000),
        ...(body && { method: "POST", body: JSON.stringify(body) }),
      });
      return await answer.text();
    } catch {
      return null;
    }
  }
}

/** One statement on a connection of its own, within a time. */
export async function queryOnce<Row extends object>(
  connectionString: string,
  text: string,
  withinMs = 5_000,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  const stop = cutAt(performance.now() + withinMs, client);
  try {
    await client.connect();
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end().catch(() => {});
    stop();
  }
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Three nodes under Patroni with a synchronous standby, and HAProxy before them. Everything ends with its network. */
export class PatroniCluster {
  readonly nodes: readonly Node[];
  readonly balancer: Machine;

  constructor(network: Network, folder: string) {
    const addresses = new Map(NODES.map((number) => [`n${number}`, network.address(number)]));
    this.nodes = NODES.map(
      (number) => new Node(network.machine(number), `n${number}`, folder, addresses),
    );
    this.balancer = network.machine(BALANCER);
    const servers = [...addresses].map(
      ([name, at]) => `  server ${name} ${at}:5432 check port 8008`,
    );
    const settings = `${folder}/haproxy.cfg`;
    writeFileSync(
      settings,
      `defaults
  mode tcp
  retries 0
  timeout connect 1s
  timeout check 1s
  timeout client 24h
  timeout server 24h
listen parley
  bind ${this.balancer.address}:5432
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server ${CHECKS}
${servers.join("\n")}
`,
    );
    for (const node of this.nodes) node.start();
    this.balancer.run(`${folder}/haproxy.log`, "haproxy", ["-db", "-f", settings]);
  }

  /**
   * The node that takes writes, as PostgreSQL says; with `not`, another than that one. Of two that believe so the one with the
   * newest timeline: the other has not heard of it yet.
   */
  leader(not?: Node): Promise<Node> {
    return eventually("a leader", 180_000, async () => {
      const lines = await this.#timelines();
      const leading = lines.filter(({ node, timeline }) => timeline !== "" && node !== not);
      const [first] = leading.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1));
      return first?.node ?? null;
    });
  }

  /** Of each node the timeline that it writes, eight digits; nothing of one that does not write or does not answer. */
  #timelines(): Promise<{ readonly node: Node; readonly timeline: string }[]> {
    const text = `select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`;
    return Promise.all(
      this.nodes.map(async (node) => {
        const rows = await queryOnce<{ timeline: string }>(node.url, text, 1_000).catch(() => []);
        return { node, timeline: rows[0]?.timeline ?? "" };
      }),
    );
  }

  /** All three are there: one leads, one is its synchronous standby, the third streams too. Gives them. */
  whole(): Promise<{ leader: Node; standby: Node; third: Node }> {
    return eventually("the whole cluster", 300_000, async () => {
      for (const node of this.nodes) {
        const told = await node.ask("cluster");
        if (told === null) continue;
        const { members } = JSON.parse(told) as { members: Member[] };
        const of = (role: string) =>
          this.nodes.find((one) =>
            members.some(
              ({ name, role: has, state }) =>
                name === one.name && has === role && /^(running|streaming)$/.test(state),
            ),
          );
        const [leader, standby, third] = [of("leader"), of("sync_standby"), of("replica")];
        if (!leader || !standby || !third) return null;
        const streaming = await queryOnce<{ name: string; sync: string }>(
          leader.url,
          `select application_name as name, sync_state as sync from pg_stat_replication where state = 'streaming'`,
        ).catch(() => []);
        const holds =
          streaming.length === 2 &&
          streaming.some(({ name, sync }) => name === standby.name && sync === "sync");
        return holds ? { leader, standby, third } : null;
      }
      return null;
    });
  }

  /** Waits until no node takes writes for three seconds. */
  async headless(): Promise<void> {
    for (let since = Date.now(), begun = since; Date.now() - since < 3_000; await sleep(200)) {
      if (Date.now() - begun > 180_000) throw new Error("a node still takes writes");
      const lines = await this.#timelines();
      if (lines.some(({ timeline }) => timeline !== "")) since = Date.now();
    }
  }
}
