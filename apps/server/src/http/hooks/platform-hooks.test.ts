import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { connectChannel } from "../../channels/connect-channel.ts";
import { disconnectChannel } from "../../channels/disconnect-channel.ts";
import type { Channel } from "../../channels/channel.ts";
import { sql } from "../../db/sql.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { registerHooks } from "./platform-hooks.ts";

let t: TestApp;
let server: FastifyInstance;

before(async () => {
  t = await startTestApp();
  server = Fastify({ forceCloseConnections: true });
  registerHooks(server, t.app);
  await server.ready();
});
after(async () => {
  await server.close();
  await t[Symbol.asyncDispose]();
});

let accounts = 0;
/** A number in a workspace of its own, unless one is named; `app` is the Meta app that signs its calls. */
async function connect(
  options: { app?: string; number?: string; waba?: string; workspaceId?: string } = {},
): Promise<Channel> {
  accounts++;
  const { app = "app-1", number = String(1_000_000 + accounts), waba = `77${accounts}` } = options;
  const workspaceId =
    options.workspaceId ??
    (await createWorkspace(OPERATOR, t.app, { name: "W", plan: "business" })).id;
  return connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Main",
    phoneNumberId: number,
    wabaId: waba,
    accessToken: "EAAB",
    appSecret: app,
    verifyToken: "verify-me",
  });
}

const text = (from: string, id: string, body = "hello") => ({
  from,
  id,
  timestamp: String(Math.trunc(t.clock.now().getTime() / 1000)),
  type: "text",
  text: { body },
});
const entry = (number: string, value: object, waba = "1") => ({
  id: waba,
  changes: [
    {
      field: "messages",
      value: { messaging_product: "whatsapp", metadata: { phone_number_id: number }, ...value },
    },
  ],
});
const envelope = (...entries: object[]) =>
  JSON.stringify({ object: "whatsapp_business_account", entry: entries }).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function post(channel: Channel, body: string, app = "app-1", headers: Record<string, string> = {}) {
  const signature = createHmac("sha256", app).update(body).digest("hex");
  return server.inject({
    method: "POST",
    url: `/hooks/whatsapp/${channel.id}`,
    headers: {
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${signature}`,
      ...headers,
    },
    payload: body,
  });
}

async function messagesOf(channel: Channel): Promise<string[]> {
  const rows = await t.app.db.query<{ text: string }>(
    sql`select text from message where workspace_id = ${channel.workspaceId} and channel_id = ${channel.id} order by id`,
  );
  return rows.map((row) => row.text);
}
async function failures(): Promise<number> {
  const rows = await t.app.db.query<{ count: number }>(
    sql`select count(*) as count from inbound_failure`,
  );
  return rows[0]?.count ?? -1;
}

test("the handshake answers the challenge as plain text of a type that no browser guesses", async () => {
  const channel = await connect();
  const ask = (token: string) =>
    server.inject(
      `/hooks/whatsapp/${channel.id}?hub.mode=subscribe&hub.challenge=%3Cb%3E1158201444&hub.verify_token=${token}`,
    );
  const answer = await ask("verify-me");
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.body, "<b>1158201444");
  assert.match(String(answer.headers["content-type"]), /^text\/plain/);
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
  assert.equal((await ask("verify-you")).statusCode, 403);
  const twice = `/hooks/whatsapp/${channel.id}?hub.mode=subscribe&hub.challenge=1&hub.challenge=2&hub.verify_token=verify-me`;
  assert.equal((await server.inject(twice)).statusCode, 403);
});

test("a message whose ids are longer than an index holds is stored, once, and so are the others of the call", async () => {
  const channel = await connect();
  const before = await failures();
  // Random, because PostgreSQL compresses what repeats.
  const long = () => randomBytes(2_500).toString("hex");
  const messages = [
    text("96550000071", "wamid.71", "before"),
    text("96550000072", long(), "long id"),
    text(long(), "wamid.73", "long sender"),
    text("96550000074", "wamid.74", "after"),
  ];
  const body = envelope(entry(channel.externalId, { messages }));
  for (const _ of [1, 2]) assert.equal((await post(channel, body)).statusCode, 200);
  assert.deepEqual((await messagesOf(channel)).toSorted(), [
    "after",
    "before",
    "long id",
    "long sender",
  ]);
  assert.equal(await failures(), before);
});

test("a signed message is stored once, however often it comes, also at the same time to several processes", async () => {
  const channel = await connect();
  const body = envelope(
    entry(channel.externalId, { messages: [text("96550000001", "wamid.1", "مرحبا 😀")] }),
  );
  const answers = await Promise.all([
    post(channel, body),
    post(channel, body),
    post(channel, body),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.statusCode),
    [200, 200, 200],
  );
  assert.equal((await post(channel, body)).statusCode, 200);
  assert.deepEqual(await messagesOf(channel), ["مرحبا 😀"]);
});

test("401: a call that the channel's app did not sign writes nothing", async () => {
  const channel = await connect();
  const body = envelope(entry(channel.externalId, { messages: [text("96550000001", "wamid.2")] }));
  const before = await failures();
  assert.equal((await post(channel, body, "another-app")).statusCode, 401);
  const sha1 = createHmac("sha1", "app-1").update(body).digest("hex");
  for (const header of ["", "sha256=", `sha1=${sha1}`, "sha256=zz", `sha256=${"A".repeat(64)}`])
    assert.equal(
      (await post(channel, body, "app-1", { "x-hub-signature-256": header })).statusCode,
      401,
      header,
    );
  assert.equal((await post(channel, "<html>", "another-app")).statusCode, 401);
  assert.deepEqual(await messagesOf(channel), []);
  assert.equal(await failures(), before);
});

test("404: no such channel, another type, no id, or one that was disconnected", async () => {
  const channel = await connect();
  const gone = await connect();
  await disconnectChannel(OPERATOR, t.app, gone.workspaceId, gone.id);
  for (const path of [
    `whatsapp/${t.app.ids.next()}`,
    `telegram/${channel.id}`,
    `WHATSAPP/${channel.id}`,
    `fax/${channel.id}`,
    "whatsapp/not-an-id",
    "whatsapp/%00",
    `whatsapp/${gone.id}`,
  ]) {
    for (const method of ["GET", "POST"] as const) {
      const answer = await server.inject({ method, url: `/hooks/${path}`, payload: "{}" });
      assert.equal(answer.statusCode, 404, `${method} ${path}`);
    }
  }
});

test("one call for two numbers of two workspaces and an unknown one reaches both", async () => {
  const one = await connect();
  const two = await connect();
  const body = envelope(
    entry("999000111", { messages: [text("96550000003", "wamid.x", "nobody's")] }),
    entry(one.externalId, { messages: [text("96550000003", "wamid.a", "for one")] }),
    entry(two.externalId, { messages: [text("96550000004", "wamid.b", "for two")] }),
  );
  assert.equal((await post(one, body)).statusCode, 200);
  assert.deepEqual(await messagesOf(one), ["for one"]);
  assert.deepEqual(await messagesOf(two), ["for two"]);
});

test("a number that two workspaces have under one app reaches both", async () => {
  const one = await connect();
  const two = await connect({ number: one.externalId });
  const body = envelope(
    entry(one.externalId, { messages: [text("96550000005", "wamid.c", "both")] }),
  );
  assert.equal((await post(two, body)).statusCode, 200);
  assert.deepEqual([await messagesOf(one), await messagesOf(two)], [["both"], ["both"]]);
});

test("a workspace cannot forge a message to another one's number with its own app", async () => {
  const victim = await connect({ app: "app-of-the-victim", waba: "555" });
  const forger = await connect({ app: "app-of-the-forger" });
  const named = await connect({ app: "app-of-the-forger", number: victim.externalId });
  const news = {
    id: "555",
    changes: [{ field: "account_update", value: { event: "PARTNER_REMOVED" } }],
  };
  const body = envelope(
    entry(victim.externalId, { messages: [text("96550000006", "wamid.d", "forged")] }),
    news,
  );
  assert.equal((await post(forger, body, "app-of-the-forger")).statusCode, 200);
  assert.deepEqual(await messagesOf(victim), []);
  assert.deepEqual(await messagesOf(named), ["forged"]);
  const rows = await t.app.db.query(
    sql`select 1 from channel where workspace_id = ${victim.workspaceId} and status = 'connected'`,
  );
  assert.equal(rows.length, 1);
});

test("all accounts of a call are found in one statement, however many are unknown", async () => {
  const one = await connect();
  const two = await connect({ waba: "4242" });
  const rejected = {
    id: "4242",
    changes: [{ field: "account_update", value: { event: "ACCOUNT_VIOLATION" } }],
  };
  const statementsOf = async (body: string): Promise<number> => {
    let statements = 0;
    const count = <T>(answer: T): T => {
      statements++;
      return answer;
    };
    const { db } = t.app;
    const counting = Fastify();
    registerHooks(counting, {
      ...t.app,
      db: {
        ...db,
        query: (statement) => count(db.query(statement)),
        read: (statement) => count(db.read(statement)),
      },
    });
    const signature = createHmac("sha256", "app-1").update(body).digest("hex");
    const answer = await counting.inject({
      method: "POST",
      url: `/hooks/whatsapp/${one.id}`,
      headers: { "x-hub-signature-256": `sha256=${signature}` },
      payload: body,
    });
    assert.equal(answer.statusCode, 200);
    await counting.close();
    return statements;
  };
  const nobodys = Array.from({ length: 900 }, (_, index) =>
    entry(String(555_000_000 + index), { messages: [text("96550000013", `wamid.n${index}`)] }),
  );
  const known = (id: string) =>
    entry(two.externalId, { messages: [text("96550000013", id, "known")] });
  const few = await statementsOf(envelope(nobodys[0] ?? {}, known("wamid.k1"), rejected));
  const many = await statementsOf(envelope(...nobodys, known("wamid.k2"), rejected));
  assert.equal(many, few);
  assert.deepEqual(await messagesOf(two), ["known", "known"]);
});

test("413: a call that names more accounts than a platform's does writes nothing", async () => {
  const channel = await connect();
  const entries = Array.from({ length: 1_001 }, (_, index) =>
    entry(String(556_000_000 + index), { messages: [text("96550000014", `wamid.m${index}`)] }),
  );
  const own = entry(channel.externalId, { messages: [text("96550000014", "wamid.own")] });
  const before = await failures();
  assert.equal((await post(channel, envelope(...entries, own))).statusCode, 413);
  assert.deepEqual(await messagesOf(channel), []);
  assert.equal(await failures(), before);
  assert.equal((await post(channel, envelope(...entries.slice(1), own))).statusCode, 200);
  assert.deepEqual(await messagesOf(channel), ["hello"]);
});

test("of a call with 2,000 messages at most 256 are in the queue that all workspaces share", async () => {
  const channel = await connect();
  const messages = Array.from({ length: 2_000 }, (_, index) => text("965", `wamid.l${index}`));
  let [waiting, most, all] = [0, 0, 0];
  const fastify = Fastify();
  const groupCommit = Object.assign(Object.create(t.app.groupCommit) as typeof t.app.groupCommit, {
    submit: async () => {
      most = Math.max(most, ++waiting);
      all++;
      await new Promise((resolve) => setImmediate(resolve));
      waiting--;
      return true;
    },
  });
  registerHooks(fastify, { ...t.app, groupCommit });
  const body = envelope(entry(channel.externalId, { messages }));
  const signature = createHmac("sha256", "app-1").update(body).digest("hex");
  const answer = await fastify.inject({
    method: "POST",
    url: `/hooks/whatsapp/${channel.id}`,
    headers: { "x-hub-signature-256": `sha256=${signature}` },
    payload: body,
  });
  assert.deepEqual([answer.statusCode, all, most], [200, 2_000, 256]);
  await fastify.close();
});

test("a signed body that cannot be read is kept as its bytes and acknowledged", async () => {
  const channel = await connect();
  const before = await failures();
  const answer = await post(channel, '{"object":"whatsapp_business_account","entry":[');
  assert.equal(answer.statusCode, 200);
  assert.equal(await failures(), before + 1);
  const rows = await t.app.db.query<{ body: Buffer; channel_id: string }>(
    sql`select body, channel_id from inbound_failure order by received_at desc, id desc limit 1`,
  );
  assert.equal(rows[0]?.body.toString(), '{"object":"whatsapp_business_account","entry":[');
  assert.equal(rows[0]?.channel_id, channel.id);
});

test("a body of 4 MB, of any content type, is accepted; one beyond it is 413", async () => {
  const channel = await connect();
  const bodyOf = (filler: string) =>
    envelope(
      { ...entry("1", {}), filler },
      entry(channel.externalId, { messages: [text("96550000007", "wamid.e", "big")] }),
    );
  const body = bodyOf("x".repeat(4 * 1024 * 1024 - bodyOf("").length));
  assert.equal(body.length, 4 * 1024 * 1024);
  const plainText = { "content-type": "text/plain" };
  assert.equal((await post(channel, body, "app-1", plainText)).statusCode, 200);
  assert.deepEqual(await messagesOf(channel), ["big"]);
  assert.equal((await post(channel, "x".repeat(4 * 1024 * 1024 + 1))).statusCode, 413);
});

test("unknown fields and an empty body get 200, so that the subscription stays", async () => {
  const channel = await connect();
  assert.equal((await post(channel, '{"object":"page","entry":"?"}')).statusCode, 200);
  assert.equal((await post(channel, "[]")).statusCode, 200);
});

test("503: a database that does not answer makes the platform call again", async () => {
  const channel = await connect();
  const gone = () => Promise.reject(new Error("connection refused"));
  const fastify = Fastify();
  registerHooks(fastify, {
    ...t.app,
    db: { ...t.app.db, query: gone, read: gone, transaction: gone },
  });
  const url = `/hooks/whatsapp/${channel.id}`;
  const answer = await fastify.inject({ method: "POST", url, payload: "{}" });
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.headers["retry-after"], "10");
  await fastify.close();
});
