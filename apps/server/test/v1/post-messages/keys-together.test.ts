import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import fc from "fast-check";
import { insertLocked } from "../../../src/api-keys/kept-answers.ts";
import { buildApp } from "../../../src/app.ts";
import { sql } from "../../../src/db/sql.ts";
import { buildHttp } from "../../../src/http/server.ts";
import { GroupCommit } from "../../../src/lib/group-commit.ts";
import { CALM } from "../../harness.ts";
import { runsOf } from "../../property/runs.ts";
import { startApi, type Api } from "../api.ts";
import { connectWhatsApp, openConversation } from "../fixtures.ts";

// Replies with an Idempotency-Key that share one transaction: each is stored with its answer or not at all, and what
// happens to one key is no matter of its neighbours.

let api: Api;
let conversationId: string;
before(async () => {
  api = await startApi();
  conversationId = await openConversation(api, { channelId: await connectWhatsApp(api) });
});
after(() => api[Symbol.asyncDispose]());

let names = 0;
/** Keys, and texts of the same name, that no other test uses. */
const fresh = (count: number): string[] => Array.from({ length: count }, () => `key ${++names}`);

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(
  key: string,
  { http = api.http, to = conversationId, bearer = api.bearer } = {},
): Promise<Sent> {
  const answer = await http.inject({
    method: "POST",
    url: "/api/v1/messages",
    headers: {
      authorization: `Bearer ${bearer}`,
      "idempotency-key": key,
      "content-type": "application/json",
    },
    payload: JSON.stringify({ conversationId: to, text: key }),
  });
  const { statusCode: status, body: text, headers } = answer;
  return { status, text, replayed: headers["idempotency-replayed"] === "true" };
}

const idOf = ({ text }: Sent): unknown => (JSON.parse(text) as { id?: unknown }).id;

/** The ids of the messages with each text, and the transaction that stored each. */
async function stored(texts: readonly string[]): Promise<{
  readonly ids: readonly string[][];
  readonly transactions: ReadonlySet<string>;
}> {
  const rows = await api.app.db.query<{ id: string; text: string; transaction: string }>(sql`
    select id, text, xmin::text as transaction from message
    where workspace_id = ${api.workspaceId} and text = any(${texts})`);
  return {
    ids: texts.map((text) => rows.filter((row) => row.text === text).map(({ id }) => id)),
    transactions: new Set(rows.map(({ transaction }) => transaction)),
  };
}

/**
 * Has calls share a transaction: `begin` starts them, and the conversation is held until all of them wait for it. `during`
 * runs before it is set free.
 */
async function together<T>(
  count: number,
  begin: () => readonly Promise<T>[],
  during: () => Promise<unknown> = () => Promise.resolve(),
): Promise<T[]> {
  const submitted = mock.method(GroupCommit.prototype, "submit");
  try {
    let answers: Promise<T[]> | undefined;
    await api.app.db.transaction(async (tx) => {
      await tx.query(sql`
        select 1 from conversation where workspace_id = ${api.workspaceId} and id = ${conversationId} for update`);
      answers = Promise.all(begin());
      while (submitted.mock.callCount() < count) await nextTurn();
      await during();
    });
    return (await answers) ?? [];
  } finally {
    submitted.mock.restore();
  }
}

/** Every key has its answer, and one message with the id that was answered. */
async function eachOnce(keys: readonly string[], answers: readonly Sent[]): Promise<void> {
  assert.deepEqual(
    answers.map(({ status }) => status),
    keys.map(() => 201),
  );
  const { ids } = await stored(keys);
  assert.deepEqual(
    ids,
    answers.map((one) => [idOf(one)]),
  );
  const repeated = await Promise.all(keys.map((key) => send(key)));
  assert.deepEqual(
    repeated,
    answers.map(({ status, text }) => ({ status, text, replayed: true })),
  );
}

/** The messages were stored together; the first may have gone ahead of the others. */
async function shared(texts: readonly string[]): Promise<void> {
  const { transactions } = await stored(texts);
  assert.ok(transactions.size <= 2, `${transactions.size} transactions`);
}

test("calls with keys that arrive together share a transaction, each with its answer under its key", async () => {
  const keys = fresh(16);
  const answers = await together(16, () => keys.map((key) => send(key)));
  await eachOnce(keys, answers);
  await shared(keys);
});

test("a neighbour that is refused is refused alone, and its refusal is kept", async () => {
  const [bad = "", ...keys] = fresh(6);
  const [refused, ...answers] = await together(6, () => [
    send(bad, { to: "none" }),
    ...keys.map((key) => send(key)),
  ]);
  assert.ok(refused);
  assert.deepEqual([refused.status, refused.replayed], [400, false]);
  assert.match(refused.text, /CONVERSATION_NOT_FOUND/);
  assert.deepEqual(await send(bad, { to: "none" }), { ...refused, replayed: true });
  await eachOnce(keys, answers);
});

test("a key that another process has taken meanwhile gives the other's answer; its own message is undone, and its neighbours' are not", async () => {
  const [taken = "", ...keys] = fresh(6);
  const first = await send(taken);
  const row = sql`key = ${taken} and workspace_id = ${api.workspaceId}`;
  const { db } = api.app;
  await db.query(sql`create table other_process as select * from idempotency_key where ${row}`);
  await db.query(sql`delete from idempotency_key where ${row}`);
  const [second, ...answers] = await together(
    6,
    () => [taken, ...keys].map((key) => send(key)),
    // As if the other process had committed its message now.
    () => db.query(sql`insert into idempotency_key select * from other_process`),
  );
  assert.deepEqual(second, { ...first, replayed: true });
  assert.deepEqual((await stored([taken])).ids, [[idOf(first)]]);
  await eachOnce(keys, answers);
  await shared(keys);
});

test("a key under which another process works is refused alone, until the other has ended", async () => {
  const [busy = "", known = "", ...keys] = fresh(7);
  await send(known);
  const { db, clock } = api.app;
  const [caller] = await db.query<{ id: string }>(
    sql`select api_key_id as id from idempotency_key where key = ${known}`,
  );
  const call = { workspaceId: api.workspaceId, callerId: caller?.id ?? "", key: busy };
  const open = { fingerprint: Buffer.alloc(32), status: 201, body: "{}", createdAt: clock.now() };
  let answers: Sent[] = [];
  const undone = db.transaction(async (tx) => {
    assert.equal(await insertLocked(tx, call, open, new Date(0)), true);
    answers = await together(6, () => [busy, ...keys].map((key) => send(key)));
    throw new Error("the other process died");
  });
  await assert.rejects(undone, /died/);
  const [refused, ...others] = answers;
  assert.equal(refused?.status, 409);
  assert.match(refused.text, /IDEMPOTENCY_IN_PROGRESS/);
  assert.deepEqual((await stored([busy])).ids, [[]]);
  await eachOnce(keys, others);
  await shared(keys);
  await eachOnce([busy], [await send(busy)]);
});

test("a connection that is cut in the middle: repeated with its key, every message is stored once", async () => {
  const keys = fresh(8);
  const { db } = api.app;
  const waits = sql`datname = current_database() and wait_event_type = 'Lock'`;
  const first = await together(
    8,
    () => keys.map((key) => send(key)),
    async () => {
      for (let cut = 0; cut === 0;)
        cut = (
          await db.query(sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waits}`)
        ).length;
    },
  );
  for (const { status } of first) assert.ok(status === 201 || status === 503, String(status));
  const again = keys.map((key, index) => {
    const one = first[index];
    return one?.status === 201 ? Promise.resolve(one) : send(key);
  });
  await eachOnce(keys, await Promise.all(again));
});

interface Twin extends AsyncDisposable {
  readonly http: FastifyInstance;
}

/** Another process of the same installation. */
async function startTwin(): Promise<Twin> {
  const second = await buildApp(
    api.app.config,
    { masterKey: Buffer.alloc(32) },
    { clock: api.clock, pressure: CALM },
  );
  // The fingerprint key follows from the master key, which processes share.
  const http = await buildHttp({ ...second, sealer: api.app.sealer });
  return {
    http,
    async [Symbol.asyncDispose]() {
      await http.close();
      await second[Symbol.asyncDispose]();
    },
  };
}

interface Asked {
  readonly key: number;
  readonly process: 0 | 1;
}

const KEYS = 4;
const asked = fc.record({
  key: fc.nat(KEYS - 1),
  process: fc.constantFrom<0 | 1>(0, 1),
});

test("calls at once through two processes: one message for each key, one answer, or that the first is under way", async () => {
  await using twin = await startTwin();
  const doors = [api.http, twin.http] as const;
  const oneRun = async (calls: readonly Asked[], withoutThread: ReadonlySet<number>) => {
    const keys = fresh(KEYS);
    // A new one for each run: a key may make so many calls a minute.
    const bearer = await api.key();
    const ask = ({ key, process }: Asked) =>
      send(keys[key] ?? "", {
        http: doors[process],
        bearer,
        ...(withoutThread.has(key) && { to: "none" }),
      });
    const answers = await Promise.all(calls.map(ask));
    const { ids } = await stored(keys);
    for (const [key, name] of keys.entries()) {
      const mine = answers.filter((_, at) => calls[at]?.key === key);
      if (mine.length === 0) continue;
      const decided = mine.filter(({ status }) => status !== 409);
      const last = await Promise.all(([0, 1] as const).map((process) => ask({ key, process })));
      const status = withoutThread.has(key) ? 400 : 201;
      assert.deepEqual(
        last.map((one) => [one.status, one.replayed]),
        [
          [status, true],
          [status, true],
        ],
        name,
      );
      assert.equal(new Set([...decided, ...last].map(({ text }) => text)).size, 1, name);
      assert.equal(decided.filter(({ replayed }) => !replayed).length, 1, name);
      assert.deepEqual(ids[key], status === 201 ? last.slice(0, 1).map(idOf) : [], name);
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(asked, { minLength: 6, maxLength: 24 }),
      fc.uniqueArray(fc.nat(KEYS - 1), { maxLength: 1 }),
      (calls, none) => oneRun(calls, new Set(none)),
    ),
    { numRuns: runsOf(30) },
  );
});
