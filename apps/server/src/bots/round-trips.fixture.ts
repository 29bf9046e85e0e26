import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import type { Sql } from "../db/sql.ts";

/** How often work waited for the database, and for how many statements; without `begin` and `commit`. */
export interface RoundTrips {
  readonly waits: number;
  readonly statements: number;
}

/** The same context, and how its database was asked so far. Statements that are under way together are one wait. */
export function countRoundTrips(context: Context): {
  readonly context: Context;
  readonly soFar: () => RoundTrips;
} {
  let underWay = 0;
  let waits = 0;
  let statements = 0;
  const counted =
    (of: Queryable["query"]) =>
    async <Row extends object>(statement: Sql): Promise<Row[]> => {
      if (underWay++ === 0) waits++;
      statements++;
      try {
        return await of<Row>(statement);
      } finally {
        underWay--;
      }
    };
  const { db } = context;
  return {
    soFar: () => ({ waits, statements }),
    context: {
      ...context,
      db: {
        ...db,
        query: counted((statement) => db.query(statement)),
        read: counted((statement) => db.read(statement)),
        transaction: (run) =>
          db.transaction((tx) => {
            const inside: Tx = { ...tx, query: counted((statement) => tx.query(statement)) };
            return run(inside);
          }),
      },
    },
  };
}
