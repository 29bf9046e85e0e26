import type { Context } from "../../src/context.ts";
import type { Tx } from "../../src/db/database.ts";
import type { Sql } from "../../src/db/sql.ts";
import { unhindered } from "../../src/lib/background.fixture.ts";
import { GroupCommit } from "../../src/lib/group-commit.ts";
import { HttpFailure } from "../../src/lib/http.ts";
import { streaming } from "../streaming.ts";

const never = <T>() => new Promise<T>(() => {});

/**
 * The context of a worker that dies after so many steps: statements, and calls before they leave and before they are
 * answered. The dead neither write nor call; what they had not committed is undone. With `commits` also before and after
 * each commit, and after what is written without a transaction: done, and the worker never heard of it.
 */
export function mortal(context: Context, steps: number, commits = false) {
  const died = Promise.withResolvers<"died">();
  let left = steps;
  let dead = false;
  const step = (): boolean => {
    if (dead || left-- > 0) return !dead;
    dead = true;
    died.resolve("died");
    return false;
  };
  const { db, providerHttp } = context;
  const tied = (tx: Tx): Tx => ({
    ...tx,
    query: (statement) =>
      step() ? tx.query(statement) : Promise.reject(new Error("the worker is dead")),
  });
  /** True: it lives on. */
  const done = (): boolean => !commits || step();
  const lone = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!step()) return never();
    const value = await work();
    return done() ? value : never();
  };
  const worker: Context = {
    ...context,
    db: {
      ...db,
      query: <Row extends object>(statement: Sql) => lone(() => db.query<Row>(statement)),
      read: <Row extends object>(statement: Sql) => lone(() => db.read<Row>(statement)),
      async transaction(work) {
        if (dead) return never();
        try {
          const value = await db.transaction(async (tx) => {
            const result = await work(tied(tx));
            if (!done()) throw new Error("the worker died before its commit");
            return result;
          });
          return done() ? value : await never();
        } catch (error) {
          if (dead) return never();
          throw error;
        }
      },
    },
    providerHttp: streaming({
      async request(request) {
        // Not left hanging: a waiter for calls would look at the clock for ever. Its reaction to this is never written.
        if (!step()) throw new HttpFailure("connect", false, "the worker is dead");
        const answer = await providerHttp.request(request);
        if (!step()) throw new HttpFailure("reset", true, "the worker is dead");
        return answer;
      },
    }),
  };
  const groupCommit = new GroupCommit<Context>(worker.db, () => worker);
  const background = unhindered(worker.db);
  return { worker: { ...worker, groupCommit, background }, died: died.promise };
}
