import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import type { Tx } from "../db/database.ts";
import { GroupCommit, GroupCommitFull, SomeRefused, type Settled } from "./group-commit.ts";

const WAIT_MS = 5_000;

let started: TestApp;
before(async () => void (started = await startTestApp()));
after(() => started[Symbol.asyncDispose]());

/** Takes longer than anybody waits. It fails for all items when one of them is bad, as a statement does. */
async function store(
  clock: { now: number },
  _tx: Tx,
  items: readonly string[],
): Promise<Settled<string>[]> {
  clock.now += WAIT_MS + 1;
  if (items.includes("bad")) throw new TypeError("a row that does not fit");
  return items.map((value) => ({ ok: true, value }));
}

test("a write that waited too long beside a failing one is told to come again, and does not get the other's error", async (t) => {
  const clock = { now: performance.now() };
  t.mock.method(performance, "now", () => clock.now);
  const commits = new GroupCommit(started.app.db, () => clock, WAIT_MS);
  const told = await Promise.allSettled(["good", "bad"].map((item) => commits.submit(store, item)));
  assert.deepEqual(
    told.map((one) => one.status === "rejected" && one.reason instanceof GroupCommitFull),
    [true, true],
  );
  await assert.rejects(commits.submit(store, "bad"), TypeError);
});

/** The calls of one queue: each with its items, and how many were under way at once. */
interface Book {
  readonly done: (readonly string[])[];
  under: number;
  most: number;
}
const newBook = (): Book => ({ done: [], under: 0, most: 0 });

async function write(book: Book, _tx: Tx, items: readonly string[]): Promise<Settled<string>[]> {
  book.most = Math.max(book.most, ++book.under);
  await new Promise((next) => setImmediate(next));
  book.under--;
  if (items.includes("bad")) throw new TypeError("a row that does not fit");
  book.done.push(items);
  return items
    .filter((item) => item !== "forgotten")
    .map((item) =>
      item === "refused"
        ? { ok: false, error: new RangeError("not this one") }
        : { ok: true, value: item.toUpperCase() },
    );
}

test("one bad row fails alone: each of the others is written once and gets its own answer", async () => {
  const book = newBook();
  const commits = new GroupCommit(started.app.db, () => book);
  const told = await Promise.allSettled(
    ["a", "refused", "bad", "b"].map((item) => commits.submit(write, item)),
  );
  assert.deepEqual(
    told.map((one) => (one.status === "fulfilled" ? one.value : one.reason.constructor)),
    ["A", RangeError, TypeError, "B"],
  );
  assert.deepEqual(book.done, [["a"], ["refused"], ["b"]]);
  await assert.rejects(commits.submit(write, "forgotten"), /too few/);
});

test("refused items that must leave nothing behind undo the transaction, and the others share the next one", async () => {
  const book = newBook();
  const strictly = async (of: Book, tx: Tx, items: readonly string[]) => {
    const refused = items.flatMap((item, at) =>
      item === "refused" ? [[at, new RangeError("not this one")] as const] : [],
    );
    if (refused.length > 0) throw new SomeRefused(new Map(refused));
    return write(of, tx, items);
  };
  const commits = new GroupCommit(started.app.db, () => book);
  const told = await Promise.allSettled(
    ["refused", "a", "b", "refused"].map((item) => commits.submit(strictly, item)),
  );
  assert.deepEqual(
    told.map((one) => (one.status === "fulfilled" ? one.value : one.reason.constructor)),
    [RangeError, "A", "B", RangeError],
  );
  assert.deepEqual(book.done, [["a", "b"]]);
  await assert.rejects(commits.submit(strictly, "refused"), RangeError);
});

test("while a batch is under way the next one gathers, and a stop waits for both", async () => {
  const book = newBook();
  const commits = new GroupCommit(started.app.db, () => book);
  await commits.settled();
  const first = commits.submit(write, "a");
  await new Promise((next) => setImmediate(next));
  const rest = ["b", "c"].map((item) => commits.submit(write, item));
  await commits.settled();
  assert.deepEqual([book.done, book.most], [[["a"], ["b", "c"]], 1]);
  assert.deepEqual(await Promise.all([first, ...rest]), ["A", "B", "C"]);
});

test("a write that waited too long behind another batch is refused and not begun", async (t) => {
  const clock = { now: performance.now() };
  t.mock.method(performance, "now", () => clock.now);
  const begun: string[] = [];
  const slow = async (_context: null, _tx: Tx, items: readonly string[]) => {
    begun.push(...items);
    clock.now += WAIT_MS + 1;
    return items.map((value) => ({ ok: true, value }) as const);
  };
  const commits = new GroupCommit(started.app.db, () => null, WAIT_MS);
  const all = Array.from({ length: 17 }, (_, index) => commits.submit(slow, `${index}`));
  const told = await Promise.allSettled(all);
  // The last one did not fit into the first batch.
  assert.equal(begun.length, 16);
  assert.deepEqual(
    told.map((one) => one.status === "rejected" && one.reason instanceof GroupCommitFull),
    [...Array.from({ length: 16 }, () => false), true],
  );
});

test("when ten thousand writes wait, the next one is told to come again", async () => {
  const commits = new GroupCommit(started.app.db, () => newBook());
  const all = Array.from({ length: 10_000 }, (_, index) => commits.submit(write, `${index}`));
  await assert.rejects(commits.submit(write, "late"), GroupCommitFull);
  assert.equal((await Promise.all(all)).length, 10_000);
});
