import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { OPERATOR } from "../../src/actor.ts";
import { updateWeb } from "../../src/channels/web-channel.ts";
import { sql } from "../../src/db/sql.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createMember } from "../../src/workspaces/create-member.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { proven, serve, WebShop } from "../web-shop.ts";

// What a visitor sees of the team and says of themselves.

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

const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(40, 7)]);

test("visitors see the title and the logo, and nowhere the channel's own name", async () => {
  const shop = await WebShop.open(t.app, base, { name: "Team B, internal" });
  const change = (changes: Parameters<typeof updateWeb>[4]) =>
    updateWeb(OPERATOR, t.app, shop.workspaceId, shop.channelId, changes);
  const settings = async () => (await shop.client().session()).settings;
  const bare = await settings();
  assert.deepEqual([bare["name"], bare["logo"]], ["", null]);
  await change({ title: "Desert Rose", logo: PNG });
  const dressed = await settings();
  assert.equal(dressed["name"], "Desert Rose");
  const { pathname } = new URL(String(dressed["logo"]));
  const logo = await fetch(`${base}${pathname}`);
  assert.deepEqual(
    [logo.status, logo.headers.get("content-type"), Buffer.from(await logo.arrayBuffer())],
    [200, "image/png", PNG],
  );
  assert.match(logo.headers.get("content-security-policy") ?? "", /sandbox/);
  assert.ok(!JSON.stringify(dressed).includes("Team B"));
  const page = await (await fetch(`${base}/chat/try/${shop.channelId}`)).text();
  assert.ok(!page.includes("Team B"), page);
  for (const [wrong, why] of [
    [Buffer.from("<svg/>"), /PNG, JPEG or WebP/],
    [Buffer.concat([PNG, Buffer.alloc(48 * 1024)]), /at most/],
  ] as const)
    await assert.rejects(change({ logo: wrong }), why);
  await assert.rejects(change({ title: "two\nlines" }));
  await change({ logo: null });
  assert.equal((await settings())["logo"], null);
  assert.equal((await fetch(`${base}${pathname}`)).status, 404);
});

test("an answer carries the first name of the member who wrote it, in the stream and in the history; a program's carries none", async () => {
  const shop = await WebShop.open(t.app, base);
  const visitor = await shop.visitor("Is it in stock?");
  const { cursor } = await visitor.session();
  const stream = await visitor.stream(cursor);
  const conversationId = await shop.conversation();
  const { id: memberId } = await createMember(OPERATOR, t.app, shop.workspaceId, {
    email: "sara.khaled@shop.example",
    name: "Dr. Sara Khaled",
    role: "agent",
    password: "correct horse battery",
  });
  const sara = { kind: "member", memberId, role: "agent" } as const;
  await acceptMessage(sara, t.app, shop.workspaceId, { conversationId, text: "It is." });
  await acceptMessage(OPERATOR, t.app, shop.workspaceId, { conversationId, text: "Order 7 left." });
  const named = (list: readonly Readonly<Record<string, unknown>>[]) =>
    list.filter(({ from }) => from === "agent").map((one) => one["agentName"]);
  const frames = await stream.until(
    (all) => all.filter(({ event }) => event === "message").length === 2,
  );
  assert.deepEqual(named(frames.map(({ data }) => data)), ["Sara", null]);
  assert.ok(!JSON.stringify(frames).includes("Khaled"));
  assert.deepEqual(named((await visitor.session()).messages as never), ["Sara", null]);
});

test("what the owner asks is asked once, held to the rules of contacts, and stored on the contact", async () => {
  const shop = await WebShop.open(t.app, base, { ask: "name email", askWhen: "before" });
  const visitor = shop.client();
  const first = await visitor.session();
  assert.deepEqual([first.asks, first.settings["askWhen"]], [["name", "email"], "before"]);
  const refused = async (said: object, path: string) => {
    const { status, body } = await visitor.post("profile", said);
    const { details } = body as { details?: readonly { readonly path: string }[] };
    assert.deepEqual(
      [status, details?.map((one) => one.path)],
      [400, [path]],
      JSON.stringify(said),
    );
  };
  await refused({ email: "sara at shop" }, "email");
  await refused({ name: "x".repeat(201) }, "name");
  await refused({}, "name");
  assert.equal((await visitor.post("profile", { name: "  Sara  " })).status, 204);
  assert.deepEqual((await visitor.session()).asks, ["email"]);
  assert.deepEqual(await shop.contacts(), [], "nobody wrote yet");
  await visitor.say("Hello", "c1");
  assert.equal((await visitor.post("profile", { email: "sara@x.example" })).status, 204);
  const [contact] = await shop.contacts();
  assert.equal(contact?.name, "Sara");
  assert.deepEqual(contact.attributes, { web_email_unverified: "sara@x.example" });
  assert.deepEqual((await visitor.session()).asks, []);
  const [{ email } = { email: "?" }] = await t.app.db.query<{ email: string | null }>(
    sql`select email from contact where workspace_id = ${shop.workspaceId}`,
  );
  assert.equal(email, null, "an address that nobody proved finds nobody");
  const user = shop.client();
  assert.deepEqual((await user.session(proven("u1", { name: "Lina" }))).asks, []);
  await user.say("Hi", "c1");
  assert.equal((await user.post("profile", { name: "Somebody" })).status, 204);
  assert.deepEqual(
    (await shop.contacts()).map(({ name }) => name),
    ["Sara", "Lina"],
  );
  const codes: number[] = [];
  while (codes.length < 11) codes.push((await user.post("profile", { name: "A" })).status);
  assert.equal(codes.at(-1), 429);
});
