import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { emitEvents } from "../../../src/webhooks/emit-events.ts";
import { pruneEvents } from "../../../src/webhooks/prune-events.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Page {
  readonly items: readonly { readonly sequence: number; readonly type: string }[];
  readonly nextAfter: number;
  readonly hasMore: boolean;
  readonly oldestSequence: number | null;
  readonly gap: boolean;
}

/** Contacts of a workspace of its own: each is an event. */
async function workspaceWith(contacts: number) {
  const { workspaceId, bearer } = await api.newWorkspace();
  for (let index = 0; index < contacts; index++)
    await api.call("POST", "/contacts", { bearer, json: { email: `a${index}@b.co`, name: "é ✓" } });
  const read = async (query = "") => {
    const answer = await api.call("GET", `/events${query}`, { bearer });
    assert.equal(answer.status, 200, answer.text);
    return { page: answer.body as unknown as Page, text: answer.text };
  };
  return { workspaceId, bearer, read };
}
const sequences = (page: Page) => page.items.map((one) => one.sequence);

test("a workspace without an event has an empty page, and reading on from it finds the first", async () => {
  const { read, workspaceId } = await workspaceWith(0);
  const empty = { items: [], nextAfter: 0, hasMore: false, oldestSequence: null, gap: false };
  assert.deepEqual((await read()).page, empty);
  assert.deepEqual((await read("?after=0")).page, empty);
  await tellUsage(workspaceId);
  assert.deepEqual(sequences((await read("?after=0")).page), [1]);
});

test("events without any endpoint are there, in order, the stored bytes as they are; no other workspace's", async () => {
  const { read, workspaceId } = await workspaceWith(3);
  await workspaceWith(1);
  const { text, page } = await read();
  const stored = await api.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${workspaceId} order by sequence`,
  );
  assert.equal(stored.length, 3);
  assert.ok(text.startsWith(`{"items":[${stored.map((row) => row.body).join(",")}],`));
  assert.deepEqual(
    { ...page, items: sequences(page) },
    { items: [1, 2, 3], nextAfter: 3, hasMore: false, oldestSequence: 1, gap: false },
  );
});

test("page after page from any point gives every event once", async () => {
  const { read } = await workspaceWith(7);
  for (const limit of [1, 2, 3, 7, 8, 500, 100_000]) {
    const seen: number[] = [];
    let after = 2;
    for (let more = true; more;) {
      const { page } = await read(`?after=${after}&limit=${limit}`);
      assert.ok(page.items.length <= limit && !page.gap);
      seen.push(...sequences(page));
      after = page.nextAfter;
      more = page.hasMore;
    }
    assert.deepEqual(seen, [3, 4, 5, 6, 7], `limit ${limit}`);
  }
});

test("of some kinds alone: others are passed over and the place moves on past them", async () => {
  const { read, workspaceId, bearer } = await workspaceWith(2);
  await tellUsage(workspaceId);
  await api.call("POST", "/contacts", { bearer, json: { email: "c@b.co" } });
  const kinds = async (types: string) => (await read(`?after=0&types=${types}`)).page;
  const usage = await kinds("usage.threshold");
  assert.deepEqual(sequences(usage), [3]);
  assert.deepEqual([usage.nextAfter, usage.hasMore], [4, false]);
  assert.deepEqual(sequences(await kinds("usage.threshold,contact.created")), [1, 2, 3, 4]);
  const again = "usage.threshold&types=contact.created";
  assert.deepEqual(sequences(await kinds(again)), [1, 2, 3, 4], "as generated clients write it");
  assert.deepEqual(sequences(await kinds("")), [1, 2, 3, 4]);
  const none = await kinds("otp.status");
  assert.deepEqual([sequences(none), none.nextAfter, none.hasMore], [[], 4, false]);
  const first = (await read("?types=contact.created&limit=2")).page;
  assert.deepEqual([sequences(first), first.nextAfter, first.hasMore], [[1, 2], 2, true]);
});

test("a look for rare kinds has an end: the page is empty and says where to read on", async () => {
  const { read, workspaceId } = await workspaceWith(0);
  await tellUsage(workspaceId, 5_003);
  const first = (await read("?types=otp.status")).page;
  assert.deepEqual([sequences(first), first.nextAfter, first.hasMore], [[], 5_000, true]);
  const second = (await read("?types=otp.status&after=5000")).page;
  assert.deepEqual([sequences(second), second.nextAfter, second.hasMore], [[], 5_003, false]);
});

test("kept for 30 days; a place before the oldest answers from the oldest and says so", async () => {
  const { read, workspaceId, bearer } = await workspaceWith(3);
  api.clock.advance(30 * 24 * 60 * 60 * 1_000 - 1_000);
  await api.call("POST", "/contacts", { bearer, json: { email: "late@b.co" } });
  await prune();
  assert.deepEqual(sequences((await read()).page), [1, 2, 3, 4], "a second before their time");
  api.clock.advance(2_000);
  await prune();
  const { page } = await read("?after=1");
  assert.deepEqual([sequences(page), page.oldestSequence, page.gap], [[4], 4, true]);
  assert.equal((await read("?after=0")).page.gap, true);
  assert.equal((await read()).page.gap, false, "who asks for the oldest misses nothing");
  assert.equal((await read("?after=3")).page.gap, false, "the next is there");
  // All gone: the numbers go on, and a reader is not led back.
  api.clock.advance(31 * 24 * 60 * 60 * 1_000);
  await prune();
  assert.deepEqual((await read("?after=1")).page, {
    items: [],
    nextAfter: 4,
    hasMore: false,
    oldestSequence: null,
    gap: true,
  });
  assert.equal((await read("?after=4")).page.gap, false);
  await tellUsage(workspaceId);
  assert.deepEqual(sequences((await read("?after=4")).page), [5]);
});

test("a place that was never given out is a gap, and reading goes on from the last", async () => {
  const { read } = await workspaceWith(2);
  for (const after of ["3", "9".repeat(400)]) {
    const { page } = await read(`?after=${after}`);
    assert.deepEqual([sequences(page), page.nextAfter, page.gap], [[], 2, true]);
  }
});

test("what is no place, no number and no kind is refused by name", async () => {
  for (const [query, path] of [
    ["after=-1", "after"],
    ["after=x", "after"],
    ["after=", "after"],
    ["after=1.5", "after"],
    ["limit=0", "limit"],
    ["types=message.sent", "types.0"],
    ["types=contact.created,", "types.1"],
    ["types=contact.created&types=message.sent", "types.1"],
    ["limit=1&limit=2", "limit"],
  ] as const) {
    const { status, body } = await api.call("GET", `/events?${query}`);
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, [path]], query);
  }
});

async function prune(): Promise<void> {
  while ((await pruneEvents(api.app, 1_000)) > 0);
}

async function tellUsage(workspaceId: string, count = 1): Promise<void> {
  const at = api.clock.now().toISOString();
  const data = { percent: 80, limit: 10, usage: 8, periodStart: at, periodEnd: at } as const;
  const event = { workspaceId, type: "usage.threshold", data } as const;
  await api.app.db.transaction((tx) =>
    emitEvents(
      api.app,
      tx,
      Array.from({ length: count }, () => event),
    ),
  );
}
