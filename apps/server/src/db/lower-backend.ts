import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { lowerPriority, processStat } from "../lib/priority.ts";

interface Backend {
  readonly pid: number;
  readonly database: string;
  readonly bySocket: boolean;
  readonly ageMs: number;
}

/** Linux accepts ten changes of a session's priority a second from processes that are not root. */
const TRIES = 4;
const BETWEEN_MS = 150;
/** The most that the two ages may differ: the machine may be busy between the two looks. */
const NEAR_MS = 2_000;
const TICK_MS = 10;

/**
 * Lowers the priority of the PostgreSQL process behind a connection, so that requests go first. It does so only where
 * the process is certainly the right one: reached by a Unix socket, known to Linux under the number that PostgreSQL
 * gives, with PostgreSQL's name and our database in its title, a child of PostgreSQL, and as old as PostgreSQL says.
 * False when it is not (another machine, another container), or when the system refuses (another user's PostgreSQL).
 * `tries` is how often to try: once is enough where it was refused before.
 */
export async function lowerBackend(
  client: pg.ClientBase,
  nice: number,
  tries = TRIES,
): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const { rows } = await client.query<Backend>(`
    select pid, datname as database, inet_server_addr() is null as "bySocket",
      extract(epoch from clock_timestamp() - backend_start)::float8 * 1000 as "ageMs"
    from pg_stat_activity where pid = pg_backend_pid()`);
  const [backend] = rows;
  if (!backend || !isBackend(backend)) return false;
  for (let left = tries; ; await sleep(BETWEEN_MS)) {
    if (lowerPriority(backend.pid, nice)) return true;
    if (--left === 0) return false;
  }
}

/**
 * Whether the process of this number on this machine is that backend. The number alone may belong to another process
 * here.
 */
export function isBackend({ pid, database, bySocket, ageMs }: Backend): boolean {
  if (!bySocket || !Number.isInteger(pid) || pid <= 1) return false;
  try {
    const [, parent = "", ...rest] = processStat(pid);
    const bornTicks = Number(rest[17]);
    const [upSeconds = ""] = readFileSync("/proc/uptime", "utf8").split(" ");
    return (
      nameOf(pid) === "postgres" &&
      nameOf(Number(parent)) === "postgres" &&
      // "postgres: user database [local] idle"
      titleOf(pid).includes(` ${database} [local]`) &&
      Math.abs(Number(upSeconds) * 1_000 - bornTicks * TICK_MS - ageMs) < NEAR_MS
    );
  } catch {
    return false;
  }
}

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, "utf8").trim();
const titleOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, "utf8");
