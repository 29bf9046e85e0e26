import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { createLogger } from "../../src/lib/logger.ts";

const run = promisify(execFile);

/**
 * Gives a data folder the database that a first start makes: its cluster with an empty schema, and its key. A copy takes a tenth of a
 * second of processor time, the first start two. A start that is itself tested begins with an empty folder.
 */
export async function copyFirstStart(dataDir: string): Promise<void> {
  const made = process.env["PARLEY_TEST_FIRST_START"];
  if (made === undefined) throw new Error("run tests with `npm test [-- FILE...]`");
  if (!existsSync(made)) await makeFirstStart(made);
  // As it is, with its owner: PostgreSQL does not run as root.
  await run("cp", ["-a", path.join(made, "postgres"), path.join(made, "master.key"), dataDir]);
}

/** Made beside its place: several test processes may do so at a time, and the first one's is kept. */
async function makeFirstStart(made: string): Promise<void> {
  const draft = mkdtempSync(`${made}.`);
  const key = randomBytes(32).toString("base64");
  writeFileSync(path.join(draft, "master.key"), key, { mode: 0o600 });
  const log = createLogger("silent");
  const embedded = await startEmbedded({ dataDir: draft, kind: "command", log });
  try {
    await migrate(embedded.url);
  } finally {
    await embedded.stop();
  }
  try {
    renameSync(draft, made);
  } catch (error) {
    if (!existsSync(made)) throw error;
    rmSync(draft, { recursive: true });
  }
}
