import { KEY } from "../actors.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { ChatClient } from "../chat-client.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { identityHash, proven, serve, WebShop, type Served } from "../web-shop.ts";

/** What goes wrong between a page and us, and what a page tries that it must not. */
const DAY = 86_400_000;

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

const stored = (shop: WebShop) =>
  t.app.db.query<{ text: string; status: string }>(sql`
    select text, status from message where workspace_id = ${shop.workspaceId} order by id`);

test("a message whose answer was lost is sent again as often as one likes, also much later and after a reload", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const first = await visitor.say("did it go?", "c1");
  assert.equal(first.status, 201);
  for (const wait of [0, 1000, DAY]) {
    t.clock.advance(wait);
    await visitor.session();
    const again = await visitor.say("did it go?", "c1");
    assert.deepEqual([again.status, again.body.id], [200, first.body.id]);
  }
  // The words of the first hold: a program that uses one id for two messages learns so.
  const other = await visitor.say("another text", "c1");
  assert.deepEqual(
    [other.status, Reflect.get(other.body, "message")],
    [422, "IDEMPOTENCY_KEY_REUSED"],
  );
  assert.equal((await stored(shop)).length, 1);
  assert.equal((await shop.events("message.received")).length, 1);
});

test("the same clientId of another browser is another message", async () => {
  const shop = await WebShop.open(t.app, one.base);
  await shop.visitor("mine");
  await shop.visitor("theirs");
  assert.deepEqual(
    (await stored(shop)).map(({ text }) => text),
    ["mine", "theirs"],
  );
});

test("receipts backwards, twice, for later and for what is not there move each reply once and none back", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("hello");
  const conversationId = await shop.conversation();
  const [first, second] = [
    await shop.reply(conversationId, "one"),
    await shop.reply(conversationId, "two"),
  ];
  await t.app.drain();
  for (const body of [
    { read: second },
    { delivered: second },
    { delivered: first, read: first },
    { read: second },
    { read: "nothing" },
    { read: "0190aaaa-0000-7000-8000-000000000001" },
  ])
    assert.ok([204, 400].includes((await visitor.post("receipts", body)).status));
  const moves = (await shop.events("message.status")).map(
    (data) => `${String(data["messageId"])} ${String(data["status"])}`,
  );
  assert.deepEqual(moves.sort(), [`${first} read`, `${second} read`].sort());
});

test("a visitor who comes back after half a year reads the answer; there is no window", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("hello");
  const conversationId = await shop.conversation();
  t.clock.advance(170 * DAY);
  const input = { conversationId, text: "at last" } as const;
  assert.equal((await acceptMessage(KEY, t.app, shop.workspaceId, input)).status, "sent");
  await t.app.drain();
  const { messages, unread } = await visitor.session();
  assert.deepEqual([messages.map(({ text }) => text), unread], [["hello", "at last"], 1]);
});

test("a visitor who writes STOP in the window is opted out, and START takes it back", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  for (const [word, out] of [
    ["STOP", true],
    ["start", false],
    ["إلغاء", true],
  ] as const) {
    assert.equal((await visitor.say(word, `c-${word.length}-${String(out)}`)).status, 201);
    const [contact] = await t.app.db.query<{ out: boolean }>(
      sql`select opted_out_at is not null as out from contact where workspace_id = ${shop.workspaceId}`,
    );
    assert.equal(contact?.out, out, word);
  }
});

test("a proof of one channel is worth nothing on another, and tokens and uploads stay where they were given", async () => {
  const [mine, theirs] = [
    await WebShop.open(t.app, one.base),
    await WebShop.open(t.app, one.base, { identitySecret: "another-identity-secret" }),
  ];
  const here = mine.client();
  await here.session(proven("user-42"));
  const there = new ChatClient(one.base, theirs.channelId);
  assert.equal((await there.post("session", proven("user-42"))).status, 401);
  // A hash of nothing, of a part, of the id in another case, and in the wrong place.
  for (const user of [
    { id: "user-42" },
    { hash: identityHash("user-42") },
    { id: "", hash: identityHash("") },
    { id: "USER-42", hash: identityHash("user-42") },
    { id: "user-42 ", hash: identityHash("user-42") },
    { id: "user-42", hash: identityHash("user-42").slice(0, 63) },
    { id: "user-42", hash: `${identityHash("user-42")}00` },
  ])
    assert.ok([400, 401].includes((await here.post("session", { user })).status));
  there.token = here.token;
  assert.equal((await there.say("x", "c1")).status, 401);
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const up = await here.post<{ id: string }>("files?name=a.png", png, {
    "content-type": "image/png",
  });
  assert.equal(up.status, 201);
  await there.session();
  const attached = { clientId: "c1", attachments: [up.body.id] };
  assert.equal((await there.post("messages", attached)).status, 400);
  assert.equal((await here.post("messages", attached)).status, 201);
  assert.deepEqual(await theirs.conversations(), []);
});

test("members that only an object's prototype has change nothing", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const body = Buffer.from(
    '{"clientId":"c1","text":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  );
  assert.equal((await visitor.post("messages", body)).status, 201);
  const session = Buffer.from(
    '{"__proto__":{"token":"x"},"user":{"__proto__":{"id":"u","hash":"x"}}}',
  );
  assert.equal((await shop.client().post("session", session)).status, 200);
  assert.equal("polluted" in {}, false);
});
