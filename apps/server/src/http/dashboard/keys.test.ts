import assert from "node:assert/strict";
import { test } from "node:test";
import { startReceiver } from "../../../test/webhook-receiver.ts";
import { openHouse } from "./people.fixture.ts";

test("a key is created with its scopes, shown once, used, and refused once it is revoked", async () => {
  await using h = await openHouse();
  const { token: as } = await h.member("admin");
  const unknown = { name: "Shop", scopes: ["contacts:fly"] };
  assert.equal((await h.ask("POST", "/keys", { as, body: unknown })).code, "VALIDATION_FAILED");
  const body = { name: "Shop", scopes: ["contacts:read"] };
  const made = await h.ask("POST", "/keys", { as, body });
  assert.equal(made.status, 201);
  const { key, bearer } = made.json as { key: { id: string }; bearer: string };
  const listed = JSON.stringify((await h.ask("GET", "/keys", { as })).json);
  assert.ok(listed.includes(key.id));
  assert.ok(!listed.includes(bearer.split(":")[1] ?? "?"), "the secret is shown once");
  const read = () =>
    h.fastify.inject({ url: "/api/v1/contacts", headers: { authorization: `Bearer ${bearer}` } });
  assert.equal((await read()).statusCode, 200);
  assert.equal((await h.ask("DELETE", `/keys/${key.id}`, { as })).status, 200);
  assert.equal((await read()).statusCode, 401);
});

test("an endpoint is added, tested, read with its request and answer, disabled, and sent to again", async () => {
  const receiver = await startReceiver();
  using _ = { [Symbol.dispose]: () => receiver.close() };
  await using h = await openHouse();
  const { token: as } = await h.member("owner");
  const bad = await h.ask("POST", "/webhooks", { as, body: { url: "ftp://x", events: [] } });
  assert.equal(bad.code, "VALIDATION_FAILED");
  const body = { url: `${receiver.base}/in`, events: ["message.status"] };
  const made = await h.ask("POST", "/webhooks", { as, body });
  assert.equal(made.status, 201, JSON.stringify(made.json));
  const { endpoint, secret } = made.json as { endpoint: { id: string }; secret: string };
  assert.match(secret, /^whsec_/);
  const page = `/webhooks/${endpoint.id}`;
  const at = `/webhook-endpoints/${endpoint.id}`;
  const tested = await h.ask("POST", `${at}/test`, { as });
  const { eventId } = tested.json as { eventId: string };
  await h.t.app.drain();
  assert.equal(receiver.received.length, 1);
  const one = await h.ask("GET", `${at}/deliveries/${eventId}`, { as });
  const read = one.json as { state: string; log: unknown[]; body: string };
  assert.equal(read.state, "delivered");
  assert.equal(read.body, receiver.received[0]?.body);
  const again = () => h.ask("POST", `${at}/redeliver`, { as, body: { eventId } });
  assert.deepEqual((await again()).json, { redelivered: 1 });
  await h.t.app.drain();
  assert.equal(receiver.received.length, 2);
  await h.ask("PUT", `${page}/enabled`, { as, body: { enabled: false } });
  assert.equal((await again()).code, "NOT_ALLOWED_IN_STATE");
  const rotated = await h.ask("POST", `${at}/rotate-secret`, { as, body: { now: true } });
  assert.notEqual((rotated.json as { secret: string }).secret, secret);
  const log = JSON.stringify((await h.ask("GET", "/audit?action=endpoint", { as })).json);
  for (const action of ["created", "tested", "redelivered", "disabled", "secret_rotated"])
    assert.ok(log.includes(`endpoint.${action}`), `${action} in ${log}`);
  const { names } = JSON.parse(log) as { names: { id: string; kind: string; name: string }[] };
  assert.deepEqual(
    names.filter(({ kind }) => kind === "endpoint").map(({ id, name }) => [id, name]),
    [[endpoint.id, `${receiver.base}/in`]],
  );
  const { disabledBy } = (await h.ask("GET", at, { as })).json as { disabledBy: string | null };
  assert.equal(disabledBy, "hand");
});

test("the audit names the records that are still there, and those that are gone by id alone", async () => {
  await using h = await openHouse();
  const { token: as } = await h.member("owner");
  const rules = { match: "all", rules: [] };
  const segment = async (name: string) => {
    const body = { name, definition: rules };
    return ((await h.ask("POST", "/segments", { as, body })).json as { id: string }).id;
  };
  const [kept, gone] = [await segment("VIP"), await segment("Old")];
  await h.ask("DELETE", `/segments/${gone}`, { as });
  const page = (await h.ask("GET", "/audit?action=segment", { as })).json as {
    items: { subject: string }[];
    names: { id: string; kind: string; name: string }[];
  };
  assert.deepEqual(
    page.items.map(({ subject }) => subject),
    [gone, gone, kept],
  );
  assert.deepEqual(
    page.names.filter(({ kind }) => kind === "segment"),
    [{ id: kept, kind: "segment", name: "VIP" }],
  );
});

test("the audit keeps the name of what is deleted, unless only one member could see it; a change of role keeps the role before", async () => {
  await using h = await openHouse();
  const { token: as, id: owner, workspaceId } = await h.member("owner");
  const { id: agent } = await h.member("agent", workspaceId);
  const removed = async (path: string, body: object) => {
    const { id } = (await h.ask("POST", path, { as, body })).json as { id: string };
    assert.equal((await h.ask("DELETE", `${path}/${id}`, { as })).status, 200);
  };
  await removed("/segments", { name: "VIP", definition: { match: "all", rules: [] } });
  for (const shared of [true, false]) {
    await removed("/views", { name: "Late", filter: { all: [] }, shared });
    const text = { shortcut: "hi", title: "Greeting", text: "Hello" };
    await removed("/saved-replies", { ...text, shared });
  }
  await h.ask("PATCH", `/team/${agent}`, { as, body: { role: "admin" } });
  const { items } = (await h.ask("GET", `/audit?actor=member:${owner}`, { as })).json as {
    items: { action: string; facts: object }[];
  };
  assert.deepEqual(
    items
      .filter(({ action }) => action.endsWith("deleted") || action === "member.updated")
      .map(({ action, facts }) => [action, facts]),
    [
      ["member.updated", { changed: ["role"], role: "admin", from: "agent" }],
      ["saved_reply.deleted", {}],
      ["desk_view.deleted", {}],
      ["saved_reply.deleted", { name: "Greeting" }],
      ["desk_view.deleted", { name: "Late" }],
      ["segment.deleted", { name: "VIP" }],
    ],
  );
});

test("a workspace's own word opts out only its own customers, until it is removed", async () => {
  await using h = await openHouse();
  const { token: as } = await h.member("admin");
  const add = (text: string, wish = "stop") =>
    h.ask("POST", "/consent-words", { as, body: { text, wish } });
  assert.equal((await add("STOP")).code, "VALIDATION_FAILED", "counts already");
  assert.equal((await add("?!")).code, "VALIDATION_FAILED", "no word");
  const made = await add("Bástà!");
  assert.equal((made.json as { word: string }).word, "basta");
  const list = async () =>
    ((await h.ask("GET", "/consent-words", { as })).json as { own: unknown[] }).own;
  assert.deepEqual(await list(), [{ word: "basta", wish: "stop", shown: "Bástà!" }]);
  assert.equal((await h.ask("DELETE", "/consent-words/basta", { as })).status, 200);
  assert.equal((await h.ask("DELETE", "/consent-words/basta", { as })).status, 404);
  assert.deepEqual(await list(), []);
});

test("limits say what is used of the plan, to the owner alone", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const { json } = await h.ask("GET", "/limits", { as: owner.token });
  const { items } = json as { items: { name: string; limit: number | null; used: number }[] };
  assert.deepEqual(
    items.find(({ name }) => name === "seats"),
    { name: "seats", limit: 20, used: 1, own: false },
  );
  const admin = await h.member("admin", owner.workspaceId);
  assert.equal((await h.ask("GET", "/limits", { as: admin.token })).code, "FORBIDDEN");
});
