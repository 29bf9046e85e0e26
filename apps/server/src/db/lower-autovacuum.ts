import { readFileSync } from "node:fs";
import { BACKGROUND_NICE, lowerPriority } from "../lib/priority.ts";

const LOOK_EVERY_MS = 1_000;
const TITLE = "postgres: ";

/**
 * Lowers the priority of PostgreSQL's autovacuum, which works through whole tables after an import, so that requests go
 * first. Each such process is lowered within a second after it began. `main` gives the number of PostgreSQL's main
 * process, which is our child. Where Linux does not list a process's children, their priority stays.
 */
export function reniceAutovacuum(main: () => number | undefined): Disposable {
  let known: ReadonlySet<number> = new Set();
  const timer = setInterval(() => (known = lowerAutovacuum(main(), known)), LOOK_EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Looks once at the children of PostgreSQL's main process. Returns those that need no other look. */
export function lowerAutovacuum(
  main: number | undefined,
  known: ReadonlySet<number>,
): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const child of main === undefined ? [] : childrenOf(main)) {
    const title = known.has(child) ? "" : titleOf(child);
    const clears = title.startsWith(`${TITLE}autovacuum worker`);
    // A process that has just begun has no title yet. One that the system refused to lower is tried again.
    const settled = clears ? lowerPriority(child, BACKGROUND_NICE) : title.startsWith(TITLE);
    if (known.has(child) || settled) seen.add(child);
  }
  return seen;
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
