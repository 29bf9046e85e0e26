import pg from "pg";
import { runStatement } from "./run-statement.ts";
import type { Sql } from "./sql.ts";
import { ANSWER_MS, cutAt, watchSilence } from "./time-limit.ts";
import { WritableClient } from "./writable-client.ts";

export interface ReadLanes {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  end(): Promise<void>;
}

type Ask = <Row extends object>(statement: Sql) => Promise<Row[]>;

interface Lane {
  opened: Promise<{ readonly client: pg.Client; readonly ask: Ask }> | undefined;
  waiting: number;
}

/**
 * Opens a few connections that many short reads share. The driver sends each statement without waiting for earlier
 * answers, and nothing is taken from a pool and put back. When a connection is lost, its unanswered reads fail, and the
 * next read opens another. A connection that is silent for `answerMs` while a read waits counts as lost.
 */
export function openReadLanes(
  { answerMs = ANSWER_MS.step, ...settings }: pg.ClientConfig & { readonly answerMs?: number },
  count: number,
  onError: (error: Error) => void,
  /** Statements that each connection runs first. */
  setUp = "",
): ReadLanes {
  const lanes: Lane[] = Array.from({ length: count }, () => ({ opened: undefined, waiting: 0 }));

  function connect(lane: Lane): NonNullable<Lane["opened"]> {
    const client = new WritableClient({ ...settings, pipeline: true } as pg.ClientConfig);
    const stop = cutAt(performance.now() + answerMs, client);
    const watched = watchSilence(answerMs, client, () => {});
    const opened = client.connect().then(async () => {
      // By default PostgreSQL would plan a page anew each time, because it cannot tell from `limit $3` that few rows
      // are wanted. (A page of a small workspace took 1,332 µs in PostgreSQL, and now takes 246.)
      await client.query(`set plan_cache_mode = force_generic_plan; ${setUp}`);
      const ask: Ask = (statement) => watched(runStatement(client, statement, "read"));
      return { client, ask };
    });
    opened.then(stop, stop);
    const leave = () => {
      // A lost connection reports it twice. Between the two, a read may already have opened the next one.
      if (lane.opened === opened) lane.opened = undefined;
    };
    client.on("error", leave);
    client.on("end", leave);
    client.once("error", onError);
    opened.catch(leave);
    return opened;
  }

  return {
    async query<Row extends object>(statement: Sql) {
      const lane = lanes.reduce((least, one) => (one.waiting < least.waiting ? one : least));
      lane.waiting++;
      try {
        const { ask } = await (lane.opened ??= connect(lane));
        return await ask<Row>(statement);
      } finally {
        lane.waiting--;
      }
    },
    async end() {
      await Promise.all(
        lanes.map(async ({ opened }) => (await opened?.catch(() => null))?.client.end()),
      );
    },
  };
}
