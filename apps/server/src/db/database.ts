import { createHash } from "node:crypto";
import pg from "pg";
import type { Sql } from "./sql.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Runs one statement and gives its rows. */
export interface Queryable {
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

/** Inside `transaction`. Dead once it ended: use after that throws. */
export interface Tx extends Queryable {
  readonly kind: "tx";
  /** Runs after a successful commit, e.g. to wake a worker. Never for work that must happen: that is a row. */
  afterCommit(action: () => void): void;
  /** Undoes what `attempt` wrote when it throws, and throws on; the transaction itself goes on. */
  savepoint<T>(attempt: () => Promise<T>): Promise<T>;
}

export interface Db extends Queryable {
  readonly kind: "db";
  /** Commits when `work` resolves, rolls back when it throws. No network inside. Retried on deadlock (40P01, 40001). */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A read that may be slow: has its own few connections and a time-out; beyond it throws `QueryTimeout`. */
  slowQuery<Row extends object>(statement: Sql, timeoutMs: number): Promise<Row[]>;
  close(): Promise<void>;
}

/** A read ran into the time-out given for it. The edge answers 503 OVERLOADED. */
export class QueryTimeout extends Error {}

/** SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

const RETRIED = new Set(["40P01", "40001"]);

// Naming a statement prepares it once per connection (6.4k → 9.1k point reads a second). Bounded, because the
// text of a segment's query is made at run time.
const names = new Map<string, string>();
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= 500) return undefined;
  const name = createHash("sha1").update(text).digest("base64url");
  names.set(text, name);
  return name;
}

async function run<Row extends object>(
  client: pg.Pool | pg.ClientBase,
  statement: Sql,
): Promise<Row[]> {
  const { text } = statement;
  const name = nameOf(text);
  const values = statement.values as unknown[];
  const result = await client.query<Row>(
    name === undefined ? { text, values } : { name, text, values },
  );
  return result.rows;
}

export interface DatabaseOptions {
  readonly connectionString: string;
  /** Connections for everything but slow reads. 4 to 8: more is slower on two cores (32 halves create). */
  readonly poolSize?: number;
  readonly onError?: (error: Error) => void;
}

/** Opens the pool. Nothing is connected until the first query. */
export function openDatabase(options: DatabaseOptions): Db {
  const settings = {
    connectionString: options.connectionString,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  };
  // pg 8.23 sends the statements of a transaction without waiting between them when the caller does not await.
  const pool = new pg.Pool({
    ...settings,
    max: options.poolSize ?? 8,
    pipeline: true,
  } as pg.PoolConfig);
  const slow = new pg.Pool({ ...settings, max: 2 });
  const onError = options.onError ?? (() => {});
  pool.on("error", onError);
  slow.on("error", onError);

  async function once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const after: (() => void)[] = [];
    let open = true;
    let broken = false;
    const savepoints = { depth: 0 };
    const tx: Tx = {
      kind: "tx",
      query(statement) {
        if (!open) throw new Error("transaction used after its end");
        return run(client, statement);
      },
      afterCommit(action) {
        after.push(action);
      },
      async savepoint(attempt) {
        const name = `s${++savepoints.depth}`;
        await client.query(`savepoint ${name}`);
        try {
          const value = await attempt();
          await client.query(`release savepoint ${name}`);
          return value;
        } catch (error) {
          await client.query(`rollback to savepoint ${name}`);
          throw error;
        } finally {
          savepoints.depth--;
        }
      },
    };
    try {
      await client.query("begin");
      const value = await work(tx);
      open = false;
      const { command } = await client.query("commit");
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
      if (command !== "COMMIT") throw new Error("transaction was rolled back");
      for (const action of after) action();
      return value;
    } catch (error) {
      open = false;
      await client.query("rollback").catch(() => (broken = true));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    kind: "db",
    query: (statement) => run(pool, statement),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work);
        } catch (error) {
          if (attempt >= 4 || !RETRIED.has(sqlState(error) ?? "")) throw error;
        }
      }
    },
    async slowQuery(statement, timeoutMs) {
      const client = await slow.connect();
      try {
        await client.query(`set statement_timeout = ${Math.trunc(timeoutMs)}`);
        return await run(client, statement);
      } catch (error) {
        if (sqlState(error) === "57014") throw new QueryTimeout(`no answer within ${timeoutMs} ms`);
        throw error;
      } finally {
        client.release();
      }
    },
    async close() {
      await Promise.all([pool.end(), slow.end()]);
    },
  };
}
