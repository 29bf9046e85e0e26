import type pg from "pg";

/** PostgreSQL, or the way to it, gave no answer in the time there was: its connection was given up. The edge answers 503. */
export class NoAnswer extends Error {}

/** Later than this, it is this process that was held up: what came meanwhile is read first. */
const HELD_UP_MS = 250;
const READING_MS = 1_000;

/** Calls `ring` at `due`, in milliseconds of `performance.now()`, unless what this gives is called before. */
function ringAt(due: number, ring: () => void): () => void {
  // Of a time that is over Node warns on standard error.
  const left = Math.max(0, due - performance.now());
  let timer = setTimeout(() => {
    if (performance.now() - due < HELD_UP_MS) return ring();
    timer = setTimeout(ring, READING_MS);
  }, left);
  return () => clearTimeout(timer);
}

/**
 * Breaks a connection at `due`, unless what this gives is called before: what is in the air on it fails with `NoAnswer`.
 * PostgreSQL undoes what was not committed when it finds the connection gone; a commit that had been sent may be done.
 */
export function cutAt(due: number, client: pg.Client): () => void {
  return ringAt(due, () => client.connection.stream.destroy(new NoAnswer("no answer in time")));
}

/** Lends a connection of a pool, within its own time-out and before `due`. */
export async function lendBefore(due: number, pool: pg.Pool): Promise<pg.PoolClient> {
  const lending = pool.connect();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = ringAt(due, () => {
    lending.then((client) => client.release()).catch(() => {});
    reject(new NoAnswer("no connection in time"));
  });
  return Promise.race([lending, late]).finally(stop);
}
