import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { cutAt } from "../../src/db/time-limit.ts";
import { sqlState } from "../../src/db/sql-state.ts";

const READ_ONLY = "25006";
const GIVE_UP_MS = 1_000;

/** The longest time without a success, and when it ended, in `performance.now()`. */
export interface Gap {
  readonly ms: number;
  readonly end: number;
}

/** Writes again and again on several roads, and remembers when each was confirmed. */
export class Gaps implements AsyncDisposable {
  readonly #times = new Map<string, number[]>();
  readonly #running: Promise<void>[] = [];
  #stopped = false;

  /** Writes straight into the databases at these addresses, 40 times a second each, which have a table `probe`. */
  database(road: string, urls: readonly string[]): void {
    const times = this.#road(road);
    for (const url of urls) this.#running.push(this.#write(url, times));
  }

  /** `ask` makes a request and gives whether it was done; ten begin in a second, however long each takes. */
  requests(road: string, ask: (turn: number) => Promise<boolean>): void {
    const times = this.#road(road);
    const once = async (turn: number) => {
      if (await ask(turn).catch(() => false)) times.push(performance.now());
    };
    this.#running.push(
      (async () => {
        const open: Promise<void>[] = [];
        for (let turn = 0; !this.#stopped; turn++) {
          open.push(once(turn));
          await sleep(100);
        }
        await Promise.all(open);
      })(),
    );
  }

  #road(name: string): number[] {
    const times: number[] = [];
    this.#times.set(name, times);
    return times;
  }

  async #write(connectionString: string, times: number[]): Promise<void> {
    let client: pg.Client | null = null;
    for (; !this.#stopped; await sleep(25)) {
      const one: pg.Client = client ?? new pg.Client({ connectionString });
      const stop = cutAt(performance.now() + GIVE_UP_MS, one);
      try {
        if (client === null) {
          one.on("error", () => {});
          await one.connect();
          client = one;
        }
        await one.query("insert into probe default values");
        times.push(performance.now());
      } catch (error) {
        // A standby: it may take over, and then takes writes on this connection.
        if (sqlState(error) === READ_ONLY) continue;
        client = null;
        one.connection.stream.destroy();
      } finally {
        stop();
      }
    }
    await client?.end().catch(() => {});
  }

  /** Waits until every road has gone well several times from now on. */
  async back(withinMs = 180_000): Promise<void> {
    const from = performance.now();
    for (;;) {
      const late = [...this.#times].filter(([, times]) => (times.at(-5) ?? 0) < from);
      if (late.length === 0) return;
      if (performance.now() - from > withinMs)
        throw new Error(`no write after ${withinMs} ms: ${late.map(([road]) => road).join(", ")}`);
      await sleep(25);
    }
  }

  /** The longest gap of a road between two moments. */
  longest(road: string, from: number, to: number): Gap {
    const inside = (this.#times.get(road) ?? []).filter((at) => at > from && at < to);
    let [last, gap] = [from, { ms: 0, end: from }];
    for (const at of [...inside.toSorted((a, b) => a - b), to]) {
      if (at - last > gap.ms) gap = { ms: at - last, end: at };
      last = at;
    }
    return gap;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }
}
