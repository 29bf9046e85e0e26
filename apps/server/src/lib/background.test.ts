import assert from "node:assert/strict";
import { test } from "node:test";
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { createBackground } from "./background.ts";

/** A database in which every statement is a transaction of its own. */
function standIn(asked = async (): Promise<[]> => []): Db {
  const never = () => Promise.reject(new Error("not asked here"));
  return {
    kind: "db",
    query: asked,
    read: asked,
    transaction: never,
    slowQuery: asked,
    origin: {},
    within: () => standIn(asked),
    forWork: () => standIn(asked),
    poolUse: () => [],
    close: async () => {},
  };
}

/** A clock that moves with the rests, and a database in which others do this many transactions a second. */
function bench(othersPerSecond: number) {
  const state = {
    at: 0,
    own: 0,
    othersPerSecond,
    others: 0,
    rests: [] as number[],
  };
  const pass = (ms: number) => {
    state.at += ms;
    state.others += (ms / 1_000) * state.othersPerSecond;
  };
  const background = createBackground({
    db: standIn(async () => {
      state.own += 1;
      return [];
    }),
    now: () => state.at,
    transactions: async () => {
      state.own += 1;
      return state.own + Math.floor(state.others);
    },
    rest: async (ms) => {
      state.rests.push(ms);
      pass(ms);
    },
  });
  const work = (ms: number) =>
    background.piece(async (db) => {
      await db.query(sql`select`);
      pass(ms);
    });
  /** Waits until it is known whether others are there. */
  const settle = async () => {
    for (let piece = 0; piece < 60; piece++) {
      await background.size(1_000);
      await work(100);
    }
    state.rests.length = 0;
  };
  return { state, background, pass, work, settle };
}

test("beside requests a piece has a fifth of the rows, and a rest follows that is as long as the piece took", async () => {
  const { state, background, work, settle } = bench(100);
  await settle();
  assert.equal(await background.size(1_000), 200);
  await work(40);
  await work(30);
  await work(30);
  assert.deepEqual(state.rests.slice(1), [40, 30]);
});

test("when nobody else is there, pieces are whole and follow each other at once", async () => {
  const { state, background, work, settle } = bench(0);
  await settle();
  assert.equal(await background.size(1_000), 1_000);
  await work(40);
  await work(40);
  assert.deepEqual(state.rests, []);
});

test("the workers' own polling does not count as others' use", async () => {
  const { background, settle } = bench(35);
  await settle();
  assert.equal(await background.size(1_000), 1_000);
});

test("its own transactions never count as others', however many they are", async () => {
  const { state, background, work, settle } = bench(0);
  await settle();
  for (let piece = 0; piece < 2_000; piece++) {
    // First the statements before a piece, then those of the piece.
    await background.db.query(sql`select`);
    await background.db.within(1_000).read(sql`select`);
    await background.piece(async (db) => {
      await db.slowQuery(sql`select`, 1_000);
      await db.read(sql`select`);
    });
    await work(5);
  }
  assert.equal(await background.size(500), 500);
  assert.deepEqual(state.rests, []);
});

test("at first others count as there", async () => {
  const { state, background, work } = bench(0);
  assert.equal(await background.size(1_000), 200);
  await work(30);
  await work(30);
  assert.deepEqual(state.rests, [30]);
});

for (const [others, size] of [
  [0, 1_000],
  [100, 200],
] as const)
  test(`after an earlier watch, the first piece knows whether others are there (${others} a second)`, async () => {
    const { state, background, pass, work } = bench(others);
    for (let look = 0; look < 3; look++) {
      await background.watch();
      pass(1_000);
    }
    assert.equal(await background.size(1_000), size);
    await work(30);
    await work(30);
    assert.deepEqual(state.rests, others > 0 ? [30] : []);
  });

test("it notices within four seconds when others come or go", async () => {
  const { state, background, work, settle } = bench(0);
  await settle();
  const until = async (size: number) => {
    const begun = state.at;
    while ((await background.size(1_000)) !== size) await work(100);
    return state.at - begun;
  };
  state.othersPerSecond = 200;
  assert.ok((await until(200)) <= 4_500);
  state.othersPerSecond = 0;
  assert.ok((await until(1_000)) <= 5_500);
});

test("a piece of several seconds is followed by a rest of a quarter of a second, also when several end at once", async () => {
  const { state, background, work, settle } = bench(100);
  await settle();
  await background.piece(async () => {});
  state.rests.length = 0;
  await Promise.all([work(5_000), work(5_000), work(5_000)]);
  await work(1);
  assert.ok(state.rests.reduce((sum, ms) => sum + ms, 0) <= 500, String(state.rests));
});

test("a piece that fails gives its own error, and the rest follows all the same", async () => {
  const { state, background, work, settle } = bench(100);
  await settle();
  await background.piece(async () => {});
  state.rests.length = 0;
  const failing = background.piece(async () => {
    state.at += 50;
    throw new Error("refused");
  });
  await assert.rejects(failing, /refused/);
  await work(1);
  assert.deepEqual(state.rests.slice(-1), [50]);
});

test("when the database cannot tell, others count as there", async () => {
  const background = createBackground({
    db: standIn(),
    transactions: async () => {
      throw new Error("away");
    },
  });
  assert.equal(await background.piece(async () => 7), 7);
});
