import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { findPostgres } from "../src/db/postgres-binaries.ts";

/**
 * Of a server that nothing outlives. Less is written for each database that is made from the template, no helper
 * processes are woken, and a table has statistics when a test asks for them, not when the machine had the time.
 */
const UNSAFE = [
  "shared_buffers=128MB",
  "max_wal_size=256MB",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "io_method=sync",
  "autovacuum=off",
  "jit=off",
  "max_parallel_workers_per_gather=0",
];

/** PostgreSQL refuses to run as root: as root, run it as nobody. */
const ids = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** A new folder for a server. */
function makeFolder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "parley-test-"));
  if (ids) fs.chownSync(dir, ids.uid, ids.gid);
  return dir;
}

/** A new folder with an empty database cluster in `data`. */
function initialise(asInstalled: readonly string[] = []): string {
  const dir = makeFolder();
  execFileSync(
    path.join(binaries(), "initdb"),
    [
      "-D",
      `${dir}/data`,
      ..."-U postgres -A trust -E UTF8 -N".split(" "),
      ...localeOptions(process.env["PARLEY_TEST_LOCALE"] ?? "C.UTF-8"),
      ...asInstalled,
    ],
    { ...ids, cwd: dir, stdio: "pipe" },
  );
  return dir;
}

/** A clone may lie where that user may not look (/root): then from a copy, as the embedded one. */
const binaries = () => path.join(findPostgres(ids), "bin");

async function run(dir: string, settings: readonly string[]): Promise<ChildProcess> {
  const child = spawn(
    path.join(binaries(), "postgres"),
    ["-D", `${dir}/data`, "-k", dir, ...settings.flatMap((setting) => ["-c", setting])],
    { ...ids, cwd: dir, stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (data: Buffer) => {
      if (/ready to accept (read-only )?connections/.test(data.toString())) resolve();
    });
    child.once("exit", () => reject(new Error("postgres exited")));
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

const urlOf = (dir: string) => `postgres://postgres@/postgres?host=${encodeURIComponent(dir)}`;

/** A throw-away PostgreSQL: Unix socket only, gone at the end. Without fsync, unless `durable` (benchmarks). */
export async function startTestPostgres(
  options: { durable?: boolean } = {},
): Promise<{ url: string; directory: string; stop: () => Promise<void> }> {
  const dir = initialise(options.durable ? ["--wal-segsize=4"] : []);
  const settings = [
    "listen_addresses=",
    "max_connections=300",
    "deadlock_timeout=100ms",
    ...(options.durable
      ? ["shared_buffers=1GB", "min_wal_size=256MB", "max_wal_size=4GB"]
      : UNSAFE),
  ];
  const child = await run(dir, settings);
  return {
    url: urlOf(dir),
    directory: dir,
    async stop() {
      await end(child, "SIGINT");
      fs.rmSync(dir, { recursive: true });
    },
  };
}

/** A primary and its synchronous standby. */
export interface Pair extends AsyncDisposable {
  /** Both hosts, as `DATABASE_URL` names them. */
  readonly url: string;
  /** Ends the primary at once, with all its connections. */
  killPrimary(): Promise<void>;
  /** The standby takes writes once this resolves. */
  promote(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const [first, second] = [initialise(), makeFolder()];
  const common = [
    "listen_addresses=",
    ...UNSAFE.filter(
      (setting) => !/^(wal_level|max_wal_senders|synchronous_commit)=/.test(setting),
    ),
  ];
  // A standby cannot begin before the first start with `wal_level = replica`.
  await end(await run(first, common), "SIGINT");
  fs.cpSync(`${first}/data`, `${second}/data`, { recursive: true });
  fs.writeFileSync(`${second}/data/standby.signal`, "");
  const copied = fs.readdirSync(`${second}/data`, { recursive: true }).map(String);
  for (const name of ids ? ["", ...copied] : [])
    fs.chownSync(path.join(second, "data", name), ids?.uid ?? 0, ids?.gid ?? 0);
  fs.chmodSync(`${second}/data`, 0o700);
  const primary = await run(first, [...common, "synchronous_standby_names=*"]);
  const standby = await run(second, [...common, `primary_conninfo=host=${first} user=postgres`]);
  const hosts = [first, second].map(encodeURIComponent).join(",");
  return {
    url: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    async killPrimary() {
      if (primary.pid !== undefined) process.kill(-primary.pid, "SIGKILL");
      await once(primary, "exit");
    },
    async promote() {
      const client = new pg.Client({ connectionString: urlOf(second) });
      await client.connect();
      await client.query("select pg_promote()");
      await client.end();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([end(standby, "SIGINT"), end(primary, "SIGKILL")]);
      for (const dir of [first, second]) fs.rmSync(dir, { recursive: true });
    },
  };
}

/** How `initdb` is told a locale: `icu:tr-TR` is one of ICU, any other name one of the system. */
function localeOptions(name: string): string[] {
  const [, icu] = /^icu:(.+)$/.exec(name) ?? [];
  return icu === undefined
    ? [`--locale=${name}`]
    : ["--locale=C.UTF-8", "--locale-provider=icu", `--icu-locale=${icu}`];
}
