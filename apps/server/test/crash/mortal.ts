import type { Context } from "../../src/context.ts";
import type { Tx } from "../../src/db/database.ts";
import type { Sql } from "../../src/db/sql.ts";
import { unhindered } from "../../src/lib/background.fixture.ts";
import { GroupCommit } from "../../src/lib/group-commit.ts";
import { HttpFailure } from "../../src/lib/http.ts";
import { streaming } from "../streaming.ts";

const never = <T>() => new Promise<T>(() => {});

/** A moment at which a worker may die. `tables`: what the transaction wrote until then, or the statement writes. */
export interface Step {
  readonly kind: "statement" | "call" | "answer" | "before commit" | "after commit";
  readonly tables: readonly string[];
}

const WRITES = /\b(?:insert into|update|delete from) (?:only )?([a-z_]+)/g;

/** The tables that a statement writes. */
const written = ({ text }: Sql): string[] =>
  Array.from(text.matchAll(WRITES), ([, table = ""]) => table).filter((one) => one !== "of");

/**
 * The context of a worker that dies after so many steps: statements, and calls before they leave and before they are
 * answered. The dead neither write nor call; what they had not committed is undone. With `commits` also before and after
 * each commit, and after what is written without a transaction: done, and the worker never heard of it. `counts` says
 * which of these steps are counted; `last` is the one at which it died.
 */
export function mortal(
  context: Context,
  steps: number,
  commits = false,
  counts: (step: Step) => boolean = () => true,
) {
  const died = Promise.withResolvers<"died">();
  let left = steps;
  let dead = false;
  let last: Step | null = null;
  const step = (kind: Step["kind"], tables: readonly string[] = []): boolean => {
    if (dead || !counts({ kind, tables }) || left-- > 0) return !dead;
    dead = true;
    last = { kind, tables };
    died.resolve("died");
    return false;
  };
  const { db, providerHttp } = context;
  const tied = (tx: Tx, tables: Set<string>): Tx => ({
    ...tx,
    query(statement) {
      for (const table of written(statement)) tables.add(table);
      return step("statement", written(statement))
        ? tx.query(statement)
        : Promise.reject(new Error("the worker is dead"));
    },
  });
  /** True: it lives on. */
  const done = (kind: "before commit" | "after commit", tables: Iterable<string>): boolean =>
    !commits || step(kind, [...tables].toSorted());
  const lone = async <T>(statement: Sql, work: () => Promise<T>): Promise<T> => {
    const tables = written(statement);
    if (!step("statement", tables)) return never();
    const value = await work();
    return done("after commit", tables) ? value : never();
  };
  const worker: Context = {
    ...context,
    db: {
      ...db,
      query: <Row extends object>(statement: Sql) =>
        lone(statement, () => db.query<Row>(statement)),
      read: <Row extends object>(statement: Sql) => lone(statement, () => db.read<Row>(statement)),
      async transaction(work) {
        if (dead) return never();
        const tables = new Set<string>();
        try {
          const value = await db.transaction(async (tx) => {
            tables.clear();
            const result = await work(tied(tx, tables));
            if (!done("before commit", tables))
              throw new Error("the worker died before its commit");
            return result;
          });
          return done("after commit", tables) ? value : await never();
        } catch (error) {
          if (dead) return never();
          throw error;
        }
      },
    },
    providerHttp: streaming({
      async request(request) {
        // Not left hanging: a waiter for calls would look at the clock for ever. Its reaction to this is never written.
        if (!step("call")) throw new HttpFailure("connect", false, "the worker is dead");
        const answer = await providerHttp.request(request);
        if (!step("answer")) throw new HttpFailure("reset", true, "the worker is dead");
        return answer;
      },
    }),
  };
  const groupCommit = new GroupCommit<Context>(worker.db, () => worker);
  const background = unhindered(worker.db);
  return { worker: { ...worker, groupCommit, background }, died: died.promise, last: () => last };
}
