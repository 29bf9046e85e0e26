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
 * A few connections that many short reads share: the driver sends each statement without waiting for the answers of
 * those before it, and nothing is checked out of a pool and in again. A connection that is lost fails what was asked on
 * it; the next read opens another. One that says nothing for `answerMs` while something is asked is lost too.
 */
export function openReadLanes(
  { answerMs = ANSWER_MS.step, ...settings }: pg.ClientConfig & { readonly answerMs?: number },
  count: number,
  onError: (error: Error) => void,
  /** Statements that each connection begins with. */
  setUp = "",
): ReadLanes {
  const lanes: Lane[] = Array.from({ length: count }, () => ({ opened: undefined, waiting: 0 }));

  function connect(lane: Lane): NonNullable<Lane["opened"]> {
    const client = new WritableClient({ ...settings, pipeline: true } as pg.ClientConfig);
    const stop = cutAt(performance.now() + answerMs, client);
    const watched = watchSilence(answerMs, client, () => {});
    const opened = client.connect().then(async () => {
      // Left to itself, PostgreSQL plans a page anew each time, because it cannot tell from `limit $3` that few rows
      // are wanted (a page of a small workspace, in PostgreSQL: 1,332 → 246 µs).
      await client.query(`set plan_cache_mode = force_generic_plan; ${setUp}`);
      const ask: Ask = (statement) => watched(runStatement(client, statement));
      return { client, ask };
    });
    opened.then(stop, stop);
    const leave = () => {
      // A lost connection tells it twice, and between the two a read may have opened the next one.
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
