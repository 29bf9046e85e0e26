import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, type Stats } from "node:fs";
import path from "node:path";

/**
 * Ends every PostgreSQL process that a killed Parley left on this cluster, so that a new one can start. Call it only
 * with the data folder locked. It asks first, so that PostgreSQL writes its checkpoint, and forces it after
 * `patienceMs`.
 */
export async function endLeftovers(cluster: string, patienceMs = 15_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const main = mainProcess(cluster);
  let asked = 0;
  for (;;) {
    const alive = processesIn(cluster, main);
    if (alive.length === 0) break;
    const urgent = Date.now() > deadline;
    // SIGINT asks the main process for a fast shutdown. Children without it end by themselves, or are killed at last.
    if (main !== null && alive.includes(main)) {
      if (urgent) signal(main, "SIGQUIT");
      else if (asked++ === 0) signal(main, "SIGINT");
    } else if (urgent) for (const pid of alive) signal(pid, "SIGKILL");
    if (Date.now() > deadline + 5_000) for (const pid of alive) signal(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // Nobody uses the cluster now, so the file is stale. With it, PostgreSQL would refuse to start whenever another
  // process has that number by now, which is usual in containers, where numbers start at 1 again.
  rmSync(path.join(cluster, "postmaster.pid"), { force: true });
}

/** The process number in postmaster.pid. Another process may have it by now. */
function mainProcess(cluster: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/**
 * The processes of a cluster: its folder is their working folder. On Linux /proc proves that; elsewhere the main
 * process is a good guess.
 */
function processesIn(cluster: string, main: number | null): number[] {
  if (process.platform !== "linux")
    return main !== null && commandOf(main).includes("postgres") ? [main] : [];
  let wanted: Stats;
  try {
    wanted = statSync(cluster);
  } catch {
    return [];
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const at = statSync(`/proc/${pid}/cwd`);
        if (at.ino !== wanted.ino || at.dev !== wanted.dev) return false;
        return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("postgres");
      } catch {
        return false;
      }
    });
}

function commandOf(pid: number): string {
  try {
    return execFileSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It went by itself.
  }
}
