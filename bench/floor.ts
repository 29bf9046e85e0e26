import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Floor {
  readonly perSecond: number;
}

/** True when PostgreSQL's own load generator is installed (Debian: postgresql-contrib). */
export async function hasPgbench(): Promise<boolean> {
  return run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );
}

/** Runs a pgbench script with prepared statements: what PostgreSQL alone can do with the same statements. */
export async function pgbench(
  target: { directory: string; database: string },
  script: string,
  options: { clients: number; seconds: number },
): Promise<Floor> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-floor-"));
  const file = path.join(folder, "floor.sql");
  writeFileSync(file, script);
  try {
    const { stdout } = await run("pgbench", [
      ...["-h", target.directory, "-U", "postgres", "-n", "-M", "prepared"],
      ...["-c", String(options.clients), "-j", "1", "-T", String(options.seconds), "-f", file, target.database],
    ]);
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench gave no figure: ${stdout}`);
    return { perSecond: Number(tps) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
