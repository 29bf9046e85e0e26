import pg from "pg";
import { run } from "./run-statement.ts";
import type { Sql } from "./sql.ts";

export interface ReadLanes {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  end(): Promise<void>;
}

interface Lane {
  client: Promise<pg.Client> | undefined;
  waiting: number;
}

/**
 * A few connections that many reads share: each statement is sent without waiting for the answers of those before it.
 * Against a pool nothing is checked out and in, and the answers of many come in one packet. A connection that is lost
 * fails what is in the air on it; the next read opens another.
 */
export function openReadLanes(
  settings: pg.ClientConfig,
  count: number,
  onError: (error: Error) => void,
): ReadLanes {
  const lanes: Lane[] = Array.from({ length: count }, () => ({ client: undefined, waiting: 0 }));

  function connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client({ ...settings, pipeline: true } as pg.ClientConfig);
    const opened = client.connect().then(async () => {
      // Left to itself, PostgreSQL plans a page anew each time, because it cannot tell from `limit $3` that few rows
      // are wanted (a page of a small workspace, in PostgreSQL: 1,332 → 246 µs).
      await client.query("set plan_cache_mode = force_generic_plan");
      return client;
    });
    let told = false;
    const lost = (error?: Error) => {
      // A lost connection tells it twice, and between the two a read may have opened the next one.
      if (lane.client === opened) lane.client = undefined;
      if (error !== undefined && !told) onError(error);
      told = true;
    };
    client.on("error", lost);
    client.on("end", () => lost());
    opened.catch(() => lost());
    return opened;
  }

  return {
    async query(statement) {
      const lane = lanes.reduce((least, one) => (one.waiting < least.waiting ? one : least));
      lane.waiting++;
      try {
        return await run(await (lane.client ??= connect(lane)), statement);
      } finally {
        lane.waiting--;
      }
    },
    async end() {
      await Promise.all(lanes.map(async ({ client }) => (await client?.catch(() => null))?.end()));
    },
  };
}
