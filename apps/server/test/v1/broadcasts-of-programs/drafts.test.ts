import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../../src/actor.ts";
import { createBroadcast } from "../../../src/broadcasts/record/create-broadcast.ts";
import { createContact } from "../../../src/contacts/record/create-contact.ts";
import { sql } from "../../../src/db/sql.ts";
import { startApi, type Api } from "../api.ts";
import { addTemplate, connectWhatsApp } from "../fixtures.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const TEXT = { name: "Sale", kind: "TEXT", body: "Hello {{first_name}}" } as const;

async function ground() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const channelId = await connectWhatsApp(api, workspaceId);
  const made = async (more: object = {}) => {
    const json = { ...TEXT, channelId, ...more };
    const { status, body } = await api.call("POST", "/broadcasts", { bearer, json });
    assert.equal(status, 201, JSON.stringify(body));
    return String(body["id"]);
  };
  return { workspaceId, bearer, channelId, made };
}

test("what a draft takes is what its record shows: written again from it, it is the same", async () => {
  const { workspaceId, bearer, channelId } = await ground();
  const templateId = await addTemplate(api, channelId, { name: "order_update", workspaceId });
  const variables = { "1": "{{first_name|friend}}", "2": "{{attribute.city}}" };
  const json = {
    name: "A or B",
    kind: "WHATSAPP_TEMPLATE",
    channelId,
    quietHours: { from: 1_320, until: 480 },
    timeZone: "Asia/Kuwait",
    localTime: true,
    replyDays: 7,
    rateLimitPerMinute: 600,
    holdoutShare: 0.1,
    variants: [
      { name: "A", share: 0.45, templateId, variables },
      { name: "B", share: 0.45, templateId, variables: { ...variables, "1": "you" } },
    ],
  };
  const { body } = await api.call("POST", "/broadcasts", { bearer, json });
  const { name, kind, quietHours, timeZone, localTime, replyDays, rateLimitPerMinute } = body;
  assert.equal(body["holdoutShare"], 0.1);
  const variants = (body["variants"] as Record<string, unknown>[]).map(
    ({ name: one, share, templateId: template, variables: texts }) => ({
      name: one,
      share,
      templateId: template,
      variables: texts,
    }),
  );
  const again = await api.call("POST", "/broadcasts", {
    bearer,
    json: {
      name,
      kind,
      channelId,
      quietHours,
      timeZone,
      localTime,
      replyDays,
      rateLimitPerMinute,
      variants,
      holdoutShare: body["holdoutShare"],
    },
  });
  assert.equal(again.status, 201, again.text);
  const { id: _, createdAt: __, ...record } = body;
  const { id: ___, createdAt: ____, ...copy } = again.body;
  assert.deepEqual(copy, record);
});

test("null takes quiet hours and segment away, what is left out stays, and a started campaign is not changed", async () => {
  const { bearer, made } = await ground();
  const id = await made({ quietHours: { from: 0, until: 60 } });
  const change = (json: object) => api.call("PATCH", `/broadcasts/${id}`, { bearer, json });
  const named = await change({ name: "Other" });
  assert.deepEqual(named.body["quietHours"], { from: 0, until: 60 });
  const open = await change({ quietHours: null, segmentId: null });
  assert.deepEqual([open.body["quietHours"], open.body["name"]], [null, "Other"]);
  const unknown = await change({ kind: "SMS" });
  assert.deepEqual([unknown.status, unknown.body.details?.[0]?.path], [400, "kind"]);
  assert.equal((await api.call("POST", `/broadcasts/${id}/start`, { bearer })).status, 201);
  // The refusal says what the state is, and in which the call is allowed.
  const refused = ({ body: { message, details } }: Awaited<ReturnType<typeof change>>) => [
    message,
    ...(details ?? []).map((one) => `${one.path} ${one.message}`),
  ];
  const call = (method: "GET" | "POST", verb: string) =>
    api.call(method, `/broadcasts/${id}/${verb}`, { bearer });
  for (const [answer, allowed] of [
    [await change({ name: "Late" }), "DRAFT"],
    [await call("GET", "estimate"), "DRAFT or SCHEDULED"],
    [await call("POST", "pause"), "RUNNING"],
    [await call("POST", "unschedule"), "SCHEDULED"],
    [await call("POST", "resend-unknown"), "RUNNING or PAUSED or COMPLETED"],
  ] as const)
    assert.deepEqual(refused(answer), [
      "NOT_ALLOWED_IN_STATE",
      `status is QUEUED; this needs ${allowed}`,
    ]);
});

test("programs that change a draft at the same time lose nothing: each change is made in what the others left", async () => {
  const { bearer, made } = await ground();
  const id = await made();
  const changes = [{ name: "New" }, { replyDays: 9 }, { timeZone: "Asia/Riyadh" }];
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      changes.map(async (json) => {
        const { status, text } = await api.call("PATCH", `/broadcasts/${id}`, { bearer, json });
        assert.equal(status, 200, text);
      }),
    );
    const { body } = await api.call("GET", `/broadcasts/${id}?include=draft`, { bearer });
    const draft = body["draft"] as Record<string, unknown>;
    assert.deepEqual(
      [draft["name"], draft["replyDays"], draft["timeZone"]],
      ["New", 9, "Asia/Riyadh"],
    );
    const reset = { name: "Old", replyDays: 3, timeZone: "UTC" };
    const { headers } = await api.call("GET", `/broadcasts/${id}`, { bearer });
    const match = { "if-match": String(headers["etag"]) };
    // Of two writers that read the same version one wins.
    const both = await Promise.all(
      [1, 2].map(() =>
        api.call("PATCH", `/broadcasts/${id}`, { bearer, json: reset, headers: match }),
      ),
    );
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 412],
    );
  }
});

test("a deleted draft is reported as cancelled, its tests stay, and nothing else can be deleted", async () => {
  const { workspaceId, bearer, made } = await ground();
  const id = await made();
  const { id: contactId } = await createContact(OPERATOR, api.app, workspaceId, { phone: "96551" });
  const tested = await api.call("POST", `/broadcasts/${id}/test`, {
    bearer,
    json: { contactIds: [contactId] },
  });
  const testId = String(tested.body["id"]);
  const old = { "if-match": '"another"' };
  const stale = await api.call("DELETE", `/broadcasts/${id}`, { bearer, headers: old });
  assert.equal(stale.body.message, "VERSION_MISMATCH");
  assert.equal((await api.call("DELETE", `/broadcasts/${id}`, { bearer })).status, 200);
  const again = await api.call("DELETE", `/broadcasts/${id}`, { bearer });
  assert.equal(again.body.message, "BROADCAST_NOT_FOUND");
  const [last] = await api.app.db.query<{ previous: string; status: string }>(sql`
    select body::json->'data'->>'previousStatus' as previous, body::json->'data'->>'status' as status
    from event where workspace_id = ${workspaceId} and type = 'broadcast.status'
      and body::json->'data'->'broadcast'->>'id' = ${id} order by sequence desc limit 1`);
  assert.deepEqual(last, { previous: "DRAFT", status: "CANCELLED" });
  const left = await api.call("GET", `/broadcasts/${testId}?include=draft`, { bearer });
  const { isTest, parentId } = left.body["draft"] as Record<string, unknown>;
  assert.deepEqual([isTest, parentId], [true, null]);
  const running = await api.call("DELETE", `/broadcasts/${testId}`, { bearer });
  assert.equal(running.body.message, "NOT_ALLOWED_IN_STATE");
});

test("a search goes beyond the 100 newest, page by page, and each filter chooses", async () => {
  const { workspaceId, bearer, channelId, made } = await ground();
  const ids: string[] = [];
  for (let n = 0; n < 105; n++) {
    const draft = { ...TEXT, name: `News ${n}`, channelId };
    ids.push((await createBroadcast(OPERATOR, api.app, workspaceId, draft)).id);
  }
  const special = await made({ name: "İstanbul Çarşı" });
  await api.call("POST", `/broadcasts/${special}/cancel`, { bearer });
  const search = async (json: object) => {
    const { body } = await api.call("POST", "/broadcasts/search", { bearer, json });
    return body as unknown as { items: { id: string }[]; nextCursor: string | null };
  };
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Awaited<ReturnType<typeof search>> = await search({
      status: ["DRAFT"],
      limit: 50,
      ...(cursor !== "" && { cursor }),
    });
    found.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  assert.deepEqual(found, ids.toReversed());
  const only = async (json: object) => (await search(json)).items.map(({ id }) => id);
  assert.deepEqual(await only({ name: "istanbul ç" }), [special]);
  assert.deepEqual(await only({ status: ["CANCELLED", "RUNNING"] }), [special]);
  assert.deepEqual(await only({ name: "news 104", kind: "TEXT", channelId }), [ids[104]]);
  for (const none of [
    { kind: "SMS" },
    { segmentId: special },
    { channelId: "no id" },
    { createdAfter: "2099-01-01T00:00:00Z" },
    { createdBefore: "2020-01-01T00:00:00Z" },
  ])
    assert.deepEqual(await only(none), [], JSON.stringify(none));
  const bad = await api.call("POST", "/broadcasts/search", { bearer, json: { cursor: "x" } });
  assert.deepEqual([bad.status, bad.body.details?.[0]?.path], [400, "cursor"]);
});

test("a test goes to contacts or to a number, and not to both", async () => {
  const { bearer, made } = await ground();
  const id = await made();
  for (const json of [{}, { contactIds: [id], phone: "96551" }]) {
    const { status, body } = await api.call("POST", `/broadcasts/${id}/test`, { bearer, json });
    assert.deepEqual([status, body.details?.[0]?.path], [400, "contactIds"]);
  }
  // No number with its country code is so short, and none begins with 0.
  for (const phone of ["96551", "0100 123 4567"]) {
    const json = { phone };
    const { status, body } = await api.call("POST", `/broadcasts/${id}/test`, { bearer, json });
    assert.deepEqual([status, body.details?.[0]?.path], [400, "phone"], phone);
  }
});
