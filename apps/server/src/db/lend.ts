import type pg from "pg";
import { NoAnswer, ringAt } from "./time-limit.ts";
import { WritableClient } from "./writable-client.ts";

/**
 * The connections of a process that are not to be used any more. When one was found silent, every connection that has
 * heard nothing of PostgreSQL since then is doubted too: a pool of eight dead ones would otherwise cost eight times the
 * wait.
 */
export class Doubt {
  #since = -Infinity;

  /** A connection was silent from `since` on, as `performance.now()` counts. */
  raise(since: number): void {
    this.#since = Math.max(this.#since, since);
  }

  of(client: object): boolean {
    return client instanceof WritableClient && client.heardAt < this.#since;
  }
}

/** Lends a connection of a pool, within the pool's own time-out. What is doubted is given up and another one taken. */
export async function lend(pool: pg.Pool, doubt: Doubt): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!doubt.of(client)) return client;
    // Not ended politely: nobody may be there to hear it.
    client.connection.stream.destroy();
    client.release(true);
  }
}

/** The same, but not later than `due`: then it throws `NoAnswer`. */
export async function lendBefore(due: number, pool: pg.Pool, doubt: Doubt): Promise<pg.PoolClient> {
  const lending = lend(pool, doubt);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = ringAt(due, () => {
    lending.then((client) => client.release()).catch(() => {});
    reject(new NoAnswer("no connection in time"));
  });
  return Promise.race([lending, late]).finally(stop);
}
