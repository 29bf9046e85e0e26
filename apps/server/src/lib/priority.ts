import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

/**
 * The `nice` value of work that nobody waits for, unless a setting says otherwise. Beside a request that wants the same
 * core, such work gets a tenth of it. At 19 it would get a seventieth: too little, because for a moment it may hold one
 * of PostgreSQL's own locks that a request wants.
 */
export const BACKGROUND_NICE = 10;

/**
 * Lowers the priority of a process, so that the system runs it after those that somebody waits for. All its threads are
 * lowered. Linux may first share cores between sessions, and only then between the processes of one session
 * (autogroup). Then the session is lowered too, but only when this process leads it: a session with another leader,
 * such as a terminal's shell, is left alone. Returns whether the process now gives way to processes of other sessions.
 * False also means that the system refuses or cannot do it.
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

/**
 * The fields of /proc/PID/stat behind the name: state, parent, group, session … (The name may hold spaces and
 * brackets.)
 */
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
 * Linux accepts ten such changes a second from processes that are not root, and refuses more. The caller tries again
 * later.
 */
function lowerSession(pid: number, nice: number): boolean {
  const file = `/proc/${pid}/autogroup`;
  writeFileSync(file, String(nice));
  // "/autogroup-123 nice 10"
  return Number(/nice (-?\d+)/.exec(readFileSync(file, "utf8"))?.[1]) >= nice;
}
