import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../../src/actor.ts";
import { listKeys } from "../../../src/api-keys/list-keys.ts";
import { revokeKey } from "../../../src/api-keys/revoke-key.ts";
import { pruneExports } from "../../../src/segments/contact-exports.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const FILE = "name,phone\nSara,+201001234567\nOmar,none\n";
const CSV = { "content-type": "text/csv" };

/** Calls whose body or answer is a file, which `api.call` would read as JSON. */
async function file(bearer: string, method: "GET" | "POST", path: string, payload?: string) {
  const headers = { authorization: `Bearer ${bearer}`, ...(payload !== undefined && CSV) };
  const request = { method, url: `/api/v1${path}`, headers };
  return api.http.inject(payload === undefined ? request : { ...request, payload });
}

const upload = (bearer: string, text = FILE) =>
  api.call("POST", "/imports?name=customers.csv", { bearer, raw: text, headers: CSV });

test("a fault of the file's name is at the name that the call gave", async () => {
  const { bearer } = await api.newWorkspace("business");
  const raw = { bearer, raw: FILE, headers: CSV };
  for (const query of ["", "?name=customers.exe", "?name="]) {
    const { status, body } = await api.call("POST", `/imports${query}`, raw);
    const details = body["details"] as { path: string }[];
    assert.deepEqual([status, details.map(({ path }) => path)], [400, ["name"]], query);
  }
});

test("a column whose name is not known fails the import before anything is stored, and is named; with a map it goes in", async () => {
  const { bearer } = await api.newWorkspace("business");
  const text = "phone,citty\n+201001234567,Cairo\n";
  const run = async (json: object) => {
    const path = `/imports/${String((await upload(bearer, text)).body["id"])}`;
    const look = await api.call("POST", `${path}/look`, { bearer, json: {} });
    assert.equal((await api.call("POST", `${path}/start`, { bearer, json })).status, 202);
    await api.app.drain();
    const { state, failure, created } = (await api.call("GET", path, { bearer })).body;
    return {
      state,
      failure: failure as { code: string } | null,
      created,
      columns: look.body["columns"],
    };
  };
  const failed = await run({});
  assert.deepEqual(
    [failed.state, failed.failure?.code, failed.created],
    ["failed", "columns.unknown", 0],
  );
  const proposed = failed.columns as { name: string; field: string }[];
  const map = Object.fromEntries(proposed.map(({ name, field }) => [name, field]));
  const done = await run({ map });
  assert.deepEqual(
    [done.state, done.created, map],
    ["done", 1, { phone: "phone", citty: "ignore" }],
  );
});

test("a program imports a file: upload, look, start, how far it is, the refused rows", async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const uploaded = await upload(bearer);
  assert.deepEqual([uploaded.status, uploaded.body["state"]], [201, "uploaded"], uploaded.text);
  const path = `/imports/${String(uploaded.body["id"])}`;
  const map = { name: "name", phone: "phone" };
  const look = await api.call("POST", `${path}/look`, { bearer, json: { map } });
  assert.equal(look.status, 200, look.text);
  const tried = look.body["tried"] as { rows: number; refused: number };
  assert.deepEqual([tried.rows, tried.refused], [2, 1]);
  const started = await api.call("POST", `${path}/start`, { bearer, json: { map } });
  assert.deepEqual([started.status, started.body["state"]], [202, "waiting"], started.text);
  await api.app.drain();
  const { body } = await api.call("GET", path, { bearer });
  assert.deepEqual(
    [body["state"], body["created"], body["refused"], body["part"]],
    ["done", 1, 1, 1],
  );
  const listed = await api.call("GET", "/imports?limit=1", { bearer });
  assert.deepEqual(
    [(listed.body["items"] as { id: string }[]).map(({ id }) => id), listed.body["nextCursor"]],
    [[uploaded.body["id"]], null],
  );
  const refused = await file(bearer, "GET", `${path}/refused`);
  assert.equal(refused.statusCode, 200);
  assert.match(refused.body, /^name,phone,import line,import reason\r\nOmar,none,3,/);
  // Who did it, by the key's name in the audit; the rows left the house by it too.
  const [key] = await listKeys(api.app, workspaceId);
  const audit = await api.call("GET", `/audit?actor=key:${key?.id}`, { bearer });
  assert.deepEqual(
    (audit.body["items"] as { action: string }[]).map(({ action }) => action),
    ["import_file.exported", "contacts.import_started", "import_file.started"],
  );
  const twice = await api.call("POST", `${path}/start`, { bearer, json: {} });
  assert.deepEqual([twice.status, twice.body.message], [409, "NOT_ALLOWED_IN_STATE"]);
});

test("an import goes on with the rights of its key: one that was revoked imports nobody", async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const { body } = await upload(bearer);
  const path = `/imports/${String(body["id"])}`;
  assert.equal((await api.call("POST", `${path}/start`, { bearer, json: {} })).status, 202);
  const [key] = await listKeys(api.app, workspaceId);
  await revokeKey(OPERATOR, api.app, workspaceId, key?.id ?? "");
  await api.app.drain();
  const other = await api.key([], workspaceId);
  const read = await api.call("GET", path, { bearer: other });
  assert.deepEqual(
    [read.body["state"], read.body["created"], (read.body["failure"] as { code: string }).code],
    ["failed", 0, "not_allowed"],
  );
});

test("ten imports an hour: the next is 429 with the limit's name; refused and repeated starts do not count", async () => {
  const { bearer } = await api.newWorkspace("business");
  const start = async (headers: Record<string, string> = {}) => {
    const { body } = await upload(bearer, `name,phone\nSara,+2010012345${Math.random()}\n`);
    const path = `/imports/${String(body["id"])}/start`;
    return { path, answer: await api.call("POST", path, { bearer, json: {}, headers }) };
  };
  const none = await api.call("POST", "/imports/none/start", { bearer, json: {} });
  assert.equal(none.status, 404);
  assert.match(String(none.headers["ratelimit"]), /"imports";r=10;/);
  const first = await start({ "idempotency-key": "first" });
  assert.equal(first.answer.status, 202, first.answer.text);
  assert.match(String(first.answer.headers["ratelimit-policy"]), /, "imports";q=10;w=3600$/);
  const again = await api.call("POST", first.path, {
    bearer,
    json: {},
    headers: { "idempotency-key": "first" },
  });
  assert.equal(again.headers["idempotency-replayed"], "true");
  for (let n = 1; n < 9; n++) assert.equal((await start()).answer.status, 202);
  const last = await start({ "idempotency-key": "tenth" });
  assert.equal(last.answer.status, 202);
  const repeat = { bearer, json: {}, headers: { "idempotency-key": "tenth" } };
  const repeated = await api.call("POST", last.path, repeat);
  assert.deepEqual(
    [repeated.status, repeated.headers["idempotency-replayed"], repeated.body],
    [202, "true", last.answer.body],
  );
  const fresh = await start({ "idempotency-key": "eleventh" });
  assert.equal(fresh.answer.status, 429, "a key alone opens nothing");
  const { answer } = await start();
  assert.deepEqual(
    [answer.status, answer.body.message, answer.body.details],
    [429, "RATE_LIMITED", [{ path: "policy", message: "imports" }]],
  );
  assert.ok(Number(answer.headers["retry-after"]) > 3_000);
});

test("a program exports contacts: by definition or segment, the fields it names, CSV or JSON Lines, in the audit", async () => {
  const { bearer } = await api.newWorkspace("business");
  const made = async (name: string, city: string) =>
    api.call("POST", "/contacts", {
      bearer,
      json: { name, phone: "201001234567", attributes: { city } },
    });
  await made("Sara", "Cairo");
  await made("=Omar", "Giza");
  const ask = async (json: object) => {
    const { status, body, text } = await api.call("POST", "/exports", { bearer, json });
    assert.equal(status, 201, text);
    return `/exports/${String(body["id"])}`;
  };
  const all = await ask({ fields: ["name", "phone"] });
  const content = await file(bearer, "GET", `${all}/content`);
  assert.match(String(content.headers["content-type"]), /^text\/csv/);
  assert.equal(content.body, "name,phone\r\n'=Omar,201001234567\r\nSara,201001234567\r\n");
  const definition = {
    match: "all",
    rules: [{ field: "attribute.city", op: "eq", value: "Giza" }],
  };
  const some = await ask({ definition, fields: ["name", "attributes"], format: "jsonl" });
  const lines = await file(bearer, "GET", `${some}/content`);
  assert.equal(lines.body, `${JSON.stringify({ name: "=Omar", attributes: { city: "Giza" } })}\n`);
  const audit = await api.call("GET", "/audit?action=contacts.exported", { bearer });
  assert.deepEqual(
    (audit.body["items"] as { facts: object }[]).map(({ facts }) => facts),
    [
      { count: 1, fields: ["attribute.city"], complete: true },
      { count: 2, complete: true },
    ],
  );
  // After a day it is not found, and its definition, which may name a person, is deleted.
  api.clock.advance(24 * 3_600_000 + 1_000);
  assert.equal((await api.call("GET", all, { bearer })).status, 404);
  assert.equal(await pruneExports(api.app), 2);
  const unknown = await api.call("POST", "/exports", { bearer, json: { segmentId: "none" } });
  assert.deepEqual([unknown.status, unknown.body.message], [404, "NOT_FOUND"]);
  const reader = await api.key(["contacts:read"]);
  const refused = await api.call("POST", "/exports", { bearer: reader, json: {} });
  assert.deepEqual([refused.status, refused.body.message], [403, "MISSING_SCOPE:contacts:export"]);
});

test("a program exports one person: the document of the dashboard, the audit names the key, only its scope opens it", async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const json = { name: "Sara", phone: "201001234567", notes: "Asks for blue" };
  const { body: sara } = await api.call("POST", "/contacts", { bearer, json });
  const path = `/contacts/${String(sara["id"])}/export`;
  const exporter = await api.key(["contacts:export"], workspaceId);
  const { status, headers, body } = await api.call("GET", path, { bearer: exporter });
  assert.equal(status, 200);
  assert.match(String(headers["content-disposition"]), /^attachment; filename="person.json"$/);
  assert.equal(headers["cache-control"], "no-store");
  assert.deepEqual(
    [body["contactId"], body["contact"], body["conversations"]],
    [sara["id"], sara, []],
  );
  const audit = await api.call("GET", "/audit?action=contact.exported", { bearer });
  const [key] = (await listKeys(api.app, workspaceId)).filter(({ scopes }) => scopes.length > 0);
  assert.deepEqual(
    (audit.body["items"] as Record<string, unknown>[]).map(({ actor, subject, facts }) => ({
      actor,
      subject,
      facts,
    })),
    [{ actor: `key:${key?.id}`, subject: sara["id"], facts: { count: 1, complete: true } }],
  );
  const reader = await api.key(["contacts:read"], workspaceId);
  const refused = await api.call("GET", path, { bearer: reader });
  assert.deepEqual([refused.status, refused.body.message], [403, "MISSING_SCOPE:contacts:export"]);
  const unknown = await api.call("GET", "/contacts/none/export", { bearer });
  assert.deepEqual([unknown.status, unknown.body.message], [404, "NOT_FOUND"]);
  const foreign = await api.newWorkspace("business");
  assert.equal((await api.call("GET", path, { bearer: foreign.bearer })).status, 404);
});
