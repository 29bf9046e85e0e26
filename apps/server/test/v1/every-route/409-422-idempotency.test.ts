import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildApp } from "../../../src/app.ts";
import { sql } from "../../../src/db/sql.ts";
import { buildHttp } from "../../../src/http/server.ts";
import { CALM } from "../../harness.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const SARA = { email: "sara@example.com", name: "Sara" };
const post = (key: string, json: unknown = SARA, options: Parameters<Api["call"]>[2] = {}) =>
  api.call("POST", "/contacts", { json, headers: { "idempotency-key": key }, ...options });
const total = async () => {
  const [row] = await api.app.db.query<{ n: number }>(
    sql`select count(*) as n from contact where workspace_id = ${api.workspaceId}`,
  );
  return row?.n;
};
const rows = (key: string) =>
  api.app.db.query<{ status_code: number; fingerprint: Buffer }>(
    sql`select status_code, fingerprint from idempotency_key where key = ${key}`,
  );

test("the same key and body answers the stored response, byte for byte", async () => {
  const before = await total();
  const first = await post("a");
  const second = await post("a");
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.equal(second.text, first.text);
  assert.equal(first.headers["idempotency-replayed"], undefined);
  assert.equal(second.headers["idempotency-replayed"], "true");
  assert.equal(await total(), (before ?? 0) + 1);
});

test("the same key with other bytes, or on another route, is 422", async () => {
  await post("b");
  for (const again of [
    await post("b", { ...SARA, name: "Mona" }),
    await post("b", undefined, {
      raw: ` ${JSON.stringify(SARA)}`,
      headers: { "idempotency-key": "b", "content-type": "application/json" },
    }),
  ]) {
    const { details, ...rest } = again.body;
    assert.deepEqual(rest, {
      statusCode: 422,
      error: "Unprocessable Entity",
      message: "IDEMPOTENCY_KEY_REUSED",
    });
    assert.equal(details?.[0]?.path, "Idempotency-Key");
    assert.match(details?.[0]?.message ?? "", /A request that was changed needs a new key/);
  }
  const start = await api.call("POST", "/broadcasts/none/start", {
    headers: { "idempotency-key": "b" },
  });
  assert.equal(start.status, 422);
});

test("a key belongs to the API key that sent it", async () => {
  const first = await post("c");
  const other = await post("c", SARA, { bearer: await api.key() });
  assert.equal(other.headers["idempotency-replayed"], undefined);
  assert.notEqual(other.body["id"], first.body["id"]);
});

test("twenty at once make one contact; the others wait their turn or replay", async () => {
  const before = await total();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post("d")));
  assert.equal(await total(), (before ?? 0) + 1);
  const made = answers.filter((one) => one.status === 201);
  assert.equal(made.filter((one) => one.headers["idempotency-replayed"] === undefined).length, 1);
  for (const refused of answers.filter((one) => one.status !== 201)) {
    assert.deepEqual([refused.status, refused.body.message], [409, "IDEMPOTENCY_IN_PROGRESS"]);
    assert.equal(String(refused.headers["retry-after"]), "1");
  }
});

test("two processes with one database make one contact too", async () => {
  await using second = await buildApp(
    api.app.config,
    { masterKey: Buffer.alloc(32) },
    { clock: api.clock, pressure: CALM },
  );
  // The fingerprint key follows from the master key, which processes share.
  const twin = await buildHttp({ ...second, sealer: api.app.sealer });
  const before = await total();
  const send = (http: typeof twin) =>
    http.inject({
      method: "POST",
      url: "/api/v1/contacts",
      headers: {
        authorization: `Bearer ${api.bearer}`,
        "idempotency-key": "e",
        "content-type": "application/json",
      },
      payload: JSON.stringify(SARA),
    });
  const answers = await Promise.all([send(api.http), send(twin), send(api.http), send(twin)]);
  assert.equal(await total(), (before ?? 0) + 1);
  for (const { statusCode } of answers)
    assert.ok([201, 409].includes(statusCode), String(statusCode));
  assert.ok(answers.some((one) => one.statusCode === 201));
  assert.equal((await send(twin)).headers["idempotency-replayed"], "true");
  await twin.close();
});

test("a refusal by the state of things is kept; one by validation is not", async () => {
  const start = () =>
    api.call("POST", "/broadcasts/none/start", { headers: { "idempotency-key": "f" } });
  assert.equal((await start()).body.message, "BROADCAST_NOT_FOUND");
  const again = await start();
  assert.deepEqual([again.status, again.headers["idempotency-replayed"]], [404, "true"]);
  assert.equal((await post("g", { name: 5 })).status, 400);
  assert.equal((await rows("g")).length, 0);
  for (const [json, code] of [
    [{ email: "nobody" }, "VALIDATION_FAILED"],
    [{ name: "Sara" }, "CONTACT_NEEDS_IDENTITY"],
  ] as const)
    assert.equal((await post("g", json)).body.message, code);
  assert.equal((await post("g")).status, 201, "the key is still free");
});

test("what the server could not decide is not kept, and its effect is undone", async () => {
  const before = await total();
  await api.app.db.query(sql`alter table idempotency_key add constraint broken check (key <> 'h')`);
  const failed = await post("h");
  assert.equal(failed.status, 500);
  assert.deepEqual(Object.keys(failed.body).sort(), [
    "error",
    "message",
    "requestId",
    "statusCode",
  ]);
  assert.equal(failed.body["requestId"], failed.headers["x-request-id"]);
  assert.equal(await total(), before, "the contact went with its row");
  await api.app.db.query(sql`alter table idempotency_key drop constraint broken`);
  assert.equal((await post("h")).headers["idempotency-replayed"], undefined);
});

test("a key has 1 to 255 characters", async () => {
  assert.equal((await post("k".repeat(255))).status, 201);
  for (const key of ["", "k".repeat(256)]) {
    const answer = await post(key);
    assert.deepEqual([answer.status, answer.body.details?.[0]?.path], [400, "Idempotency-Key"]);
  }
});

test("after 24 hours the key is free again, pruned or not", async () => {
  const first = await post("i");
  api.clock.advance(24 * 3_600_000 - 1);
  await api.app.drain();
  assert.equal((await post("i")).headers["idempotency-replayed"], "true");
  api.clock.advance(1);
  const later = await post("i", { email: "other@example.com" });
  assert.equal(later.status, 201);
  assert.notEqual(later.body["id"], first.body["id"]);
  const repeated = await post("i", { email: "other@example.com" });
  assert.deepEqual([repeated.status, repeated.body["id"]], [201, later.body["id"]]);
  assert.equal(repeated.headers["idempotency-replayed"], "true");
  api.clock.advance(24 * 3_600_000);
  await api.app.drain();
  assert.equal((await rows("i")).length, 0);
});

test("the fingerprint is no plain hash of the body", async () => {
  await post("j");
  const { createHash } = await import("node:crypto");
  const [row] = await rows("j");
  for (const text of [JSON.stringify(SARA), `POST /api/v1/contacts\n${JSON.stringify(SARA)}`])
    assert.notDeepEqual(row?.fingerprint, createHash("sha256").update(text).digest());
});
