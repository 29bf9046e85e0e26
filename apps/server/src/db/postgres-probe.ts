import { readFileSync, statfsSync } from "node:fs";
import path from "node:path";
import pg from "pg";

/** Whether a connection can be made, which shows that PostgreSQL has started. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes the database `name` when it is not there. `url` leads to another database of the same server. */
export async function createDatabase(url: string, name: "parley"): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rowCount === 0) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}

/** With less free room than this, in bytes, PostgreSQL cannot start. */
const NO_ROOM = 1_000_000;

/** The lines that our own probes (`answers`) cause while it starts and ends. They are never the cause. */
const TURNED_AWAY = /FATAL: +the database system is /;

/**
 * Whether a log line says that the disk is full, which causes all faults after it. Where PostgreSQL wrote half a page,
 * only its hint in the next line says so.
 */
const isFull = (line: string, next = ""): boolean =>
  /No space left on device|Disk quota exceeded/.test(line) ||
  /HINT: +Check free disk space/.test(next);

/**
 * The line of PostgreSQL's log that says why it ended. `from` is the length of the log in bytes when it began. On a
 * full disk it may have written none. Then the result is its last line before that, with the remark that the disk is
 * full.
 */
export function lastFault(logFile: string, from = 0): string {
  try {
    const told = faultSince(logFile, from);
    if (told !== "") return told;
    const { bavail, bsize } = statfsSync(path.dirname(logFile));
    const room = bavail * bsize < NO_ROOM ? "; the disk is full" : "";
    return `it wrote nothing to its log${room}; the last line before: ${faultSince(logFile, 0) || "none"}`;
  } catch {
    return "no log was written";
  }
}

function faultSince(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString().trimEnd().split("\n");
  const told = lines.filter((line) => !TURNED_AWAY.test(line)).slice(-30);
  const full = told.find((line, at) => isFull(line, told[at + 1]));
  if (full !== undefined) return `${full.trim()} (the disk is full)`;
  return (told.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? told.at(-1) ?? "").trim();
}
