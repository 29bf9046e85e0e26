import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, type Stats } from "node:fs";
import path from "node:path";

/**
 * Ends whatever PostgreSQL a killed Parley left on this cluster, so that a new one can start. Call it only with the
 * data folder locked. First politely, so that it writes its checkpoint; after `patienceMs` with force.
 */
export async function endLeftovers(cluster: string, patienceMs = 15_000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const main = mainProcess(cluster);
  let asked = 0;
  for (;;) {
    const alive = processesIn(cluster, main);
    if (alive.length === 0) break;
    const urgent = Date.now() > deadline;
    // SIGINT to the main process: fast shutdown. Its children alone end by themselves, at latest when killed.
    if (main !== null && alive.includes(main)) {
      if (urgent) signal(main, "SIGQUIT");
      else if (asked++ === 0) signal(main, "SIGINT");
    } else if (urgent) for (const pid of alive) signal(pid, "SIGKILL");
    if (Date.now() > deadline + 5_000) for (const pid of alive) signal(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  // Nobody uses the cluster, so the file is stale. Left there, PostgreSQL would refuse to start whenever its process
  // number belongs to somebody else by now (the rule in containers, where numbers start at 1 again).
  rmSync(path.join(cluster, "postmaster.pid"), { force: true });
}

/** The process number in postmaster.pid; another process may have it now. */
function mainProcess(cluster: string): number | null {
  try {
    const pid = Number(readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Every process of a cluster has it as working folder; that is certain where /proc tells it, a good guess elsewhere.
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
