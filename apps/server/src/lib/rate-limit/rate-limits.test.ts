import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test } from "node:test";
import { sql } from "../../db/sql.ts";
import { openDatabase } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { freePort } from "../../../test/free-port.ts";
import { startTestApp, TestClock } from "../../../test/harness.ts";
import { createMetrics } from "../../http/health/metrics.ts";
import { createLogger } from "../logger.ts";
import { createRateLimits } from "./create-rate-limits.ts";
import { createFallbackRateLimits } from "./fallback-rate-limits.ts";
import { createMemoryRateLimits } from "./memory-rate-limits.ts";
import { createPostgresRateLimits } from "./postgres-rate-limits.ts";
import type { RateLimits, RateVerdict } from "./rate-limits.ts";
import { createRedisRateLimits } from "./redis-rate-limits.ts";
import { ownTime } from "../../../test/processor-time.ts";

const RULE = { limit: 120, windowMs: 60_000 };
/** A verdict without its method. */
const told = ({ allowed, remaining, resetMs }: RateVerdict) => ({ allowed, remaining, resetMs });

test("in this process: exactly 120 of a burst pass, and never more in any sixty seconds", async () => {
  const clock = new TestClock();
  const limits = createMemoryRateLimits(clock);
  const burst = await Promise.all(Array.from({ length: 121 }, () => limits.take("a", RULE)));
  assert.equal(burst.filter((one) => one.allowed).length, 120);
  assert.deepEqual(burst[0] && told(burst[0]), { allowed: true, remaining: 119, resetMs: 60_000 });
  assert.deepEqual(burst[120] && told(burst[120]), {
    allowed: false,
    remaining: 0,
    resetMs: 60_000,
  });
  assert.ok((await limits.take("b", RULE)).allowed, "another key is not touched");
  clock.advance(59_999);
  assert.deepEqual(told(await limits.take("a", RULE)), {
    allowed: false,
    remaining: 0,
    resetMs: 1,
  });
  clock.advance(1);
  assert.ok((await limits.take("a", RULE)).allowed, "refused ones did not count");
});

test("in this process: a clock that is set back by a day shuts nobody out, and lets no more through", async () => {
  const clock = new TestClock();
  const limits = createMemoryRateLimits(clock);
  for (let i = 0; i < 100; i++) await limits.take("a", RULE);
  clock.advance(-86_400_000);
  const after = await Promise.all(Array.from({ length: 40 }, () => limits.take("a", RULE)));
  assert.equal(after.filter((one) => one.allowed).length, 20);
  clock.advance(59_999);
  assert.equal((await limits.take("a", RULE)).allowed, false);
  clock.advance(1);
  assert.deepEqual(told(await limits.take("a", RULE)), {
    allowed: true,
    remaining: 119,
    resetMs: 60_000,
  });
});

test("in this process: among ten thousand keys only those that no longer count are forgotten", async () => {
  const clock = new TestClock();
  const limits = createMemoryRateLimits(clock);
  const once = { limit: 1, windowMs: 60_000 };
  await limits.take("a", once);
  clock.advance(59_999);
  for (let other = 0; other < 10_000; other++) await limits.take(`${other}`, once);
  assert.equal((await limits.take("a", once)).allowed, false);
  clock.advance(1);
  assert.equal((await limits.take("a", once)).allowed, true);
});

test("in this process: a random walk agrees with counting every stamp", async () => {
  const clock = new TestClock();
  const limits = createMemoryRateLimits(clock);
  const rule = { limit: 5, windowMs: 1_000 };
  const passed: number[] = [];
  for (let i = 0; i < 2_000; i++) {
    clock.advance((i * 7919) % 300);
    const now = clock.now().getTime();
    const live = passed.filter((at) => at > now - rule.windowMs);
    const verdict = await limits.take("k", rule);
    assert.equal(verdict.allowed, live.length < rule.limit);
    if (verdict.allowed) passed.push(now);
    assert.equal(verdict.remaining, rule.limit - live.length - (verdict.allowed ? 1 : 0));
  }
});

test("in this process: a request that is given back counts no more, and the others end when they would have", async () => {
  const clock = new TestClock();
  const limits = createMemoryRateLimits(clock);
  const rule = { limit: 3, windowMs: 1_000 };
  const verdicts: RateVerdict[] = [];
  for (let n = 0; n < 4; n++) {
    verdicts.push(await limits.take("k", rule));
    clock.advance(100);
  }
  verdicts[3]?.giveBack();
  assert.equal((await limits.take("k", rule)).allowed, false, "a refused one had not counted");
  verdicts[1]?.giveBack();
  verdicts[1]?.giveBack();
  assert.deepEqual(told(await limits.take("k", rule)), {
    allowed: true,
    remaining: 0,
    resetMs: 600,
  });
  clock.advance(600);
  const after = [await limits.take("k", rule), await limits.take("k", rule)];
  assert.deepEqual(
    after.map((one) => one.allowed),
    [true, false],
    "the one of 200 ms still counts",
  );
});

test("in PostgreSQL: a request that is given back counts no more, whatever others take and give back meanwhile", async () => {
  await using t = await startTestApp();
  const limits = [1, 2].map(() => createPostgresRateLimits(t.app.db));
  const rule = { limit: 40, windowMs: 60_000 };
  const takes = Array.from({ length: 80 }, async (_, n) => {
    const verdict = await limits[n % 2]?.take(`k${n % 4}`, rule);
    if (n % 8 < 4) verdict?.giveBack();
    return verdict?.allowed;
  });
  assert.ok((await Promise.all(takes)).every(Boolean));
  const counts = sql`select cardinality(stamps) as n from rate_window order by key`;
  const counted = async () => (await t.app.db.query<{ n: number }>(counts)).map(({ n }) => n);
  while ((await counted()).some((n) => n > 10));
  assert.deepEqual(await counted(), [10, 10, 10, 10]);
});

test("in PostgreSQL: 300 at once over three pools, exactly 120 pass; a naive count lets more through", async () => {
  await using t = await startTestApp();
  const pools = [1, 2, 3].map(() => openDatabase({ connectionString: t.databaseUrl, poolSize: 6 }));
  const all = async <T>(one: (db: (typeof pools)[number]) => Promise<T>): Promise<T[]> =>
    Promise.all(pools.flatMap((db) => Array.from({ length: 100 }, () => one(db))));
  try {
    const verdicts = await all((db) => createPostgresRateLimits(db).take("k", RULE));
    assert.equal(verdicts.filter((one) => one.allowed).length, 120);
    const refused = verdicts.find((one) => !one.allowed);
    assert.equal(refused?.remaining, 0);
    assert.ok(refused.resetMs > 0 && refused.resetMs <= 60_000);
    // The control: the same load against count-then-write must pass more, or this test proves nothing.
    await t.app.db.query(sql`create table naive (at timestamptz)`);
    const naive = await all(async (db) => {
      const [row] = await db.query<{ n: number }>(sql`select count(*) as n from naive`);
      if ((row?.n ?? 0) >= 120) return false;
      await db.query(sql`insert into naive values (now())`);
      return true;
    });
    assert.ok(naive.filter(Boolean).length > 120, "the control did not fail");
  } finally {
    await Promise.all(pools.map((db) => db.close()));
  }
});

test("in PostgreSQL: another request passes when an earlier one leaves the window", async () => {
  await using t = await startTestApp();
  const limits = createPostgresRateLimits(t.app.db);
  const rule = { limit: 3, windowMs: 60_000 };
  for (const remaining of [2, 1, 0])
    assert.equal((await limits.take("k", rule)).remaining, remaining);
  assert.equal((await limits.take("k", rule)).allowed, false);
  await t.app.db.query(sql`update rate_window set stamps[1] = stamps[1] - 40`);
  const { resetMs } = await limits.take("k", rule);
  assert.ok(resetMs <= 20_000, `the oldest ends in ${resetMs} ms`);
  await t.app.db.query(sql`update rate_window set stamps[1] = stamps[1] - 20`);
  const again = await limits.take("k", rule);
  assert.deepEqual([again.allowed, again.remaining], [true, 0]);
  assert.equal((await limits.take("k", rule)).allowed, false);
  // As if the database's clock had been set back by a day.
  await t.app.db.query(sql`
    update rate_window set stamps = (select array_agg(s + 86400) from unnest(stamps) as s)`);
  for (const remaining of [2, 1, 0])
    assert.equal((await limits.take("k", rule)).remaining, remaining);
  assert.equal((await limits.take("k", rule)).allowed, false);
});

test("in PostgreSQL: the housekeeping removes keys whose stamps no longer count, and no others", async () => {
  await using t = await startTestApp();
  const limits = createPostgresRateLimits(t.app.db);
  const rule = { limit: 2, windowMs: 600_000 };
  for (const key of ["old", "mixed", "fresh"]) await limits.take(key, rule);
  await t.app.db.query(sql`
    update rate_window set stamps[1] = stamps[1] - 7300 where key in ('old', 'mixed')`);
  await t.app.db.query(sql`
    update rate_window set stamps = stamps || extract(epoch from clock_timestamp())::float8 where key = 'mixed'`);
  // A whole page of keys stands before the old one.
  await t.app.db.query(sql`
    insert into rate_window (key, stamps, allowed)
    select 'a' || n, array[extract(epoch from clock_timestamp())], true from generate_series(1, 5000) n`);
  await t.app.drain();
  const kept = await t.app.db.query<{ key: string }>(
    sql`select key from rate_window where key !~ '^a' order by key`,
  );
  assert.deepEqual(
    kept.map(({ key }) => key),
    ["fresh", "mixed"],
  );
  assert.equal((await limits.take("fresh", rule)).remaining, 0);
});

const redis = spawnSync("redis-server", ["--version"]).status === 0;
test(
  "in Redis: 300 at once, exactly 120 pass",
  { skip: redis ? false : "redis-server is not installed" },
  async () => {
    const { spawn } = await import("node:child_process");
    const { mkdtempSync } = await import("node:fs");
    const socket = `${mkdtempSync("/tmp/parley-redis-")}/s`;
    const server = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--save", ""]);
    const limits: RateLimits = createRedisRateLimits(socket, () => {});
    try {
      while (!(await limits.take("warm", RULE).catch(() => null)));
      const verdicts = await Promise.all(Array.from({ length: 300 }, () => limits.take("k", RULE)));
      assert.equal(verdicts.filter((one) => one.allowed).length, 120);
      // As if Redis's clock had been set back by a day.
      const tomorrow = Date.now() + 86_400_000;
      const stamps = Array.from({ length: 120 }, (_, i) => [String(tomorrow + i), `${i}`]).flat();
      spawnSync("redis-cli", ["-s", socket, "zadd", "parley:rate:back", ...stamps]);
      assert.equal((await limits.take("back", RULE)).remaining, 119);
    } finally {
      await limits.close();
      server.kill();
    }
  },
);

test("in Redis: a store that is gone refuses with OVERLOADED instead of letting all pass, and says why", async () => {
  const told: string[] = [];
  const limits = createRedisRateLimits("redis://127.0.0.1:1", (error) => told.push(error.message));
  await assert.rejects(
    limits.take("k", RULE),
    (error) => error instanceof AppError && error.code === "OVERLOADED",
  );
  assert.equal(await limits.fault(), "REDIS_URL: connect ECONNREFUSED 127.0.0.1:1");
  assert.deepEqual([...new Set(told)], ["connect ECONNREFUSED 127.0.0.1:1"], "the cause alone");
  await limits.close();
});

test("in Redis: a process that was held up says why its store is gone, not that it waited", async (t) => {
  const limits = createRedisRateLimits("redis://127.0.0.1:1", () => {});
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const fault = limits.fault();
  // The connection is asked for, and refused; the loop does not come to read that before the time is over.
  for (let tick = 0; tick < 50; tick++) await new Promise<void>((next) => process.nextTick(next));
  t.mock.timers.tick(10_000);
  t.mock.timers.reset();
  const said = await fault;
  await limits.close();
  assert.equal(said, "REDIS_URL: connect ECONNREFUSED 127.0.0.1:1");
});

test("while Redis is away PostgreSQL lets exactly 120 pass; each change is told once, and Redis counts again once it is back", async () => {
  await using t = await startTestApp();
  const verdict = "*3\r\n:1\r\n:7\r\n:60000\r\n";
  const port = await freePort();
  let redis = await startSpeaker(() => verdict, port);
  const told: unknown[] = [];
  let change = Promise.withResolvers<void>();
  const log = Object.assign(createLogger("silent"), {
    warn(...line: unknown[]) {
      told.push(line);
      change.resolve();
    },
  });
  const config = { redisUrl: urlOf(redis), sharedDatabase: true };
  const limits = await createRateLimits(config, { db: t.app.db, clock: t.clock, log });
  const metric = async () =>
    /^parley_rate_limits_fallback (\d)$/m.exec(
      await createMetrics({ ...t.app, rateLimits: limits }).render(),
    )?.[1];
  try {
    assert.equal((await limits.take("k", RULE)).remaining, 113);
    assert.equal(await metric(), "0");
    await endSpeaker(redis);
    const verdicts = await Promise.all(Array.from({ length: 300 }, () => limits.take("k", RULE)));
    assert.equal(verdicts.filter((one) => one.allowed).length, 120);
    assert.equal(await metric(), "1");
    await change.promise;
    assert.deepEqual(told, [
      [
        { fault: `REDIS_URL: connect ECONNREFUSED 127.0.0.1:${port}` },
        "Redis is away: PostgreSQL counts the rate limits meanwhile",
      ],
    ]);
    change = Promise.withResolvers();
    redis = await startSpeaker(() => verdict, port);
    await change.promise;
    assert.deepEqual(told.slice(1), [["Redis counts the rate limits again"]]);
    assert.equal((await limits.take("k", RULE)).remaining, 113);
    assert.equal(await metric(), "0");
  } finally {
    await limits.close();
    await endSpeaker(redis);
  }
});

test("a Redis that accepts and never answers costs the first calls half a second, and the later ones nothing", async () => {
  await using t = await startTestApp();
  const hung = createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => hung.listen(0, "127.0.0.1", resolve));
  hung.on("connection", (socket) => hung.once("over", () => socket.destroy()));
  const told = Promise.withResolvers<string | null>();
  const redis = createRedisRateLimits(urlOf(hung), () => {});
  const asked: string[] = [];
  const first: RateLimits = {
    ...redis,
    take(key, rule) {
      asked.push(key);
      return redis.take(key, rule);
    },
  };
  const limits = createFallbackRateLimits(first, createPostgresRateLimits(t.app.db), told.resolve);
  try {
    using time = ownTime();
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => limits.take("k", RULE)));
    // Far below the two seconds after which the client gives a command up.
    assert.ok(time.ms < 1_900, `${time.ms} ms`);
    assert.ok(verdicts.every(({ allowed }) => allowed));
    assert.ok(limits.usesFallback());
    assert.equal((await limits.take("k", RULE)).remaining, 99);
    assert.ok((await limits.take("later", RULE)).allowed);
    assert.match(String(await told.promise), /^REDIS_URL: /);
    assert.deepEqual([...new Set(asked)], ["k"], "Redis is not asked while it is away");
  } finally {
    await limits.close();
    await endSpeaker(hung);
  }
});

/** A server that speaks Redis's protocol. `says` is its answer to a count, by the number of the connection. */
async function startSpeaker(says: (connection: number) => string, port = 0): Promise<Server> {
  let connections = 0;
  const server = createServer((socket) => {
    const mine = ++connections;
    socket.on("error", () => {});
    socket.on("data", (data) => {
      for (const [word] of String(data).matchAll(/\r\n(?:eval|hello|info|ping|client)\r\n/gi))
        socket.write(/eval/i.test(word) ? says(mine) : "+PONG\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  server.on("connection", (socket) => server.once("over", () => socket.destroy()));
  return server;
}
/** Closes the server with all its connections. */
async function endSpeaker(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.emit("over");
  await closed;
}
const urlOf = (server: Server) => `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;

for (const [version, words] of [
  [7, "READONLY You can't write against a read only replica."],
  [
    6,
    "ERR Error running script (call to f_8e): @user_script:6: @user_script: 6: -READONLY You can't write against a read only replica.",
  ],
] as const)
  test(`in Redis ${version}: a primary that became a replica is dropped, and the next connection counts`, async () => {
    const server = await startSpeaker((connection) =>
      connection === 1 ? `-${words}\r\n` : "*3\r\n:1\r\n:1\r\n:60000\r\n",
    );
    const limits = createRedisRateLimits(urlOf(server), () => {});
    try {
      const take = () => limits.take("k", RULE);
      await assert.rejects(
        take,
        (error) => error instanceof AppError && error.code === "OVERLOADED",
      );
      assert.deepEqual(told(await take()), { allowed: true, remaining: 119, resetMs: 60_000 });
    } finally {
      await limits.close();
      server.close();
    }
  });

test("in Redis: a server that answers pings but counts nothing is reported by doctor, in the server's own words", async () => {
  const server = await startSpeaker(() => "-MOVED 3999 127.0.0.1:9\r\n");
  const limits = createRedisRateLimits(urlOf(server), () => {});
  try {
    assert.equal(await limits.fault(), "REDIS_URL: MOVED 3999 127.0.0.1:9");
  } finally {
    await limits.close();
    server.close();
  }
});
