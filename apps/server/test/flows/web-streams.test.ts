import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildApp } from "../../src/app.ts";
import { sql } from "../../src/db/sql.ts";
import { publishTyping } from "../../src/chat/publish-typing.ts";
import { newVisitorId, signVisitor } from "../../src/chat/visitor-token.ts";
import { ChatClient, type ChatMessage, type Frame } from "../chat-client.ts";
import { CALM, startTestApp, type TestApp } from "../harness.ts";
import { serve, WebShop, type Served } from "../web-shop.ts";

let t: TestApp;
let one: Served;
before(async () => {
  t = await startTestApp();
  one = await serve(t.app);
});
after(async () => {
  await one.server.close();
  await t[Symbol.asyncDispose]();
});

const messages = (frames: readonly Frame[]) => frames.filter((frame) => frame.event === "message");

test("a stream that is cut anywhere goes on with nothing lost and nothing doubled", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("0");
  const conversationId = await shop.conversation();
  const ids: string[] = [];
  for (let n = 1; n <= 12; n++) ids.push(await shop.reply(conversationId, String(n)));
  const words = ["0", ...ids.map((_, index) => String(index + 1))];
  const whole = await visitor.stream("0");
  const frames = [...(await whole.until((heard) => heard.length === words.length))];
  whole.close();
  assert.deepEqual(whole.texts(), words);
  for (const [at, frame] of frames.entries()) {
    const rest = await visitor.stream(frame.id ?? "");
    const left = words.slice(at + 1);
    if (left.length > 0) await rest.until((heard) => messages(heard).length >= left.length);
    // What comes after everything else shows that nothing came twice.
    await publishTyping(t.app, shop.workspaceId, conversationId, true);
    await rest.until((heard) => heard.some((one_) => one_.event === "typing"));
    assert.deepEqual(rest.texts(), left, `cut after ${at}`);
    rest.close();
  }
});

test("statuses that moved while nobody listened are told at the next look, each message once", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("hi");
  const conversationId = await shop.conversation();
  const { cursor } = await visitor.session();
  const first = await shop.reply(conversationId, "a");
  await visitor.post("receipts", { delivered: first });
  const second = await shop.reply(conversationId, "b");
  await visitor.post("receipts", { read: first });
  const stream = await visitor.stream(cursor);
  await stream.until((heard) => heard.length === 2);
  assert.deepEqual(
    stream.frames.map(({ event, data }) => [event, data["id"], data["status"]]),
    [
      ["message", second, "sent"],
      ["message", first, "read"],
    ],
  );
  stream.close();
});

test("the same clientId twenty times at once is one message, one contact, one conversation", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.say("once", "same")));
  assert.deepEqual(
    answers.map((answer) => answer.status).toSorted((a, b) => a - b),
    [...Array.from({ length: 19 }, () => 200), 201],
  );
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
  const counts = await t.app.db.query(sql`select
    (select count(*) from message where workspace_id = ${shop.workspaceId}) as messages,
    (select count(*) from contact where workspace_id = ${shop.workspaceId}) as contacts,
    (select count(*) from conversation where workspace_id = ${shop.workspaceId}) as conversations`);
  assert.deepEqual(counts, [{ messages: 1, contacts: 1, conversations: 1 }]);
  assert.equal((await shop.events("message.received")).length, 1);
});

test("a clientId with another text or other files is refused, and the first message stays", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const upload = async (name: string) =>
    (
      await visitor.post<{ id: string }>(`files?name=${name}`, Buffer.from(name), {
        "content-type": "text/plain",
      })
    ).body.id;
  const [a, b] = [await upload("a.txt"), await upload("b.txt")];
  const first = { clientId: "c", text: "hello", attachments: [a] };
  const said = await visitor.post<ChatMessage>("messages", first);
  assert.equal(said.status, 201);
  const again = await visitor.post<ChatMessage>("messages", first);
  assert.deepEqual([again.status, again.body], [200, said.body]);
  for (const other of [
    { text: "hello!" },
    { text: undefined },
    { attachments: [b] },
    { attachments: [a, b] },
    { attachments: undefined },
  ]) {
    const refused = await visitor.post("messages", { ...first, ...other });
    const told = [refused.status, refused.body["message"]];
    assert.deepEqual(told, [422, "IDEMPOTENCY_KEY_REUSED"], JSON.stringify(other));
  }
  const twoAtOnce = await Promise.all(["x", "y"].map((text) => visitor.say(text, "d")));
  assert.deepEqual(
    twoAtOnce.map(({ status }) => status).toSorted((x, y) => x - y),
    [201, 422],
  );
  const { messages } = await visitor.session();
  assert.deepEqual(messages.map(({ text }) => text).slice(0, 1), ["hello"]);
  assert.equal(messages.length, 2);
});

test("what one process takes in comes out of another's stream, and still does after the listening connection broke", async () => {
  const secrets = { masterKey: Buffer.alloc(32, 7) };
  const config = { ...t.app.config };
  const overrides = { clock: t.clock, pressure: CALM };
  await using left = await buildApp(config, secrets, overrides);
  await using right = await buildApp(config, secrets, overrides);
  const [a, b] = [await serve(left), await serve(right)];
  try {
    const shop = await WebShop.open(left, a.base);
    const visitor = await shop.visitor("hi");
    const conversationId = await shop.conversation();
    const elsewhere = new ChatClient(b.base, shop.channelId);
    elsewhere.token = visitor.token;
    const stream = await elsewhere.stream((await visitor.session()).cursor);
    // Listening: a note of the other process comes in.
    const listens = Promise.withResolvers<void>();
    const stop = right.topics.subscribe("probe", (note) => {
      if (note.kind === "typing") listens.resolve();
    });
    while (!right.topics.connected) await left.db.query(sql`select pg_sleep(0.01)`);
    await left.topics.publish("probe", { kind: "typing", active: true });
    await listens.promise;
    await shop.reply(conversationId, "across");
    await stream.until((heard) => messages(heard).length === 1);

    await right.topics.cut();
    await shop.reply(conversationId, "while it was cut");
    await stream.until((heard) => messages(heard).length === 2);
    assert.deepEqual(stream.texts(), ["across", "while it was cut"]);
    stop();
    stream.close();
  } finally {
    await a.server.close();
    await b.server.close();
  }
});

test("five hundred streams: a message reaches its own visitor's alone", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitors = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const client = shop.client();
      // Made here: the limit on new visitors of one address is for pages.
      client.token = signVisitor(t.app, {
        channelId: shop.channelId,
        visitorId: newVisitorId(),
        userId: null,
        version: 0,
        channelVersion: await tokenVersion(shop),
      });
      return client;
    }),
  );
  const streams = (
    await Promise.all(
      visitors.map((client) => Promise.all(Array.from({ length: 5 }, () => client.stream("0")))),
    )
  ).flat();
  assert.equal(streams.length, 500);
  await visitors[0]?.say("hello", "c1");
  // On a busy machine opening them takes longer than the pause between two pings.
  const told = (frames: readonly Frame[]) => frames.filter(({ event }) => event !== "ping").length;
  await Promise.all(streams.slice(0, 5).map((stream) => stream.until((heard) => told(heard) > 0)));
  assert.deepEqual(
    streams.map((stream) => told(stream.frames)),
    streams.map((_, index) => (index < 5 ? 1 : 0)),
  );
  for (const stream of streams) stream.close();
});

async function tokenVersion(shop: WebShop): Promise<string> {
  const [row] = await t.app.db.query<{ version: string }>(
    sql`select settings ->> 'tokenVersion' as version from channel where id = ${shop.channelId}`,
  );
  return row?.version ?? "";
}

test("a seventh stream of a visitor ends the oldest", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const streams = [];
  for (let n = 0; n < 7; n++) streams.push(await visitor.stream("0"));
  await streams[0]?.end();
  assert.deepEqual(streams[0]?.frames.at(-1), {
    id: null,
    event: "end",
    data: { reason: "replaced" },
  });
  await visitor.say("hi", "c1");
  for (const stream of streams.slice(1)) {
    await stream.until((heard) => heard.length === 1);
    stream.close();
  }
});

test("a stop ends the streams at once", async () => {
  const other = await serve(t.app);
  const shop = await WebShop.open(t.app, other.base);
  const visitor = await shop.visitor();
  const stream = await visitor.stream("0");
  await Promise.all([other.server.close(), stream.end()]);
  assert.deepEqual(stream.frames.at(-1)?.data, { reason: "shutdown" });
});
