import type pg from "pg";

/** PostgreSQL gave no answer in time, or could not be reached. Its connection was given up. The edge answers 503. */
export class NoAnswer extends Error {}

/** A read ran into its time-out. The edge answers 503 OVERLOADED. */
export class QueryTimeout extends Error {}

/**
 * How long a statement may wait for an answer, in milliseconds, by the kind of work. After that the connection counts
 * as dead. A vanished machine sends no reset, and the kernel would wait about fifteen minutes for an acknowledgement
 * (Node has no `TCP_USER_TIMEOUT`).
 */
export const ANSWER_MS = {
  /** A claim, a look, the settling of calls: a few rows, found by key. */
  step: 8_000,
  /**
   * A piece of large work: a chunk of an import or an audience, a backfill, a pruning, and everything that a command
   * does.
   */
  piece: 120_000,
} satisfies Readonly<Record<string, number>>;

export type WorkKind = keyof typeof ANSWER_MS;

/**
 * A timer that fires later than this shows that this process itself was held up. Then what came meanwhile is read
 * first.
 */
const HELD_UP_MS = 250;
const READING_MS = 1_000;

/** Calls `ring` at `due`, in `performance.now()`. The returned function cancels it. */
export function ringAt(due: number, ring: () => void): () => void {
  // For a negative time Node would write a warning to standard error.
  const left = Math.max(0, due - performance.now());
  let timer = setTimeout(() => {
    if (performance.now() - due < HELD_UP_MS) return ring();
    timer = setTimeout(ring, READING_MS);
  }, left);
  return () => clearTimeout(timer);
}

/**
 * Breaks a connection at `due`, in `performance.now()`, unless the returned function is called before. Its unanswered
 * statements then fail with `NoAnswer`, and `told` is called. PostgreSQL undoes what was not committed when it finds
 * the connection gone. A commit that was already sent may be done.
 */
export function cutAt(due: number, client: pg.Client, told: () => void = () => {}): () => void {
  return ringAt(due, () => {
    told();
    client.connection.stream.destroy(new NoAnswer("no answer in time"));
  });
}

/**
 * Watches one connection. Pass each statement's promise through the returned function. When no answer comes for `ms`
 * while one is awaited, the connection is broken as by `cutAt`, and `told` gets the time since which it was silent.
 * Each answer starts the time again, so a transaction of many statements may take as long as it needs.
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
