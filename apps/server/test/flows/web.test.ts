import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { sql } from "../../src/db/sql.ts";
import { deskTopic, type Hint } from "../../src/lib/topics.ts";
import { markRead } from "../../src/messages/record/mark-read.ts";
import type { Frame } from "../chat-client.ts";
import { createMember } from "../../src/workspaces/create-member.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { proven, serve, WebShop } from "../web-shop.ts";

/** A visitor, the server and the API, over real HTTP. */
let t: TestApp;
let server: FastifyInstance;
let base: string;

before(async () => {
  t = await startTestApp();
  ({ server, base } = await serve(t.app));
});
after(async () => {
  await server.close();
  await t[Symbol.asyncDispose]();
});

/** By the API, as a customer's program answers. */
async function reply(shop: WebShop, conversationId: string, text: string): Promise<string> {
  const answer = await fetch(`${base}/api/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ conversationId, text }),
  });
  const accepted = (await answer.json()) as { id: string };
  assert.equal(answer.status, 201);
  return accepted.id;
}

/** By the dashboard, as an agent's browser tells what its member does. */
async function typeAsMember(shop: WebShop, conversationId: string): Promise<void> {
  const given = { email: "agent@shop.example", password: "correct horse battery" };
  const agent = { ...given, name: "Omar", role: "agent" } as const;
  await createMember(OPERATOR, t.app, shop.workspaceId, agent);
  let cookie = "";
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", "x-parley": "1", cookie };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${base}/api/app${path}`, init);
    assert.equal(answer.status, 200, await answer.text());
    cookie ||= (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  };
  await post("/sign-in", given);
  await post("/presence", { tab: "one", conversationId, typing: true });
}

const messages = (frames: readonly Frame[]) => frames.filter((one) => one.event === "message");
const statuses = (frames: readonly Frame[]) =>
  frames.filter((one) => one.event === "status").map((one) => one.data["status"]);

test("a visitor writes, the API answers, the window tells delivered and read: every step is an event", async () => {
  const shop = await WebShop.open(t.app, base);
  const visitor = shop.client();
  const opened = await visitor.session({ locale: "ar-KW,ar;q=0.9" });
  assert.deepEqual(
    [opened.verified, opened.cursor, opened.messages, opened.unread],
    [false, "0", [], 0],
  );
  assert.equal(opened.settings["locale"], "ar");
  assert.deepEqual(await shop.conversations(), [], "nothing is stored before the first message");

  const stream = await visitor.stream(opened.cursor);
  const sent = await visitor.say("Do you ship to Kuwait?", "c1");
  assert.equal(sent.status, 201);
  assert.deepEqual(
    [sent.body.clientId, sent.body.from, sent.body.status],
    ["c1", "visitor", "sent"],
  );
  const [conversation] = await shop.conversations();
  assert.ok(conversation);
  const replyId = await reply(shop, conversation.id, "Yes, every day.");
  await stream.until((frames) => messages(frames).length === 2);
  assert.deepEqual(stream.texts(), ["Do you ship to Kuwait?", "Yes, every day."]);
  await t.app.drain();

  assert.equal((await visitor.post("receipts", { delivered: replyId })).status, 204);
  assert.equal((await visitor.post("receipts", { read: replyId })).status, 204);
  await markRead(OPERATOR, t.app, shop.workspaceId, conversation.id);
  await stream.until((frames) => statuses(frames).length >= 3);
  assert.deepEqual(statuses(stream.frames), ["delivered", "read", "read"]);
  const moves = (await shop.events("message.status")).map((one) => [
    one["messageId"],
    one["previousStatus"],
    one["status"],
    one["channelType"],
  ]);
  assert.deepEqual(moves, [
    [replyId, "sent", "delivered", "WEB"],
    [replyId, "delivered", "read", "WEB"],
  ]);
  assert.equal((await shop.events("contact.created")).length, 1);
  assert.equal((await shop.events("conversation.created")).length, 1);
  assert.equal((await shop.events("message.received")).length, 1);
  stream.close();
});

test("typing goes both ways and is stored nowhere", async () => {
  const shop = await WebShop.open(t.app, base);
  const visitor = shop.client();
  await visitor.session();
  await visitor.say("hi", "c1");
  const [conversation] = await shop.conversations();
  assert.ok(conversation);
  const heard: Hint[] = [];
  const stop = t.app.topics.subscribe(deskTopic(shop.workspaceId), (hint) => heard.push(hint));
  assert.equal((await visitor.post("typing", { active: true })).status, 204);
  stop();
  assert.deepEqual(heard, [{ kind: "typing", active: true, conversationId: conversation.id }]);
  const stream = await visitor.stream((await visitor.session()).cursor);
  await typeAsMember(shop, conversation.id);
  const [frame] = await stream.until((frames) => frames.length > 0);
  assert.deepEqual(frame, { id: null, event: "typing", data: { from: "agent", active: true } });
  stream.close();
});

test("a proven user is one contact on every device", async () => {
  const shop = await WebShop.open(t.app, base);
  const user = proven("user-42", { name: "Sara", email: "s@x.example" });
  const phone = shop.client();
  assert.equal((await phone.session(user)).verified, true);
  await phone.say("from the phone", "c1");
  const laptop = shop.client();
  const seen = await laptop.session(user);
  assert.deepEqual(
    seen.messages.map((one) => [one.text, one.clientId]),
    [["from the phone", null]],
  );
  await laptop.say("from the laptop", "c1");
  assert.equal((await shop.conversations()).length, 1);
  const [contact] = await t.app.db.query<{
    name: string;
    email: string | null;
    attributes: object;
  }>(sql`select name, email, attributes from contact where workspace_id = ${shop.workspaceId}`);
  assert.deepEqual(contact, {
    name: "Sara",
    email: null,
    attributes: { web_user_id: "user-42", web_email_unverified: "s@x.example" },
  });
});

test("a session tells the last 50 messages, and whether there are earlier ones", async () => {
  const shop = await WebShop.open(t.app, base);
  const visitor = shop.client();
  assert.equal((await visitor.session()).earlier, false);
  await visitor.say("The first", "c1");
  const [conversation] = await shop.conversations();
  assert.ok(conversation);
  for (let n = 2; n <= 50; n++) await reply(shop, conversation.id, `Answer ${n}`);
  const whole = await visitor.session();
  assert.deepEqual(
    [whole.messages.length, whole.messages[0]?.text, whole.earlier],
    [50, "The first", false],
  );
  await reply(shop, conversation.id, "Answer 51");
  const cut = await visitor.session();
  assert.deepEqual(
    [cut.messages.length, cut.messages[0]?.text, cut.messages[49]?.text, cut.earlier],
    [50, "Answer 2", "Answer 51", true],
  );
});
