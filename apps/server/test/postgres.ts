import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
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

/** A throw-away PostgreSQL: Unix socket only, gone at the end. Without fsync, unless `durable` (benchmarks). */
export async function startTestPostgres(
  options: { durable?: boolean } = {},
): Promise<{ url: string; directory: string; stop: () => Promise<void> }> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "parley-test-"));
  // PostgreSQL refuses to run as root: as root, run it as nobody.
  const ids = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
  if (ids) fs.chownSync(dir, ids.uid, ids.gid);
  // A clone may lie where that user may not look (/root): then from a copy, as the embedded one.
  const native = findPostgres(ids);
  const asInstalled = options.durable ? ["--wal-segsize=4"] : [];
  execFileSync(
    path.join(native, "bin/initdb"),
    [
      "-D",
      `${dir}/data`,
      ..."-U postgres -A trust -E UTF8 -N".split(" "),
      ...localeOptions(process.env["PARLEY_TEST_LOCALE"] ?? "C.UTF-8"),
      ...asInstalled,
    ],
    { ...ids, cwd: dir, stdio: "pipe" },
  );
  const settings = [
    "listen_addresses=",
    "max_connections=200",
    "deadlock_timeout=100ms",
    ...(options.durable
      ? ["shared_buffers=1GB", "min_wal_size=256MB", "max_wal_size=4GB"]
      : UNSAFE),
  ];
  const child = spawn(
    path.join(native, "bin/postgres"),
    ["-D", `${dir}/data`, "-k", dir, ...settings.flatMap((setting) => ["-c", setting])],
    { ...ids, cwd: dir, stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (data: Buffer) => {
      if (data.includes("ready to accept connections")) resolve();
    });
    child.once("exit", () => reject(new Error("postgres exited")));
  });
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(dir)}`,
    directory: dir,
    async stop() {
      child.kill("SIGINT");
      await once(child, "exit");
      fs.rmSync(dir, { recursive: true });
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
