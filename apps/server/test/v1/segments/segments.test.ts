import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { refreshStaleSegment } from "../../../src/segments/count-segment.ts";
import { startApi, type Api } from "../api.ts";

// Segments by a program: POST /v1/segments, GET, PATCH and DELETE /v1/segments/{id}, POST /v1/segments/count and /sample.

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const VIP = { match: "all", rules: [{ field: "tag", op: "eq", value: "vip" }] };
const ROUNDS = 25;

async function shop() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const ask = (
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    json?: object,
    headers: Record<string, string> = {},
  ) => api.call(method, path, { bearer, headers, ...(json && { json }) });
  const made = async (name: string) => {
    const answer = await ask("POST", "/segments", { name, definition: VIP });
    assert.equal(answer.status, 201, answer.text);
    return String(answer.body["id"]);
  };
  return { workspaceId, bearer, ask, made };
}

test("a segment is saved, read, changed and deleted, and the list of before has it", async () => {
  const { ask, made } = await shop();
  const id = await made("  VIP ");
  const one = await ask("GET", `/segments/${id}`);
  assert.deepEqual([one.status, one.body["name"], one.body["definition"]], [200, "VIP", VIP]);
  const listed = await ask("GET", "/segments");
  assert.deepEqual(listed.body, [one.body]);
  const rules = { match: "any", rules: [{ field: "optedOut", op: "eq", value: true }] };
  const changed = await ask("PATCH", `/segments/${id}`, { definition: rules });
  assert.deepEqual([changed.status, changed.body["name"], changed.body["definition"]], [200, "VIP", rules]); // oxfmt-ignore
  assert.deepEqual((await ask("DELETE", `/segments/${id}`)).status, 200);
  for (const method of ["GET", "DELETE"] as const)
    assert.equal((await ask(method, `/segments/${id}`)).status, 404);
  assert.equal((await ask("PATCH", `/segments/${id}`, { name: "A" })).status, 404);
});

test("a name is of one segment: at once, by PATCH, and free again after a deletion", async () => {
  const { ask, made } = await shop();
  const all = await Promise.all(
    Array.from({ length: 10 }, () => ask("POST", "/segments", { name: "VIP", definition: VIP })),
  );
  const taken = all.filter(({ status }) => status === 409);
  assert.equal(taken.length, 9);
  for (const one of taken) assert.equal(one.body.message, "NAME_TAKEN");
  const id = String(all.find(({ status }) => status === 201)?.body["id"]);
  const other = await made("Other");
  const renamed = await ask("PATCH", `/segments/${other}`, { name: " VIP" });
  assert.deepEqual([renamed.status, renamed.body.message], [409, "NAME_TAKEN"]);
  assert.match(renamed.text, new RegExp(id));
  assert.equal((await ask("PATCH", `/segments/${id}`, { name: "VIP" })).status, 200, "its own");
  await ask("DELETE", `/segments/${id}`);
  assert.equal((await ask("PATCH", `/segments/${other}`, { name: "VIP" })).status, 200);
});

test("a segment that a scheduled campaign uses is not deleted", async () => {
  const { workspaceId, ask, made } = await shop();
  const segmentId = await made("VIP");
  await api.app.db.query(sql`
    insert into broadcast (workspace_id, id, name, channel_type, kind, status, segment_id, rate_limit_per_minute, created_at)
    values (${workspaceId}, ${api.app.ids.next()}, 'Eid offer', 'WHATSAPP', 'SMS', 'SCHEDULED', ${segmentId}, 600,
      ${api.clock.now()})`);
  const refused = await ask("DELETE", `/segments/${segmentId}`);
  assert.deepEqual([refused.status, refused.body.message], [409, "NOT_ALLOWED_IN_STATE"]);
  assert.match(refused.body.details?.[0]?.message ?? "", /^the segment is used by "/);
});

test(`two writers with If-Match, ${ROUNDS} rounds: one of each two changes the segment, and none is lost`, async () => {
  const { ask, made } = await shop();
  const id = await made("VIP");
  for (let round = 0; round < ROUNDS; round++) {
    const { headers } = await ask("GET", `/segments/${id}`);
    const ifMatch = { "if-match": String(headers["etag"]) };
    const names = ["a", "b"].map((who) => `${who}${round}`);
    const answers = await Promise.all(
      names.map((name) => ask("PATCH", `/segments/${id}`, { name }, ifMatch)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 412],
    );
    const winner = names[answers.findIndex(({ status }) => status === 200)];
    assert.equal((await ask("GET", `/segments/${id}`)).body["name"], winner);
  }
});

test("a segment is deleted in the version that If-Match names, or in any without it", async () => {
  const { ask, made } = await shop();
  const id = await made("VIP");
  const { headers } = await ask("GET", `/segments/${id}`);
  const old = { "if-match": String(headers["etag"]) };
  const { headers: after } = await ask("PATCH", `/segments/${id}`, { name: "Best" });
  const refused = await ask("DELETE", `/segments/${id}`, undefined, old);
  assert.deepEqual([refused.status, refused.body.message], [412, "VERSION_MISMATCH"]);
  const current = { "if-match": String(after["etag"]) };
  assert.equal((await ask("DELETE", `/segments/${id}`, undefined, current)).status, 200);
  assert.equal((await ask("DELETE", `/segments/${await made("Other")}`)).status, 200);
});

test("a new count is no new version", async () => {
  const { ask, made } = await shop();
  const id = await made("VIP");
  const before = await ask("GET", `/segments/${id}`);
  while (await refreshStaleSegment(api.app));
  const counted = await ask("GET", `/segments/${id}`);
  assert.deepEqual([before.body["cachedCount"], counted.body["cachedCount"]], [null, 0]);
  assert.equal(counted.headers["etag"], before.headers["etag"]);
  const ifMatch = { "if-match": String(before.headers["etag"]) };
  const changed = await ask("PATCH", `/segments/${id}`, { name: "Best" }, ifMatch);
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers["etag"], before.headers["etag"]);
});

test("an unsaved definition is counted and sampled", async () => {
  const { ask } = await shop();
  for (const [phone, tags] of [
    ["201000000001", ["vip"]],
    ["201000000002", []],
  ] as const)
    // oxfmt-ignore
    await ask("POST", "/contacts", { phone, tags });
  const count = await ask("POST", "/segments/count", { definition: VIP });
  assert.deepEqual([count.status, count.body], [200, { count: 1, exact: true }]);
  const { body } = await ask("POST", "/segments/sample", { definition: VIP });
  const contacts = body["contacts"] as { phone: string }[];
  assert.deepEqual([contacts.map(({ phone }) => phone), body["total"]], [["201000000001"], 1]); // oxfmt-ignore
});

test("what does not fit is refused by its place", async () => {
  const { ask } = await shop();
  const wrong = { match: "all", rules: [{ field: "age", op: "eq", value: 1 }] };
  for (const [path, json, place] of [
    ["/segments", { name: "A", definition: wrong }, "rules[0].field"],
    ["/segments", { name: " ", definition: VIP }, "name"],
    ["/segments", { name: "A", definition: VIP, kind: "x" }, "kind"],
    ["/segments", { name: "A" }, "definition"],
    ["/segments/count", { definition: wrong }, "rules[0].field"],
    ["/segments/sample", {}, "definition"],
  ] as const) {
    const { status, body } = await ask("POST", path, json);
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, [place]], path);
  }
});
