import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

/**
 * How far work that nobody waits for stands back when cores are short unless told otherwise, as `nice` counts it:
 * beside a request that wants the same core it gets a tenth of it. Not 19 (a seventieth): it may hold a lock of
 * PostgreSQL's own for a moment that a request wants, and has to get on with it.
 */
export const BACKGROUND_NICE = 10;

/**
 * Has the system run a process after those that somebody waits for: every thread of it, and, where Linux first shares
 * cores between sessions and only then between the processes of one (autogroup), the session that it leads too. The
 * numbers of such a session's other processes say nothing, so a session that somebody else leads (a terminal's shell)
 * is left alone. True when it will give way to processes outside its session; false when the system refuses or cannot.
 */
export function lowerPriority(pid: number, nice: number): boolean {
  try {
    for (const thread of threadsOf(pid))
      if (os.getPriority(thread) < nice) os.setPriority(thread, nice);
    return !sharesBySession() || (leadsSession(pid) && lowerSession(pid, nice));
  } catch {
    // Not ours, gone, or not Linux.
    return false;
  }
}

/** Fields of /proc/PID/stat behind the name, which may hold spaces and brackets: state, parent, group, session … */
export function processStat(pid: number): readonly string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function threadsOf(pid: number): number[] {
  if (process.platform !== "linux") return [pid];
  return readdirSync(`/proc/${pid}/task`).map(Number);
}

const leadsSession = (pid: number): boolean => Number(processStat(pid)[3]) === pid;

function sharesBySession(): boolean {
  try {
    return readFileSync("/proc/sys/kernel/sched_autogroup_enabled", "utf8").trim() === "1";
  } catch {
    return false;
  }
}

/**
 * Linux takes ten such changes a second from processes that are not root; more are refused, and the connection is asked
 * again.
 */
function lowerSession(pid: number, nice: number): boolean {
  const file = `/proc/${pid}/autogroup`;
  writeFileSync(file, String(nice));
  // "/autogroup-123 nice 10"
  return Number(/nice (-?\d+)/.exec(readFileSync(file, "utf8"))?.[1]) >= nice;
}
