import assert from "node:assert/strict";
import { test } from "node:test";
import { everyOf } from "../src/call.ts";
import { Transport } from "../src/transport.ts";
import { collect, GET, says, StandIn } from "./stand-in.ts";

const rate = (remaining: number, reset: number) => ({
  "ratelimit-limit": "120",
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(reset),
});

test("what the server says of the rate is kept", async () => {
  const server = new StandIn([says(200, {}, rate(41, 12))]);
  assert.equal(server.transport.rate.current, null);
  await server.transport.call(GET, {});
  assert.deepEqual(server.transport.rate.current, {
    limit: 120,
    remaining: 41,
    resetAt: new Date(1_012_000),
  });
});

test("with waitForRateLimit a request that would be refused waits; without it goes", async () => {
  const answers = [says(200, {}, rate(0, 9)), says(200, {}, rate(0, 60))];
  const waiting = new StandIn(answers, { waitForRateLimit: true });
  await waiting.transport.call(GET, {});
  await waiting.transport.call(GET, {});
  assert.deepEqual(waiting.waits, [9_000]);
  const eager = new StandIn(answers);
  await eager.transport.call(GET, {});
  await eager.transport.call(GET, {});
  assert.deepEqual(eager.waits, []);
});

test("of those that wait together one goes first, and the others look again a second later", async () => {
  const answer = says(200, {}, rate(0, 5));
  const server = new StandIn([answer, answer, answer, answer], { waitForRateLimit: true });
  await server.transport.call(GET, {});
  await Promise.all([1, 2, 3].map(() => server.transport.call(GET, {})));
  assert.equal(server.sent.length, 4);
  assert.deepEqual(server.waits.slice(0, 2), [5_000, 1_000]);
});

/** A server that lets `limit` requests pass in any minute, and a clock that goes on when all wait. */
class Limited {
  readonly #limit: number;
  readonly #passed: number[];
  readonly #waiting: { at: number; wake: () => void }[] = [];
  readonly transport: Transport;
  now = 0;
  refused = 0;
  constructor(limit: number, passed: readonly number[]) {
    this.#limit = limit;
    this.#passed = [...passed];
    const around = {
      now: () => this.now,
      random: () => 0.5,
      sleep: (ms: number) =>
        new Promise<void>((wake) => this.#waiting.push({ at: this.now + ms, wake })),
    };
    this.transport = new Transport(
      {
        baseUrl: "https://parley.test/api",
        apiKey: "pk:sk",
        timeoutMs: 30_000,
        giveUpAfterMs: undefined,
        maxRetries: undefined,
        maxWaitMs: 60_000,
        waitForRateLimit: false,
        headers: {},
        fetch: () => Promise.resolve(this.#answer()),
        onAttempt: undefined,
      },
      around,
    );
  }

  #answer(): Response {
    while (this.#passed[0] !== undefined && this.#passed[0] <= this.now - 60_000)
      this.#passed.shift();
    const passes = this.#passed.length < this.#limit;
    if (passes) this.#passed.push(this.now);
    else this.refused++;
    const reset = Math.ceil(((this.#passed[0] ?? 0) + 60_000 - this.now) / 1_000);
    const headers = {
      "ratelimit-limit": String(this.#limit),
      "ratelimit-remaining": String(this.#limit - this.#passed.length),
      "ratelimit-reset": String(reset),
      ...(!passes && { "retry-after": String(reset) }),
    };
    const body = passes ? { fine: true } : { statusCode: 429, message: "RATE_LIMITED" };
    return new Response(JSON.stringify(body), { status: passes ? 200 : 429, headers });
  }

  /** Wakes one after the other until all is done. */
  async run(work: Promise<unknown>): Promise<void> {
    let done = false;
    void work.finally(() => (done = true));
    while (!done) {
      await new Promise(setImmediate);
      this.#waiting.sort((a, b) => a.at - b.at);
      const next = this.#waiting.shift();
      if (!next) continue;
      this.now = next.at;
      next.wake();
    }
  }
}

test("of a burst that the rate limit refuses none fails: those that wait take turns", async () => {
  // 100 calls over the 15 seconds before.
  const server = new Limited(
    120,
    Array.from({ length: 100 }, (_, n) => n * 150 - 15_000),
  );
  const burst = Promise.all(Array.from({ length: 120 }, () => server.transport.call(GET, {})));
  await server.run(burst);
  assert.equal((await burst).length, 120);
  assert.ok(server.now < 90_000, String(server.now));
  assert.ok(server.refused < 200, `${server.refused} were refused`);
});

interface Item {
  readonly id: string;
}
const ids = (all: readonly Item[]): string[] => all.map(({ id }) => id);
const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }));

test("a numbered list is read to its end, and an entry that moved to the next page is shown once", async () => {
  const pages = [
    { items: items("e", "d"), total: 5, page: 1, pageSize: 2 },
    { items: items("d", "c"), total: 6, page: 2, pageSize: 2 },
    { items: items("b", "a"), total: 6, page: 3, pageSize: 2 },
  ];
  const asked: unknown[] = [];
  const read = async (position: object) => {
    asked.push(position);
    return pages[asked.length - 1] ?? assert.fail("read past the end");
  };
  const found = ids(await collect(everyOf(read)));
  assert.deepEqual(found, ["e", "d", "c", "b", "a"]);
  assert.deepEqual(asked, [{}, { page: 2 }, { page: 3 }]);
});

test("a page is read only when its items are wanted", async () => {
  let reads = 0;
  const read = async () => ({
    items: items(`${++reads}`, `${reads}b`),
    total: 99,
    page: reads,
    pageSize: 2,
  });
  for await (const { id } of everyOf(read)) if (id === "2") break;
  assert.equal(reads, 2);
});

test("an empty list has no items, and a list that starts late ends where it should", async () => {
  const none = { items: [], total: 0, page: 1, pageSize: 50 };
  assert.deepEqual(await collect(everyOf(async () => none)), []);
  const asked: unknown[] = [];
  const late = everyOf(
    async (position: object) => {
      asked.push(position);
      return { items: items("x"), total: 7, page: 4, pageSize: 2 };
    },
    { first: 4 },
  );
  assert.equal((await collect(late)).length, 1);
  assert.deepEqual(asked, [{}]);
});

test("a list with cursors, and the feed by sequence, are read on from where a page ends", async () => {
  const asked: unknown[] = [];
  const cursors = [
    { items: items("a"), nextCursor: "c2" },
    { items: [], nextCursor: "c3" },
    { items: items("b"), nextCursor: null },
  ];
  const listed = everyOf(async (position: object) => {
    asked.push(position);
    return cursors[asked.length - 1] ?? assert.fail("read past the end");
  });
  assert.deepEqual(ids(await collect(listed)), ["a", "b"]);
  assert.deepEqual(asked.splice(0), [{}, { cursor: "c2" }, { cursor: "c3" }]);
  const feed = [
    { items: items("1"), nextAfter: 8, hasMore: true },
    { items: items("2"), nextAfter: 9, hasMore: false },
  ];
  const fed = everyOf(async (position: object) => {
    asked.push(position);
    return feed[asked.length - 1] ?? assert.fail("read past the end");
  });
  assert.deepEqual(ids(await collect(fed)), ["1", "2"]);
  assert.deepEqual(asked, [{}, { after: 8 }]);
});

test("a feed whose beginning is no longer kept says so before its first event", async () => {
  const told: unknown[] = [];
  const page = { items: items("70"), nextAfter: 70, hasMore: false, gap: true, oldestSequence: 70 };
  const onGap = (gap: object) => told.push(gap);
  for await (const { id } of everyOf(async () => page, { after: 12, onGap })) told.push(id);
  assert.deepEqual(told, [{ after: 12, oldestSequence: 70 }, "70"]);
});
