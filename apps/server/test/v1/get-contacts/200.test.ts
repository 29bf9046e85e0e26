import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Answered, type Api } from "../api.ts";

let api: Api;
before(async () => {
  api = await startApi();
  for (let i = 1; i <= 205; i++) {
    if (i % 100 === 0) api.clock.advance(60_000);
    const json = {
      name: `Person ${i}`,
      email: `p${i}@example.com`,
      tags: ["Vip"],
      attributes: { n: i },
    };
    assert.equal((await api.call("POST", "/contacts", { json })).status, 201);
  }
  api.clock.advance(60_000);
});
after(() => api[Symbol.asyncDispose]());
const get = async (query = "") => api.call("GET", `/contacts${query}`, { bearer: await api.key() });
const items = (answer: Answered) => answer.body["items"] as { name: string; id: string }[];

test("newest first, 50 at a time, with the true total", async () => {
  const answer = await get();
  assert.deepEqual(
    [answer.status, answer.body["total"], answer.body["page"], answer.body["pageSize"]],
    [200, 205, 1, 50],
  );
  assert.deepEqual(
    items(answer).map((one) => one.name),
    Array.from({ length: 50 }, (_, i) => `Person ${205 - i}`),
  );
  assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
});

test("pages follow each other without a gap or a repeat", async () => {
  const seen: string[] = [];
  for (let page = 1; page <= 5; page++)
    seen.push(...items(await get(`?page=${page}&pageSize=50`)).map((one) => one.id));
  assert.equal(new Set(seen).size, 205);
});

test("pageSize above 200 acts as 200", async () => {
  for (const size of ["200", "201", "5000", "1e9", "1e23", "9".repeat(400)]) {
    const answer = await get(`?pageSize=${size}`);
    assert.deepEqual(
      [answer.status, answer.body["pageSize"], items(answer).length],
      [200, 200, 200],
      size,
    );
  }
  assert.equal(items(await get("?pageSize=1")).length, 1);
});

test("a page past the end is empty and tells the true total", async () => {
  for (const page of ["6", "1000000", "1e15", "9".repeat(400)]) {
    const answer = await get(`?page=${page}`);
    assert.deepEqual([answer.status, answer.body["total"], items(answer)], [200, 205, []], page);
    assert.equal(answer.body["page"], Math.min(Number(page), Number.MAX_SAFE_INTEGER), "as asked");
  }
});

test("search matches name, email or phone, any case, % and _ as they are", async () => {
  assert.deepEqual(
    items(await get("?search=PERSON%20205")).map((one) => one.name),
    ["Person 205"],
  );
  assert.equal((await get("?search=p205%40example")).body["total"], 1);
  for (const none of ["%25", "_", "Person_205", "%5C"])
    assert.equal((await get(`?search=${none}`)).body["total"], 0, none);
  assert.equal((await get("?search=")).body["total"], 205);
});

test("by the last change: the one that changed longest ago first, only those that changed since, with refs", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const make = async (name: string) => {
    api.clock.advance(1_000);
    const email = `${name}@example.com`;
    const json = { match: ["refs.crm"], name, email, refs: { crm: name } };
    const { body } = await api.call("POST", "/contacts/upsert", { json, bearer });
    return String(Object(body["contact"]).id);
  };
  const first = await make("Ann");
  await make("Bob");
  const since = api.clock.now().toISOString();
  await make("Cem");
  api.clock.advance(1_000);
  const json = { notes: "called" };
  await api.call("PATCH", `/contacts/${first}`, { json, bearer });
  const names = async (query: string) => {
    const answer = await api.call("GET", `/contacts?${query}`, { bearer });
    return [answer.body["total"], ...items(answer).map(({ name }) => name)];
  };
  assert.deepEqual(await names("sort=updatedAt"), [3, "Bob", "Cem", "Ann"]);
  assert.deepEqual(await names("sort=updatedAt&pageSize=1&page=2"), [3, "Cem"]);
  assert.deepEqual(await names(`updatedAfter=${since}`), [2, "Cem", "Ann"]);
  assert.deepEqual(await names(`updatedAfter=${since}&sort=updatedAt&search=ann`), [1, "Ann"]);
  assert.deepEqual(await names("sort=updatedAt&page=4"), [3]);
  const { body } = await api.call("GET", "/contacts?include=refs&pageSize=1", { bearer });
  const [newest] = Object(body["items"]) as [{ refs: object; updatedAt: string }];
  assert.deepEqual([newest.refs, newest.updatedAt > since], [{ crm: "Cem" }, true]);
  assert.deepEqual(
    Object.keys(Object(items(await api.call("GET", "/contacts", { bearer }))[0])).includes("refs"),
    false,
  );
  const other = await api.newWorkspace();
  const seen = await api.call("GET", "/contacts?sort=updatedAt", { bearer: other.bearer });
  assert.deepEqual([seen.body["total"], workspaceId === other.workspaceId], [0, false]);
  const words = encodeURIComponent(new Date().toString());
  const dated = await api.call("GET", `/contacts?updatedAfter=${words}`, { bearer });
  assert.match(dated.body.details?.[0]?.message ?? "", /^must be a moment with its zone/);
  for (const wrong of ["sort=name", "include=phone", "updatedAfter=yesterday"])
    assert.equal((await api.call("GET", `/contacts?${wrong}`, { bearer })).status, 400, wrong);
});

test("a plus in a query is a space", async () => {
  assert.equal((await get("?search=Person+205")).body["total"], 1);
});

test("another workspace sees nothing of it", async () => {
  const other = await api.newWorkspace();
  const answer = await api.call("GET", "/contacts", { bearer: other.bearer });
  assert.deepEqual([answer.body["total"], items(answer)], [0, []]);
});
