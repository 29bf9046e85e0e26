import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { startApi, type Api } from "./api.ts";
import { addTemplate, connectWhatsApp } from "./fixtures.ts";

let api: Api;
let shop: { readonly workspaceId: string; readonly bearer: string };
before(async () => {
  // As on a server: an address that a key gives goes through the guard.
  api = await startApi({ overrides: { operator: false } });
  shop = await api.newWorkspace("business");
});
after(() => api[Symbol.asyncDispose]());

const SITE = { type: "WEB", name: "Site", fields: { greeting: "Hello" } } as const;
const connect = (json: object, headers: Record<string, string> = {}, bearer = shop.bearer) =>
  call("POST", "/channels", { json, headers, bearer });
const call: Api["call"] = (method, path, options = {}) =>
  api.call(method, path, { bearer: shop.bearer, ...options });

test("a channel is connected once under its key, shown without secrets, changed and disconnected", async () => {
  const first = await connect(SITE, { "idempotency-key": "site" });
  const again = await connect(SITE, { "idempotency-key": "site" });
  assert.deepEqual([first.status, again.text], [201, first.text], first.text);
  const { id, identitySecret } = first.body;
  assert.equal(typeof identitySecret, "string");
  const path = `/channels/${String(id)}`;
  const read = await call("GET", path);
  assert.deepEqual({ ...read.body, identitySecret }, first.body);
  const listed = await call("GET", "/channels?limit=200");
  for (const { text } of [read, listed]) assert.ok(!text.includes(String(identitySecret)));
  const renamed = await call("PATCH", path, {
    json: { name: "Shop", fields: { color: "#112233" } },
  });
  assert.deepEqual(
    [renamed.body["name"], renamed.body["settings"]],
    ["Shop", { ...Object(first.body["settings"]), color: "#112233" }],
  );
  const tested = await call("POST", `${path}/test`);
  assert.deepEqual([tested.status, tested.body["fault"]], [200, null]);
  const paced = await call("PUT", `${path}/pace`, { json: { most: 600 } });
  assert.deepEqual(paced.body, { most: 600, ceiling: null });
  for (let round = 0; round < 2; round++) {
    const ended = await call("POST", `${path}/disconnect`);
    assert.deepEqual([ended.status, ended.body["status"]], [200, "disconnected"]);
  }
  const late = await call("POST", `${path}/test`);
  assert.deepEqual([late.status, late.body.message], [409, "NOT_ALLOWED_IN_STATE"]);
  const entries = await api.app.db.query<{ action: string; actor: string }>(
    sql`select action, actor from audit_entry where subject = ${id} order by id`,
  );
  assert.deepEqual(
    entries.map(({ action }) => action),
    [
      "channel.connected",
      "channel.updated",
      "channel.tested",
      "channel.paced",
      "channel.disconnected",
    ],
  );
  assert.ok(entries.every(({ actor }) => actor.startsWith("key:")));
});

test("the types say what each takes, faults name their field, and the plan bounds the channels", async () => {
  const { body } = await call("GET", "/channel-types");
  assert.match(
    JSON.stringify(body["items"]),
    /"type":"TELEGRAM".*"name":"botToken","pattern":.*"secret":true/,
  );
  for (const [json, at] of [
    [{ type: "TELEGRAM", name: "Bot", fields: {} }, "botToken"],
    [{ type: "WEB", name: "Site", fields: { colour: "x" } }, "colour"],
    [
      {
        type: "TELEGRAM",
        name: "Bot",
        fields: { botToken: "123456789:AAx" },
        apiUrl: "https://169.254.169.254",
      },
      "apiUrl",
    ],
    [{ ...SITE, secrets: {} }, "secrets"],
  ] as const) {
    const refused = await connect(json);
    assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, at], refused.text);
  }
  const { bearer } = await api.newWorkspace("free");
  for (const status of [201, 201, 402])
    assert.equal((await connect(SITE, {}, bearer)).status, status);
  const limited = await connect(SITE, {}, bearer);
  assert.deepEqual([limited.body.message, limited.body["limit"]], ["CHANNEL_LIMIT_REACHED", 2]);
});

test("another workspace's channel is not found, and reading and writing are two scopes", async () => {
  const id = String((await connect(SITE)).body["id"]);
  const other = await api.newWorkspace();
  const calls = [
    ["GET", `/channels/${id}`],
    ["PATCH", `/channels/${id}`, { name: "x" }],
    ["POST", `/channels/${id}/test`],
    ["POST", `/channels/${id}/disconnect`],
    ["PUT", `/channels/${id}/pace`, { most: null }],
    ["POST", `/channels/${id}/template-sync`],
  ] as const;
  for (const [method, path, json] of calls) {
    const answer = await call(method, path, { bearer: other.bearer, ...(json && { json }) });
    assert.equal(answer.status, 404, path);
  }
  const reader = await api.key(["channels:read"], shop.workspaceId);
  assert.equal((await call("GET", `/channels/${id}`, { bearer: reader })).status, 200);
  const refused = await call("POST", `/channels/${id}/disconnect`, { bearer: reader });
  assert.deepEqual([refused.status, refused.body.message], [403, "MISSING_SCOPE:channels:write"]);
});

test("one template is read in any status; a channel without templates has none to read again", async () => {
  const channelId = await connectWhatsApp(api, shop.workspaceId);
  const id = await addTemplate(api, channelId, {
    name: "waiting",
    status: "PENDING",
    workspaceId: shop.workspaceId,
  });
  const read = await call("GET", `/templates/${id}`);
  assert.deepEqual([read.body["name"], read.body["status"]], ["waiting", "PENDING"]);
  assert.equal((await call("GET", "/templates/none")).status, 404);
  const site = String((await connect(SITE)).body["id"]);
  const refused = await call("POST", `/channels/${site}/template-sync`);
  assert.deepEqual([refused.status, refused.body.message], [409, "NOT_ALLOWED_IN_STATE"]);
});
