import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Milliseconds of processor time so far. */
export interface CpuTimes {
  readonly postgres: number;
  readonly product: number;
}

/** One tick of /proc is 10 ms wherever Linux runs. */
const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly own: number;
  readonly withChildren: number;
}

function statOf(pid: number | string): Stat | null {
  try {
    // The name may hold spaces and brackets: what counts begins behind the last one.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
    const own = (user + system) * TICK_MS;
    return { parent: fields[1] ?? 0, own, withChildren: own + (childUser + childSystem) * TICK_MS };
  } catch {
    return null;
  }
}

/** PostgreSQL with all its processes, ended ones too, and the product's process. Null where there is no /proc. */
export function cpuTimes(postgresDirectory: string, productPid: number): CpuTimes | null {
  try {
    // As tests start it, and as the product does.
    const file = ["data", "postgres"]
      .map((folder) => path.join(postgresDirectory, folder, "postmaster.pid"))
      .find((one) => existsSync(one));
    const postmaster = Number(readFileSync(file ?? "", "utf8").split("\n", 1)[0]);
    const product = statOf(productPid);
    const root = statOf(postmaster);
    if (!product || !root) return null;
    let postgres = root.withChildren;
    for (const pid of readdirSync("/proc")) {
      if (!/^\d+$/.test(pid)) continue;
      const stat = statOf(pid);
      if (stat?.parent === postmaster) postgres += stat.own;
    }
    return { postgres, product: product.own };
  } catch {
    return null;
  }
}
