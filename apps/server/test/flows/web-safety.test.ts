import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { updateWeb } from "../../src/channels/web-channel.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { signVisitor, TOKEN_LIFE_MS } from "../../src/chat/visitor-token.ts";
import { sql } from "../../src/db/sql.ts";
import type { ChatMessage } from "../chat-client.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { identityHash, proven, serve, WebShop, type Served } from "../web-shop.ts";

/** What a stranger may not do. */
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

const said = (body: unknown) => (body as { message?: string }).message;

async function ask(
  shop: WebShop,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(`${one.base}/chat/v1/${shop.channelId}/${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" && { body: "{}" }),
  });
}

test("only pages of allowed origins are answered, and are told so exactly", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const origin = "https://shop.example";
  const preflight = await ask(shop, "OPTIONS", "messages", {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,content-type",
  });
  assert.equal(preflight.status, 204);
  assert.deepEqual(
    [
      "access-control-allow-origin",
      "access-control-allow-methods",
      "access-control-allow-headers",
      "vary",
      "access-control-allow-credentials",
    ].map((name) => preflight.headers.get(name)),
    [origin, "GET, POST", "authorization, content-type", "origin", null],
  );
  const fine = await ask(shop, "POST", "session", { origin });
  assert.deepEqual([fine.status, fine.headers.get("access-control-allow-origin")], [200, origin]);
  const refused = await ask(shop, "POST", "messages", { origin });
  // A page must be able to read why.
  assert.deepEqual(
    [refused.status, refused.headers.get("access-control-allow-origin")],
    [401, origin],
  );
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "http://shop.example" },
    { origin: "null" },
    {},
    { "sec-fetch-site": "cross-site" },
  ])
    for (const [method, path] of [
      ["OPTIONS", "session"],
      ["POST", "session"],
      ["GET", "stream"],
    ] as const) {
      const answer = await ask(shop, method, path, { ...headers });
      assert.deepEqual(
        [
          answer.status,
          said(await answer.json()),
          answer.headers.get("access-control-allow-origin"),
        ],
        [403, "ORIGIN_NOT_ALLOWED", null],
        `${method} ${JSON.stringify(headers)}`,
      );
    }
  // That there is no such channel any page may read, or its window would try again for ever.
  const gone = "/chat/v1/0199aaaa-0000-7000-8000-000000000000/session";
  for (const [method, status] of [
    ["OPTIONS", 204],
    ["POST", 404],
  ] as const) {
    const answer = await fetch(one.base + gone, { method, headers: { origin } });
    assert.deepEqual(
      [answer.status, answer.headers.get("access-control-allow-origin")],
      [status, "*"],
    );
  }
  const ours = await ask(shop, "POST", "session", { "sec-fetch-site": "same-origin" });
  assert.equal(ours.status, 200, "our own try page");

  await updateWeb(OPERATOR, t.app, shop.workspaceId, shop.channelId, { origins: [] });
  assert.equal((await ask(shop, "POST", "session", {})).status, 200);
  assert.equal((await ask(shop, "POST", "session", { origin: "https://any.example" })).status, 200);
});

test("a path that is none is not found; a method that is none names those that are, each once", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const allow = async (method: string, path: string) => {
    const answer = await ask(shop, method, path, { origin: "https://shop.example" });
    return [answer.status, said(await answer.json()), answer.headers.get("allow")];
  };
  assert.deepEqual(await allow("POST", "mesages"), [404, "ROUTE_NOT_FOUND", null]);
  assert.deepEqual(await allow("GET", "messages/1"), [404, "ROUTE_NOT_FOUND", null]);
  assert.deepEqual(await allow("GET", "messages"), [405, "METHOD_NOT_ALLOWED", "OPTIONS, POST"]);
});

test("tokens of another channel, of nobody, changed, expired or ended are worth nothing", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const other = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("hello");
  const stranger = await other.visitor("theirs");
  const { token: mine = "" } = visitor;
  const claims = JSON.parse(
    Buffer.from(mine.split(".")[0] ?? "", "base64url").toString(),
  ) as string[];
  const forged = signVisitor(
    { sealer: { ...t.app.sealer, derive: () => Buffer.alloc(32) }, clock: t.clock },
    {
      channelId: shop.channelId,
      visitorId: claims[2] ?? "",
      userId: null,
      version: 0,
      channelVersion: claims[5] ?? "",
    },
  );
  const before = await count(shop);
  for (const token of [
    stranger.token,
    claims[2],
    forged,
    `${mine}x`,
    mine.slice(0, -2),
    "",
    undefined,
  ]) {
    const thief = shop.client();
    thief.token = token;
    for (const path of ["messages", "receipts", "typing", "logout", "files?name=a.png"]) {
      const answer = await thief.post(path, { clientId: "c", text: "x", active: true });
      assert.deepEqual(
        [answer.status, said(answer.body)],
        [401, "INVALID_TOKEN"],
        `${path} ${token}`,
      );
    }
    assert.equal((await thief.openStream("0")).statusCode, 401);
    const session = await thief.session();
    assert.deepEqual(session.messages, []);
    assert.notEqual(session.token, mine);
  }
  assert.deepEqual(await count(shop), before, "nothing was written");

  assert.equal((await visitor.session()).messages.length, 1);
  t.clock.advance(TOKEN_LIFE_MS);
  assert.deepEqual((await visitor.session()).messages, [], "expired");

  const again = await shop.visitor("again");
  await updateWeb(OPERATOR, t.app, shop.workspaceId, shop.channelId, { rotateVisitorTokens: true });
  assert.equal((await again.say("more", "c9")).status, 401);
});

async function count(shop: WebShop): Promise<unknown> {
  return t.app.db.query(sql`select
    (select count(*) from message where workspace_id = ${shop.workspaceId}) as messages,
    (select count(*) from contact where workspace_id = ${shop.workspaceId}) as contacts,
    (select count(*) from chat_visitor where workspace_id = ${shop.workspaceId}) as visitors`);
}

test("a wrong proof is refused, and a new identity secret ends the proofs of the old one", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const client = shop.client();
  for (const user of [
    { id: "u1", hash: identityHash("u2") },
    { id: "u1", hash: "" },
    { id: "u1" },
    { hash: identityHash("u1") },
  ]) {
    const answer = await client.post("session", { user });
    assert.deepEqual([answer.status, said(answer.body)], [401, "INVALID_IDENTITY"]);
  }
  assert.equal((await client.session(proven("u1"))).verified, true);
  const { identitySecret } = await updateWeb(OPERATOR, t.app, shop.workspaceId, shop.channelId, {
    rotateIdentitySecret: true,
  });
  assert.match(identitySecret ?? "", /^[\w-]{43}$/);
  assert.equal((await shop.client().post("session", proven("u1"))).status, 401);
  const kept = await updateWeb(OPERATOR, t.app, shop.workspaceId, shop.channelId, {
    origins: ["https://shop.example", "https://*.shop.example"],
  });
  assert.equal(kept.identitySecret, undefined);
  const hash = createHmac("sha256", identitySecret ?? "")
    .update("u1")
    .digest("hex");
  assert.equal((await shop.client().session({ user: { id: "u1", hash } })).verified, true);
});

test("a visitor neither sees nor touches another's conversation, nor what is not for visitors", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const a = await shop.visitor("from A");
  const [mineOfA] = await shop.conversations();
  const b = await shop.visitor("from B");
  const both = await shop.conversations();
  const ofB = both.find((row) => row.id !== mineOfA?.id);
  assert.ok(mineOfA && ofB);
  const toB = await shop.reply(ofB.id, "for B");
  // A note of agents: stored in the conversation, and never given to the thread.
  await t.app.db
    .query(sql`insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction,
      type, text, status, source, created_at)
    select workspace_id, ${t.app.ids.next()}, ${mineOfA.id}, contact_id, channel_id, 'outbound', 'note', 'PRIVATE',
      'sent', 'dashboard', created_at from message where id = ${toB}`);
  await t.app.drain();
  const streamOfA = await a.stream("0");
  await shop.reply(mineOfA.id, "for A");
  const frames = await streamOfA.until((heard) => heard.length >= 2);
  assert.deepEqual(streamOfA.texts(), ["from A", "for A"]);
  const all = JSON.stringify([frames, await a.session()]);
  for (const secret of ["PRIVATE", "from B", "for B", shop.workspaceId, ofB.id])
    assert.ok(!all.includes(secret), secret);

  // Receipts for what is another's move nothing; cursors of another's conversation show only one's own.
  await a.post("receipts", { read: toB, delivered: toB });
  const [row] = await t.app.db.query<{ status: string }>(
    sql`select status from message where id = ${toB}`,
  );
  assert.equal(row?.status, "sent");
  const peek = await a.stream(`0.${ofB.id}`);
  await peek.until((heard) => heard.length >= 2);
  assert.deepEqual(peek.texts(), ["from A", "for A"]);
  assert.equal((await b.session()).messages.length, 2);
  streamOfA.close();
  peek.close();
});

test("after logout the browser's tokens and streams are over; other devices of the user go on", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const [phone, laptop] = [shop.client(), shop.client()];
  await phone.session(proven("u1"));
  await phone.say("hello", "c1");
  await laptop.session(proven("u1"));
  const [onPhone, onLaptop] = [await phone.stream("0"), await laptop.stream("0")];
  assert.equal((await phone.post("logout", {})).status, 204);
  await onPhone.end();
  assert.deepEqual(onPhone.frames.at(-1)?.data, { reason: "logout" });
  assert.equal((await phone.say("more", "c2")).status, 401);
  const next = await phone.session();
  assert.deepEqual([next.verified, next.messages], [false, []]);
  assert.equal((await laptop.say("still here", "c3")).status, 201);
  await onLaptop.until((heard) => heard.filter((frame) => frame.event === "message").length === 2);
  onLaptop.close();
});

test("limits: messages of a visitor, new visitors of an address, and the wait is told", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  for (let n = 0; n < 20; n++) assert.equal((await visitor.say("x", `c${n}`)).status, 201);
  const refused = await visitor.say("x", "c20");
  assert.deepEqual([refused.status, said(refused.body)], [429, "RATE_LIMITED"]);
  assert.equal(refused.headers.get("retry-after"), "60");
  t.clock.advance(60_000);
  assert.equal((await visitor.say("x", "c20")).status, 201);

  t.clock.advance(60_000);
  for (let n = 0; n < 30; n++) await shop.client().session();
  assert.equal((await shop.client().post("session", {})).status, 429);
  assert.equal((await visitor.post("session", { token: visitor.token })).status, 200);
});

test("bodies that are too large, too deep or not right are refused by name", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor();
  const table: readonly (readonly [body: unknown, status: number, code: string])[] = [
    [{ clientId: "c", text: "x".repeat(4_097) }, 400, "VALIDATION_FAILED"],
    [{ clientId: "a b", text: "x" }, 400, "VALIDATION_FAILED"],
    [{ clientId: "x".repeat(65), text: "x" }, 400, "VALIDATION_FAILED"],
    [{ clientId: "c" }, 400, "VALIDATION_FAILED"],
    [{ clientId: "c", text: "  " }, 400, "VALIDATION_FAILED"],
    [{ clientId: "c", text: "a\0b" }, 400, "VALIDATION_FAILED"],
    [{ text: "x" }, 400, "VALIDATION_FAILED"],
    [[], 400, "VALIDATION_FAILED"],
    [
      { clientId: "c", text: "x", attachments: ["0190aaaa-0000-7000-8000-000000000001"] },
      400,
      "VALIDATION_FAILED",
    ],
    [{ clientId: "c", text: "x".repeat(70_000) }, 413, "BODY_TOO_LARGE"],
    [Buffer.from("{"), 400, "MALFORMED_JSON"],
  ];
  for (const [body, status, code] of table) {
    const answer = await visitor.post("messages", body);
    assert.deepEqual(
      [answer.status, said(answer.body)],
      [status, code],
      JSON.stringify(body).slice(0, 80),
    );
  }
  const large = await visitor.post("messages", { clientId: "c", text: "x".repeat(70_000) });
  assert.deepEqual((large.body as { details?: unknown }).details, [
    { path: "", message: "the body may have at most 65536 bytes" },
  ]);
  const html = await visitor.post("messages", {}, { "content-type": "text/plain" });
  assert.equal(html.status, 415);
  assert.deepEqual(await shop.conversations(), []);
  const longest = "😀".repeat(4_096);
  const sent = await visitor.say(longest, "long");
  assert.deepEqual([sent.status, (sent.body as ChatMessage).text], [201, longest]);
});

test("a channel that is unknown, of another type or disconnected is not there", async () => {
  const shop = await WebShop.open(t.app, one.base);
  const visitor = await shop.visitor("hello");
  await disconnectChannel(OPERATOR, t.app, shop.workspaceId, shop.channelId);
  assert.equal((await visitor.say("x", "c2")).status, 404);
  for (const id of ["nothing", "0190aaaa-0000-7000-8000-000000000001"]) {
    const answer = await fetch(`${one.base}/chat/v1/${id}/session`, { method: "POST" });
    assert.equal(answer.status, 404);
  }
  assert.equal(
    (await fetch(`${one.base}/hooks/web/${shop.channelId}`, { method: "POST" })).status,
    404,
  );
});
