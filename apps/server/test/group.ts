import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { after, before, describe } from "node:test";
import { stopFollowing } from "./runner-hook.cjs";

// What a process that runs several test files is made of; `scripts/test-groups.cjs` writes which files those are.

/** The cases that only a release needs: `npm run test:long`. The short suite keeps at least one of every property. */
export const LONG = process.env["PARLEY_TEST_LONG"] === "1";

let grouped = false;
const closings: (() => Promise<void>)[] = [];

/** Seconds of this process and of all below it, also of those that ended. Elsewhere than on Linux: of this process. */
function processorTime(): number {
  try {
    return hundredths(process.pid) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

/** utime, stime, cutime, cstime (proc_pid_stat(5)) of a process and of those that it, or a thread of it, started. */
function hundredths(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
  let sum = stat
    .split(" ")
    .slice(11, 15)
    .reduce((all, time) => all + Number(time), 0);
  for (const thread of readdirSync(`/proc/${pid}/task`))
    for (const child of textOf(`/proc/${pid}/task/${thread}/children`).split(" "))
      if (child !== "")
        try {
          sum += hundredths(Number(child));
        } catch {
          // It ended in this moment.
        }
  return sum;
}

/** Empty where the system does not say it, and of a thread that ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const now = () => ({ processor: processorTime(), clock: performance.now() / 1000 });

const ready = Promise.withResolvers<void>();

/**
 * Reads a test file as a suite of its own, so that its hooks are its own. Its tests begin after `run`. What it took, in
 * seconds, is noted in the file that `PARLEY_TEST_TIMES` names, when the last of its hooks has ended.
 */
export function file(name: string, load: () => Promise<unknown>): Promise<void> {
  if (!grouped) {
    grouped = true;
    after(async () => {
      for (const close of closings.toReversed()) await close();
    });
  }
  const read = Promise.withResolvers<void>();
  void describe(name, async () => {
    const from = now();
    let begun = from;
    before(async () => {
      await ready.promise;
      begun = now();
    });
    try {
      await load();
    } finally {
      read.resolve();
    }
    const loaded = now();
    after(() => {
      const end = now();
      const took = {
        file: name,
        processor: loaded.processor - from.processor + end.processor - begun.processor,
        clock: loaded.clock - from.clock + end.clock - begun.clock,
      };
      const times = process.env["PARLEY_TEST_TIMES"];
      if (times !== undefined) appendFileSync(times, `${JSON.stringify(took)}\n`);
    });
  });
  return read.promise;
}

/** All files are read: their tests begin. */
export function run(): void {
  stopFollowing();
  ready.resolve();
}

/**
 * A server or a browser that the files of a group use one after another. Without a group it ends with the last who
 * releases it.
 */
export class Shared<T extends AsyncDisposable> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | null = null;
  #users = 0;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  take(): Promise<T> {
    this.#users++;
    if (this.#made === null) {
      this.#made = this.#make();
      if (grouped) closings.push(() => this.#close());
    }
    return this.#made;
  }

  async release(): Promise<void> {
    this.#users--;
    if (!grouped && this.#users === 0) await this.#close();
  }

  async #close(): Promise<void> {
    const made = await this.#made;
    this.#made = null;
    await made?.[Symbol.asyncDispose]();
  }
}
