import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What the machine itself does meanwhile, in a process of its own: how long a write of one page takes to reach the disk,
 * and how late a process that has nothing to do gets its turn. No request is quicker than either.
 */
export type PulseAsk = "take";
export interface Pulse {
  readonly diskP99Ms: number;
  readonly diskMostMs: number;
  readonly lateP99Ms: number;
  readonly lateMostMs: number;
}

const LOOK_MS = 10;
/** Seldom enough to be no load of its own: a reply alone commits five times. */
const WRITE_EVERY = 10;

const [file = ""] = process.argv.slice(2);
const page = Buffer.alloc(8_192, "x");
const disk = openSync(file, "w");
let writes: number[] = [];
let delays: number[] = [];

function take(): Pulse {
  const [disks, lates] = [writes, delays].map((times) => times.toSorted((a, b) => a - b));
  writes = [];
  delays = [];
  const at = (times: readonly number[] = [], part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return {
    diskP99Ms: at(disks, 0.99),
    diskMostMs: at(disks, 1),
    lateP99Ms: at(lates, 0.99),
    lateMostMs: at(lates, 1),
  };
}

async function beat(): Promise<void> {
  for (let turn = 0; ; turn++) {
    const due = performance.now() + LOOK_MS;
    await sleep(LOOK_MS);
    delays.push(performance.now() - due);
    if (turn % WRITE_EVERY > 0) continue;
    const begun = performance.now();
    // In place, as PostgreSQL writes into a file of its log that it has already.
    writeSync(disk, page, 0, page.length, 0);
    fdatasyncSync(disk);
    writes.push(performance.now() - begun);
  }
}

process.on("message", () => process.send?.(take()));
process.on("disconnect", () => {
  closeSync(disk);
  process.exit(0);
});
process.send?.({});
void beat();
