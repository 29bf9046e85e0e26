import pg from "pg";
import { ReadWire, type RawRows } from "./read-wire.ts";
import type { Sql } from "./sql.ts";
import { cutAt, NoAnswer } from "./time-limit.ts";
import { WritableClient } from "./writable-client.ts";

export interface ReadLanes {
  query<Row extends object>(statement: Sql): Promise<Row[]>;
  /** The rows' values as the bytes of their text, unparsed. */
  bytes(statement: Sql): Promise<RawRows["rows"]>;
  end(): Promise<void>;
}

interface Lane {
  opened: Promise<{ readonly client: pg.Client; readonly wire: ReadWire }> | undefined;
  waiting: number;
}

/** Reads here are short. */
const ANSWER_MS = 10_000;

/**
 * A few connections that many reads share: each statement is sent without waiting for the answers of those before it.
 * Against a pool nothing is checked out and in, and the answers of many come in one packet. A connection that is lost
 * fails what is in the air on it; the next read opens another. One that says nothing for `answerMs` while something is
 * asked is lost too.
 */
export function openReadLanes(
  { answerMs = ANSWER_MS, ...settings }: pg.ClientConfig & { readonly answerMs?: number },
  count: number,
  onError: (error: Error) => void,
  /** Statements that each connection begins with. */
  setUp = "",
): ReadLanes {
  // A timer for each read would cost as much as the read.
  const lookMs = Math.min(1_000, answerMs);
  const lanes: Lane[] = Array.from({ length: count }, () => ({ opened: undefined, waiting: 0 }));

  function connect(lane: Lane): NonNullable<Lane["opened"]> {
    const client = new WritableClient(settings);
    let wire: ReadWire | undefined;
    const stop = cutAt(performance.now() + answerMs, client);
    const opened = client.connect().then(async () => {
      // Left to itself, PostgreSQL plans a page anew each time, because it cannot tell from `limit $3` that few rows
      // are wanted (a page of a small workspace, in PostgreSQL: 1,332 → 246 µs).
      await client.query(`set plan_cache_mode = force_generic_plan; ${setUp}`);
      wire = new ReadWire(client.connection.stream);
      watch(wire, client);
      return { client, wire };
    });
    opened.then(stop, stop);
    let told = false;
    const lost = (error?: Error) => {
      // A lost connection tells it twice, and between the two a read may have opened the next one.
      if (lane.opened === opened) lane.opened = undefined;
      wire?.fail(error ?? new Error("Connection terminated"));
      if (error !== undefined && !told) onError(error);
      told = true;
    };
    client.on("error", lost);
    client.on("end", () => lost());
    opened.catch(() => lost());
    return opened;
  }

  /** By looks and not by time: what came while this process was held up itself is read between two of them. */
  function watch(wire: ReadWire, client: pg.Client): void {
    let last = wire.progress;
    let silent = 0;
    const timer = setInterval(() => {
      const { first, heard } = wire.progress;
      silent = first !== undefined && first === last.first && heard === last.heard ? silent + 1 : 0;
      last = { first, heard };
      if (silent * lookMs >= answerMs)
        client.connection.stream.destroy(new NoAnswer("no answer in time"));
    }, lookMs).unref();
    client.once("end", () => clearInterval(timer));
  }

  async function ask(statement: Sql): Promise<RawRows> {
    const lane = lanes.reduce((least, one) => (one.waiting < least.waiting ? one : least));
    lane.waiting++;
    try {
      const { wire } = await (lane.opened ??= connect(lane));
      return await wire.ask(statement);
    } finally {
      lane.waiting--;
    }
  }

  return {
    query: async <Row extends object>(statement: Sql) => toObjects<Row>(await ask(statement)),
    bytes: async (statement) => (await ask(statement)).rows,
    async end() {
      await Promise.all(
        lanes.map(async ({ opened }) => (await opened?.catch(() => null))?.client.end()),
      );
    },
  };
}

/** The same objects that the pool gives. */
function toObjects<Row extends object>({ columns, rows }: RawRows): Row[] {
  const parsers = columns.types.map((type): ((text: string) => unknown) =>
    pg.types.getTypeParser(type, "text"),
  );
  return rows.map(
    (row) =>
      Object.fromEntries(
        row.map((value, index) => [
          columns.names[index] ?? "",
          value === null ? null : parsers[index]?.(value.toString()),
        ]),
      ) as Row,
  );
}
