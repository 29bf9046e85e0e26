import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { updateWorkspace } from "../../src/workspaces/update-workspace.ts";
import { startApi, type Api } from "../v1/api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "../v1/fixtures.ts";

/** What a fine request is refused for: in which order, with which figures, and what stays under its key. */
const refused = (code: string, limit: number, usage: number) => ({
  statusCode: 402,
  error: "Payment Required",
  message: code,
  code,
  limit,
  usage,
});

async function campaign(api: Api): Promise<string> {
  const channelId = await connectWhatsApp(api);
  const { id } = await createBroadcast(OPERATOR, api.app, api.workspaceId, {
    name: "C",
    kind: "WHATSAPP_TEMPLATE",
    channelId,
    templateId: await addTemplate(api, channelId, { name: `t${api.app.ids.next()}` }),
    variables: { 1: "a", 2: "b" },
  });
  return id;
}

test("404 comes before 402, and 402 before 400", async () => {
  await using api = await startApi();
  const id = await campaign(api);
  const conversationId = await openConversation(api);
  await api.call("POST", "/messages", { json: { conversationId, text: "one" } });
  await api.call("POST", `/broadcasts/${id}/start`);
  await updateWorkspace(OPERATOR, api.app, api.workspaceId, { suspended: true });
  const suspended = refused("SUBSCRIPTION_SUSPENDED", 500, 1);
  const none = await api.call("POST", `/broadcasts/${api.app.ids.next()}/start`);
  assert.equal(none.body.message, "BROADCAST_NOT_FOUND");
  // Started already, which alone would be 400.
  assert.deepEqual((await api.call("POST", `/broadcasts/${id}/start`)).body, suspended);
  const nowhere = { conversationId: "none", text: "x" };
  assert.deepEqual((await api.call("POST", "/messages", { json: nowhere })).body, suspended);
  // No provider is set, which alone would be 400.
  const otp = await api.call("POST", "/otp/send", {
    json: { mobile: "201001234567", message: "1" },
  });
  assert.deepEqual([otp.status, otp.body["code"]], [402, "SUBSCRIPTION_SUSPENDED"]);
  // What is wrong in form is said first.
  assert.equal((await api.call("POST", "/messages", { json: {} })).status, 400);
  // Reading and contacts go on.
  for (const path of ["/contacts", "/segments", "/templates", "/broadcasts", "/usage"])
    assert.equal((await api.call("GET", path)).status, 200);
  assert.equal((await api.call("POST", "/contacts", { json: { email: "a@b.co" } })).status, 201);
});

test("an allowance of nothing refuses the first reply and is all used", async () => {
  await using api = await startApi();
  const conversationId = await openConversation(api);
  await updateWorkspace(OPERATOR, api.app, api.workspaceId, { limits: { messages: 0 } });
  const { body } = await api.call("POST", "/messages", { json: { conversationId, text: "x" } });
  assert.deepEqual(body, refused("MESSAGE_LIMIT_REACHED", 0, 0));
  const usage = await api.call("GET", "/usage");
  assert.equal(usage.body["percentUsed"], 100);
});

test("a failed reply spends its slot: of two slots the late one takes one", async () => {
  await using api = await startApi();
  const channelId = await connectWhatsApp(api);
  const late = await openConversation(api, { hoursAgo: 25, channelId });
  const open = await openConversation(api, { channelId });
  await updateWorkspace(OPERATOR, api.app, api.workspaceId, { limits: { messages: 2 } });
  const send = (conversationId: string) =>
    api.call("POST", "/messages", { json: { conversationId, text: "x" } });
  assert.equal((await send(late)).body["status"], "failed");
  assert.deepEqual(Object.keys((await send(open)).body).sort(), ["id", "status"]);
  assert.deepEqual((await send(open)).body, refused("MESSAGE_LIMIT_REACHED", 2, 2));
  const { body } = await api.call("GET", "/usage");
  assert.deepEqual([body["percentUsed"], (body["usage"] as { failed: number }).failed], [100, 1]);
});

test("percentUsed is whole and never says 100 before the last slot is gone", async () => {
  await using api = await startApi();
  const conversationId = await openConversation(api);
  await updateWorkspace(OPERATOR, api.app, api.workspaceId, { limits: { messages: 3 } });
  const seen: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    await api.call("POST", "/messages", { json: { conversationId, text: "x" } });
    seen.push((await api.call("GET", "/usage")).body["percentUsed"]);
  }
  assert.deepEqual(seen, [33, 66, 100]);
});

test("a 404 or 400 of state stays under its key after the state has changed, a 402 does not", async () => {
  await using api = await startApi();
  const id = await campaign(api);
  const unknown = api.app.ids.next();
  const start = (campaignId: string, key: string) =>
    api.call("POST", `/broadcasts/${campaignId}/start`, { headers: { "idempotency-key": key } });
  assert.equal((await api.call("POST", `/broadcasts/${id}/start`)).status, 201);
  const first = [await start(unknown, "a"), await start(id, "b")];
  await updateWorkspace(OPERATOR, api.app, api.workspaceId, { suspended: true });
  first.push(await start(id, "c"));
  await updateWorkspace(OPERATOR, api.app, api.workspaceId, { suspended: false });
  const again = [await start(unknown, "a"), await start(id, "b"), await start(id, "c")];
  assert.deepEqual(
    again.map((one) => [one.status, one.headers["idempotency-replayed"], one.text]),
    [
      [404, "true", first[0]?.text],
      [400, "true", first[1]?.text],
      [400, undefined, again[2]?.text],
    ],
  );
  assert.equal(first[2]?.status, 402);
});

test("phones in every spelling are one number; what is none is refused", async () => {
  await using api = await startApi();
  for (const [given, kept] of [
    ["+20 100 123 4567", "201001234567"],
    ["0020-100-123-4567", "201001234567"],
    ["(20) 100.123.4567", "201001234567"],
    [" 201001234567 ", "201001234567"],
    ["+1", "1"],
    ["1".repeat(40), "1".repeat(40)],
  ] as const) {
    const { body } = await api.call("POST", "/contacts", { json: { phone: given } });
    assert.equal(body["phone"], kept, given);
  }
  for (const bad of [
    "+",
    "00",
    "20x100",
    "٢٠١٠٠",
    "++20",
    "20/100",
    "()",
    "1".repeat(41),
    "+20 ext 5",
  ]) {
    const { status, body } = await api.call("POST", "/contacts", { json: { phone: bad } });
    assert.deepEqual([status, body.message], [400, "VALIDATION_FAILED"], bad);
  }
});

test("attributes take 16 KiB in all, counted in bytes, and not one more", async () => {
  await using api = await startApi();
  const send = (letters: string) =>
    api.call("POST", "/contacts", { json: { email: "a@b.co", attributes: { k: letters } } });
  const room = 16 * 1024 - '{"k":""}'.length;
  assert.equal((await send("x".repeat(room))).status, 201);
  assert.equal((await send("x".repeat(room + 1))).status, 400);
  assert.equal((await send("ش".repeat(room / 2))).status, 201);
  const over = await send("ش".repeat(room / 2 + 1));
  assert.deepEqual(
    over.body.details?.map((one) => one.path),
    ["attributes"],
  );
});

test("tags are trimmed, lower-cased, and neither empty nor repeated, in their order", async () => {
  await using api = await startApi();
  const json = {
    email: "a@b.co",
    tags: ["VIP", " vip", "Ünïcode", "", "  ", "عميل", "new", "VIP"],
  };
  const { body } = await api.call("POST", "/contacts", { json });
  assert.deepEqual(body["tags"], ["vip", "ünïcode", "عميل", "new"]);
});
