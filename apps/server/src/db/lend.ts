import type pg from "pg";
import { NoAnswer, ringAt } from "./time-limit.ts";
import { WritableClient } from "./writable-client.ts";

/**
 * Says which connections of a process must not be used any more. When one was found silent, every connection that has
 * received nothing since then is doubted too. A pool of eight dead ones would otherwise cost eight times the wait.
 */
export class Doubt {
  #since = -Infinity;

  /** Reports a connection that was silent from `since` on, in `performance.now()`. */
  raise(since: number): void {
    this.#since = Math.max(this.#since, since);
  }

  /** Whether this connection is doubted. */
  of(client: object): boolean {
    return client instanceof WritableClient && client.heardAt < this.#since;
  }
}

/** Lends a connection of a pool, within the pool's own time-out. Doubted connections are given up and replaced. */
export async function lend(pool: pg.Pool, doubt: Doubt): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect();
    if (!doubt.of(client)) return client;
    // The connection is cut without a goodbye, because perhaps nobody is there to read it.
    client.connection.stream.destroy();
    client.release(true);
  }
}

/** The same, but throws `NoAnswer` at `due` (in `performance.now()`). */
export async function lendBefore(due: number, pool: pg.Pool, doubt: Doubt): Promise<pg.PoolClient> {
  const lending = lend(pool, doubt);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = ringAt(due, () => {
    lending.then((client) => client.release()).catch(() => {});
    reject(new NoAnswer("no connection in time"));
  });
  return Promise.race([lending, late]).finally(stop);
}
