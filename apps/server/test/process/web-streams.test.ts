import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { buildApp, type App } from "../../src/app.ts";
import { newVisitorId, signVisitor } from "../../src/chat/visitor-token.ts";
import { sql } from "../../src/db/sql.ts";
import { parseConfig } from "../../src/config.ts";
import type { StreamReader } from "../chat-client.ts";
import { LONG } from "../group.ts";
import { createTestDatabase } from "../harness.ts";
import { WebShop } from "../web-shop.ts";
import { launch, privateFolder, type Launched } from "./launch.ts";

/** Real processes on one database: two that serve and one that works. */
const masterKey = randomBytes(32);
const folder = privateFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** Ours, to look and to write with. */
let app: App;
const running = new Set<Launched>();

const start = (role: string): Launched => {
  const launched = launch("main.ts", [], {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: masterKey.toString("base64"),
    PARLEY_DATA_DIR: folder.path,
    PARLEY_ROLE: role,
  });
  running.add(launched);
  return launched;
};

before(async () => {
  database = await createTestDatabase();
  const text = (value: string) => ({ text: value, base: folder.path });
  const config = parseConfig(
    new Map([
      ["DATABASE_URL", text(database.url)],
      ["PARLEY_MASTER_KEY", text(masterKey.toString("base64"))],
      ["PARLEY_DATA_DIR", text(folder.path)],
      ["LOG_LEVEL", text("silent")],
    ]),
  );
  app = await buildApp(config, { masterKey });
});
after(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all([...running].map(({ ended }) => ended));
  await app[Symbol.asyncDispose]();
  await database.drop();
  folder[Symbol.dispose]();
});

const VISITORS = LONG ? 200 : 40;
const STREAMS_EACH = 5;

test(`what one process takes in is told by another's streams, and ${VISITORS * STREAMS_EACH} of them do not hold up a stop`, async () => {
  const [first, second, worker] = [start("api"), start("api"), start("worker")];
  const [a, b] = await Promise.all([first.serves, second.serves, worker.serves]);
  const shop = await WebShop.open(app, a);
  const [channel] = await app.db.query<{ version: string }>(
    sql`select settings ->> 'tokenVersion' as version from channel where id = ${shop.channelId}`,
  );
  // Signed here: new visitors of one address are limited.
  const visitorOf = (base: string) => {
    const client = shop.client(base);
    client.token = signVisitor(app, {
      channelId: shop.channelId,
      visitorId: newVisitorId(),
      userId: null,
      version: 0,
      channelVersion: channel?.version ?? "",
    });
    return client;
  };

  const visitors = Array.from({ length: VISITORS }, () => visitorOf(b));
  // Not all at the same moment: a slow machine would ask some to come again.
  const streams: StreamReader[] = [];
  for (const one of visitors)
    streams.push(
      ...(await Promise.all(Array.from({ length: STREAMS_EACH }, () => one.stream("0")))),
    );
  assert.equal(streams.length, VISITORS * STREAMS_EACH);

  const [visitor] = visitors;
  assert.ok(visitor);
  const elsewhere = shop.client(a);
  elsewhere.token = visitor.token;
  assert.equal((await elsewhere.say("hello", "c1")).status, 201);
  const replyId = await shop.reply(await shop.conversation(), "hello back");
  await elsewhere.post("receipts", { read: replyId });
  for (const stream of streams.slice(0, 5)) {
    await stream.until((heard) =>
      heard.some(({ data }) => data["id"] === replyId && data["status"] === "read"),
    );
    assert.equal(stream.texts().filter((text) => text === "hello back").length, 1);
  }

  const begun = performance.now();
  second.child.kill("SIGTERM");
  const { code } = await second.ended;
  const took = performance.now() - begun;
  assert.equal(code, 0);
  assert.ok(took < 60_000, `the stop took ${Math.round(took)} ms`);
  await Promise.all(streams.map((stream) => stream.end()));
  assert.deepEqual(
    new Set(streams.map((stream) => JSON.stringify(stream.frames.at(-1)?.data))),
    new Set(['{"reason":"shutdown"}']),
  );

  // The browser goes to the other process, with its cursor.
  const cursor = streams[0]?.cursor ?? "";
  const again = await elsewhere.stream(cursor);
  await shop.reply(await shop.conversation(), "after the stop");
  await again.until((heard) => heard.some(({ event }) => event === "message"));
  assert.deepEqual(again.texts(), ["after the stop"]);
  again.close();
});
