import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";
import { LostCommit } from "../lib/lost-commit.ts";
import type { Tx } from "./database.ts";
import { describeInLine } from "./describe-for-log.ts";
import { countStatement, runStatement, type StatementLane } from "./run-statement.ts";
import { isLostConnection } from "./sql-state.ts";
import { WritableClient } from "./writable-client.ts";

/** A connection while it is lent. */
export interface Lent {
  readonly client: pg.PoolClient;
  /** Under which its statements are timed. */
  readonly lane: StatementLane;
  /** Pass each statement's promise through it: it limits the wait for the answer. */
  readonly ask: <T>(asked: Promise<T>) => Promise<T>;
  readonly giveBack: (broken: boolean) => void;
}

/**
 * Runs `work` once, in a transaction on a lent connection. The connection is given back as broken when not even the
 * rollback succeeded. `Db.transaction` says what is promised.
 */
export async function runTransaction<T>(
  { client, lane, ask, giveBack }: Lent,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const after: (() => void)[] = [];
  let open = true;
  let broken = false;
  let committing: Promise<pg.QueryResult> | undefined;
  let answered = false;
  const savepoints = { depth: 0 };
  const pending: Promise<unknown>[] = [];
  const last: (() => Promise<unknown>)[] = [];
  // The error of a statement that failed before it reached the database. Then the commit must not be sent.
  let unsent: { readonly error: unknown } | undefined;
  const later = (statement: Promise<unknown>) => {
    statement.catch((error: unknown) => (unsent ??= { error }));
    pending.push(statement);
  };
  const tx: Tx = {
    kind: "tx",
    query(statement) {
      if (!open) throw new Error("transaction used after its end");
      return ask(runStatement(client, statement, lane));
    },
    async script(text) {
      // Without a name and values the driver sends the text as it is; a prepared statement is one alone.
      await ask(client.query(text));
    },
    later,
    beforeCommit(statement) {
      last.push(statement);
    },
    async sendLast() {
      for (const statement of last.splice(0)) later(statement());
      await Promise.all(pending);
    },
    afterCommit(action) {
      after.push(action);
    },
    async savepoint(attempt) {
      const name = `s${++savepoints.depth}`;
      const before = pending.length;
      const lastBefore = last.length;
      const earlier = unsent;
      await ask(client.query(`savepoint ${name}`));
      try {
        const value = await attempt();
        await Promise.all(pending.slice(before));
        await ask(client.query(`release savepoint ${name}`));
        return value;
      } catch (error) {
        await ask(client.query(`rollback to savepoint ${name}`));
        pending.length = before;
        last.length = lastBefore;
        unsent = earlier;
        throw error;
      } finally {
        savepoints.depth--;
      }
    },
  };
  try {
    // Sent with the first statement, not before it. The connection answers in order, and `work` gets the errors of its
    // own statements.
    later(ask(client.query("begin")));
    const value = await work(tx);
    if (last.length > 0) {
      for (const statement of last.splice(0)) later(statement());
      // A statement that fails before it is sent has failed a turn later, and then nothing is committed.
      await nextTurn();
    }
    open = false;
    if (unsent) throw unsent.error;
    const sentAt = performance.now();
    committing = ask(client.query("commit"));
    committing.catch(() => {});
    await Promise.all(pending);
    const { command } = await committing;
    answered = true;
    countStatement("commit", sentAt);
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
    if (command !== "COMMIT") throw new Error("transaction was rolled back");
    if (client instanceof WritableClient && client.unconfirmed) {
      broken = true;
      throw new LostCommit("a commit was cut short before the standby had it");
    }
    for (const action of after) action();
    return value;
  } catch (error) {
    open = false;
    await ask(client.query("rollback")).catch(() => (broken = true));
    throw await reasonOf(error, pending, answered ? undefined : committing);
  } finally {
    giveBack(broken);
  }
}

/** Why a transaction failed: what failed first; LostCommit when its `commit` was sent and the answer was lost. */
async function reasonOf(
  error: unknown,
  pending: readonly Promise<unknown>[],
  commit: Promise<unknown> | undefined,
): Promise<unknown> {
  // When a statement of `later` failed, it is the reason why everything after it failed.
  const first = (await Promise.allSettled(pending)).find((one) => one.status === "rejected");
  const reason: unknown = first ? first.reason : error;
  // The commit's own answer decides: after a failed statement it says that nothing was stored.
  const [answer] = await Promise.allSettled(commit ? [commit] : []);
  return answer?.status === "rejected" && isLostConnection(answer.reason)
    ? new LostCommit(`the answer to a commit was lost: ${describeInLine(reason)}`)
    : reason;
}
