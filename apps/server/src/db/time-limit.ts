import type pg from "pg";

/**
 * PostgreSQL, or the way to it, gave no answer in the time there was: its connection was given up. The edge answers
 * 503.
 */
export class NoAnswer extends Error {}

/** A read ran into the time-out given for it. The edge answers 503 OVERLOADED. */
export class QueryTimeout extends Error {}

/**
 * For how long PostgreSQL may leave a statement without an answer, in milliseconds, by the kind of work. Longer, and
 * the connection is taken for dead: a machine that vanished sends no reset, and the kernel would wait about fifteen
 * minutes for data that nobody acknowledges (Node has no `TCP_USER_TIMEOUT`).
 */
export const ANSWER_MS = {
  /** A claim, a look, the settling of what was called: a few rows, found by key. */
  step: 8_000,
  /** A piece of large work: a chunk of an import or an audience, a backfill, a pruning; whatever a command does. */
  piece: 120_000,
} satisfies Readonly<Record<string, number>>;

export type WorkKind = keyof typeof ANSWER_MS;

/** Later than this, it is this process that was held up: what came meanwhile is read first. */
const HELD_UP_MS = 250;
const READING_MS = 1_000;

/** Calls `ring` at `due`, in milliseconds of `performance.now()`, unless what this gives is called before. */
export function ringAt(due: number, ring: () => void): () => void {
  // Of a time that is over Node warns on standard error.
  const left = Math.max(0, due - performance.now());
  let timer = setTimeout(() => {
    if (performance.now() - due < HELD_UP_MS) return ring();
    timer = setTimeout(ring, READING_MS);
  }, left);
  return () => clearTimeout(timer);
}

/**
 * Breaks a connection at `due`, unless what this gives is called before: what is in the air on it fails with
 * `NoAnswer`. PostgreSQL undoes what was not committed when it finds the connection gone; a commit that had been sent
 * may be done. `told` is called when the connection is broken.
 */
export function cutAt(due: number, client: pg.Client, told: () => void = () => {}): () => void {
  return ringAt(due, () => {
    told();
    client.connection.stream.destroy(new NoAnswer("no answer in time"));
  });
}

/**
 * Watches one connection: each statement is passed through what this gives. When one was asked and no answer came for
 * `ms`, the connection is broken as by `cutAt`, and `told` hears since when it was silent. Each answer begins the time
 * anew, so a transaction of many statements takes as long as it takes.
 */
export function watchSilence(
  ms: number,
  client: pg.Client,
  told: (since: number) => void,
): <T>(asked: Promise<T>) => Promise<T> {
  let open = 0;
  let stop = () => {};
  const begin = () => {
    const since = performance.now();
    stop = cutAt(since + ms, client, () => told(since));
  };
  const answered = () => {
    stop();
    if (--open > 0) begin();
  };
  return async (asked) => {
    if (++open === 1) begin();
    try {
      return await asked;
    } finally {
      answered();
    }
  };
}
