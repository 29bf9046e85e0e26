import { readFileSync } from "node:fs";
import { BACKGROUND_NICE, lowerPriority } from "../lib/priority.ts";

const LOOK_EVERY_MS = 1_000;
const TITLE = "postgres: ";

/**
 * Lowers the priority of PostgreSQL's clearing up (autovacuum: after an import, whole tables), so that requests go
 * first. It does so within a second after each such process began. `main` gives PostgreSQL's main process, which is
 * ours. Where Linux does not list the children of a process, their priority stays.
 */
export function reniceAutovacuum(main: () => number | undefined): Disposable {
  let known: ReadonlySet<number> = new Set();
  const timer = setInterval(() => (known = lowerAutovacuum(main(), known)), LOOK_EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** One look at the children of PostgreSQL's main process; gives those that need not be looked at again. */
export function lowerAutovacuum(
  main: number | undefined,
  known: ReadonlySet<number>,
): ReadonlySet<number> {
  const seen = new Set<number>();
  for (const child of main === undefined ? [] : childrenOf(main)) {
    const title = known.has(child) ? "" : titleOf(child);
    const clears = title.startsWith(`${TITLE}autovacuum worker`);
    // One that was begun this moment does not bear its name yet; one that was refused is tried again.
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
