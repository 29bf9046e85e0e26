import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { bad, emitSome, startReceiver, type Receiver } from "../webhook-receiver.ts";
import { startApi, type Api, type CallOptions } from "./api.ts";

let api: Api;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  api = await startApi();
});
after(async () => {
  receiver.close();
  await api[Symbol.asyncDispose]();
});

const put = (name: string, json: object, options: CallOptions = {}) =>
  api.call("PUT", `/webhook-endpoints/by-name/${name}`, { json, ...options });
const made = async (name: string, path = `/${name}`) => {
  const { body } = await put(name, { url: receiver.base + path, events: ["usage.threshold"] });
  return String(body["id"]);
};
const count = async () => {
  const [row] = await api.app.db.query<{ n: number }>(
    sql`select count(*) as n from endpoint where workspace_id = ${api.workspaceId}`,
  );
  return row?.n;
};

test("a deploy script that runs three times makes one endpoint with one secret", async () => {
  const script = { url: `${receiver.base}/deploy`, events: ["message.received", "message.status"] };
  const first = await put("deploy", script);
  assert.deepEqual([first.status, first.body["outcome"]], [200, "created"], first.text);
  assert.match(String(first.body["secret"]), /^whsec_/);
  const audited = () =>
    api.app.db.query<{ action: string; actor: string }>(sql`select action, actor from audit_entry
      where workspace_id = ${api.workspaceId} and subject = ${first.body["id"]} order by id`);
  for (const events of [script.events, script.events.toReversed()]) {
    const again = await put("deploy", { ...script, events });
    const unchanged = { ...first.body, outcome: "unchanged", secret: null };
    assert.deepEqual(again.body, unchanged);
  }
  assert.deepEqual(
    (await audited()).map(({ action }) => action),
    ["endpoint.created"],
  );
  const other = await put("deploy", { url: `${receiver.base}/deploy` });
  assert.deepEqual(
    [other.body["id"], other.body["outcome"], other.body["events"], other.body["secret"]],
    [first.body["id"], "updated", [], null],
  );
  assert.match((await audited()).at(-1)?.actor ?? "", /^key:/);
});

test("fifty equal calls at once make one endpoint, and one of them has its secret", async () => {
  const before = await count();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => put("crowd", { url: `${receiver.base}/crowd` })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(answers.map(({ body }) => body["id"])).size, 1);
  assert.equal(answers.filter(({ body }) => body["secret"] !== null).length, 1);
  assert.equal(await count(), (before ?? 0) + 1);
});

test("an address that is not public is refused, and nothing is stored", async () => {
  const before = await count();
  for (const url of [
    "https://169.254.169.254/latest/meta-data",
    "ftp://127.0.0.1/",
    "http://[::]",
  ]) {
    const refused = await put("inside", { url });
    assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, "url"], url);
  }
  for (const json of [{}, { url: receiver.base, more: 1 }, { url: receiver.base, events: ["x"] }])
    assert.equal((await put("inside", json)).status, 400);
  assert.equal(await count(), before);
});

test("an endpoint is listed, read, changed by the version that was read, and never shows its secret", async () => {
  const id = await made("orders");
  const path = `/webhook-endpoints/${id}`;
  const read = await api.call("GET", path);
  assert.ok(!read.text.includes("whsec"));
  const etag = String(read.headers["etag"]);
  const change = (json: object, headers = {}) => api.call("PATCH", path, { json, headers });
  const changed = await change({ name: "invoices", events: [] }, { "if-match": etag });
  assert.deepEqual([changed.body["name"], changed.body["events"]], ["invoices", []]);
  const stale = await change({ events: ["otp.status"] }, { "if-match": etag });
  assert.deepEqual([stale.status, stale.body.message], [412, "VERSION_MISMATCH"]);
  await made("other");
  const taken = await change({ name: "other" });
  assert.deepEqual([taken.status, taken.body.message], [409, "NAME_TAKEN"]);
  const off = await change({ enabled: false, name: null });
  assert.deepEqual([off.body["disabledBy"], off.body["name"]], ["hand", null]);
  assert.equal((await change({ enabled: true })).body["disabledAt"], null);
  const ids: string[] = [];
  for (let cursor = ""; ;) {
    const { body } = await api.call("GET", `/webhook-endpoints?limit=2${cursor}`);
    const items: unknown = body["items"];
    assert.ok(Array.isArray(items) && items.length <= 2);
    ids.push(...items.map((one: { id: string }) => one.id));
    const next = body["nextCursor"];
    if (typeof next !== "string") break;
    cursor = `&cursor=${next}`;
  }
  assert.equal(ids.length, await count());
  assert.deepEqual(
    ids,
    [...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

test("enabling an endpoint that failed ends its rest, though it was never disabled; the same again does nothing", async () => {
  const id = await made("resting");
  receiver.answers.set("/resting", bad);
  await emitSome(api, api.workspaceId, 1);
  await api.app.drain();
  receiver.answers.delete("/resting");
  const tries = () => receiver.received.filter(({ path }) => path === "/resting").length;
  const enable = () => api.call("PATCH", `/webhook-endpoints/${id}`, { json: { enabled: true } });
  await api.call("POST", `/webhook-endpoints/${id}/test`);
  await api.app.drain();
  assert.equal(tries(), 1, "it rests");
  assert.equal((await enable()).body["failures"], 0);
  await api.app.drain();
  assert.equal(tries(), 2);
  await enable();
  const [audited] = await api.app.db.query<{ n: number }>(sql`select count(*) as n from audit_entry
    where workspace_id = ${api.workspaceId} and subject = ${id} and action = 'endpoint.enabled'`);
  assert.equal(audited?.n, 1);
});

test("a new secret and a test event are made once under their key; the repeat shows the same", async () => {
  const id = await made("keyed");
  const path = `/webhook-endpoints/${id}`;
  const twice = async (what: string, json?: object) => {
    const headers = { "idempotency-key": `keyed ${what}` };
    const call = () => api.call("POST", `${path}/${what}`, { headers, ...(json && { json }) });
    const [first, again] = [await call(), await call()];
    assert.equal(again.text, first.text);
    return first;
  };
  const rotated = await twice("rotate-secret", { now: true });
  assert.deepEqual([rotated.status, rotated.body["secretTakesOverAt"]], [201, null]);
  assert.match(String(rotated.body["secret"]), /^whsec_/);
  const kept = await api.app.db.query<{ n: number }>(sql`select 1 as n from idempotency_key k
    where k::text like ${`%${String(rotated.body["secret"]).slice(6)}%`}`);
  assert.deepEqual(kept, [], "the kept answer is sealed");
  receiver.clear();
  const tested = await twice("test");
  assert.deepEqual([tested.status, tested.body["state"]], [202, "pending"]);
  await api.app.drain();
  const keyed = () => receiver.received.filter(({ path: to }) => to === "/keyed");
  assert.equal(keyed().length, 1);
  const eventId = String(tested.body["eventId"]);
  const delivery = await api.call("GET", `${path}/deliveries/${eventId}`);
  assert.deepEqual(
    [delivery.body["state"], delivery.body["body"]],
    ["delivered", keyed()[0]?.body],
  );
  const again = await twice("redeliver", { eventId });
  assert.deepEqual([again.status, again.body["redelivered"]], [202, 1]);
  await api.app.drain();
  assert.equal(keyed().length, 2);
  for (const json of [{}, { eventId, since: "2026-11-21T10:00:00Z" }]) {
    const refused = await api.call("POST", `${path}/redeliver`, { json });
    assert.equal(refused.status, 400);
  }
});

test("deliveries are listed by cursor, by state and by kind; what is exhausted is sent again", async () => {
  const id = await made("listed");
  await emitSome(api, api.workspaceId, 3);
  await api.app.drain();
  const list = async (query: string) => {
    const { body } = await api.call("GET", `/webhook-endpoints/${id}/deliveries?${query}`);
    const items: unknown = body["items"];
    assert.ok(Array.isArray(items));
    return {
      items: items.map((one: { sequence: number }) => one.sequence),
      next: body["nextCursor"],
    };
  };
  const all = await list("state=delivered&type=usage.threshold");
  assert.equal(all.items.length, 3);
  const page = await list("limit=2");
  assert.deepEqual(page.items, all.items.slice(0, 2));
  assert.deepEqual((await list(`cursor=${String(page.next)}`)).items, all.items.slice(2));
  assert.equal((await list("state=exhausted")).items.length, 0);
  const since = "2020-01-01T00:00:00Z";
  const redeliver = (json: object) =>
    api.call("POST", `/webhook-endpoints/${id}/redeliver`, { json });
  assert.equal((await redeliver({ since })).body["redelivered"], 0);
  assert.equal((await redeliver({ since, delivered: true })).body["redelivered"], 3);
  await api.call("PATCH", `/webhook-endpoints/${id}`, { json: { enabled: false } });
  const refused = await redeliver({ since });
  assert.deepEqual([refused.status, refused.body.message], [409, "NOT_ALLOWED_IN_STATE"]);
});

test("an endpoint that changed since it was read is not deleted, and a deletion has no version", async () => {
  const path = `/webhook-endpoints/${await made("kept")}`;
  const etag = String((await api.call("GET", path)).headers["etag"]);
  const remove = (tag: string) => api.call("DELETE", path, { headers: { "if-match": tag } });
  await api.call("PATCH", path, { json: { events: ["otp.status"] } });
  const stale = await remove(etag);
  assert.deepEqual([stale.status, stale.body.message], [412, "VERSION_MISMATCH"]);
  const now = await api.call("GET", path);
  const done = await remove(String(now.headers["etag"]));
  assert.deepEqual([done.status, done.headers["etag"]], [200, undefined]);
});

test("a deleted endpoint gets nothing more, its deliveries end, and its name is free", async () => {
  const id = await made("leaving");
  receiver.answers.set("/leaving", bad);
  await emitSome(api, api.workspaceId, 5);
  await api.app.drain();
  receiver.clear();
  const left = async () => {
    const [row] = await api.app.db.query<{ deliveries: number; attempts: number }>(sql`select
      (select count(*) from delivery where endpoint_id = ${id}) as deliveries,
      (select count(*) from delivery_attempt where endpoint_id = ${id}) as attempts`);
    return row;
  };
  assert.equal((await left())?.deliveries, 5);
  const remove = () => api.call("DELETE", `/webhook-endpoints/${id}`);
  assert.deepEqual([(await remove()).status, (await remove()).status], [200, 404]);
  await emitSome(api, api.workspaceId, 1);
  api.clock.advance(10 * 60_000);
  await api.app.drain();
  assert.deepEqual(await left(), { deliveries: 0, attempts: 0 });
  assert.ok(receiver.received.every(({ path }) => path !== "/leaving"));
  const remembered = async () =>
    (await api.app.db.query(sql`select from deleted_endpoint where endpoint_id = ${id}`)).length;
  assert.equal(await remembered(), 1, "a last delivery may still be stored");
  api.clock.advance(2 * 60 * 60_000);
  await api.app.drain();
  assert.equal(await remembered(), 0);
  assert.notEqual(await made("leaving"), id);
  const [entry] = await api.app.db.query<{ facts: object }>(
    sql`select facts from audit_entry where subject = ${id} and action = 'endpoint.deleted'`,
  );
  assert.deepEqual(entry?.facts, { name: "leaving" });
});

test("webhook.disabled reaches the other endpoints, and the feed of a key with webhooks:read", async () => {
  const latest = await api.call("GET", "/events?after=latest");
  assert.deepEqual([latest.body["items"], latest.body["hasMore"]], [[], false]);
  await put("watcher", { url: `${receiver.base}/watcher`, events: ["webhook.disabled"] });
  const id = await made("watched");
  receiver.clear();
  await api.call("PATCH", `/webhook-endpoints/${id}`, { json: { enabled: false } });
  await api.app.drain();
  const [sent] = receiver.received.filter(({ path }) => path === "/watcher");
  const { type, data } = JSON.parse(sent?.body ?? "{}") as { type: string; data: object };
  const expected = { endpointId: id, name: "watched", disabledBy: "hand" };
  assert.deepEqual([type, { ...data, ...expected }], ["webhook.disabled", data]);
  const page = await api.call("GET", `/events?after=${String(latest.body["nextAfter"])}`, {
    bearer: await api.key(["webhooks:read"]),
  });
  const items: unknown = page.body["items"];
  assert.ok(Array.isArray(items));
  assert.deepEqual(new Set(items.map((one: { type: string }) => one.type)), new Set([type]));
});
