import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LONG } from "../../group.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const ROUNDS = LONG ? 1_000 : 100;
/** A round makes six calls, the end one, and a key has 120 in a minute. */
const ROUNDS_OF_A_KEY = 19;

test(`two writers with If-Match lose no update in ${ROUNDS} rounds`, async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const made = await api.call("POST", "/contacts", { json: { phone: "201001234567" }, bearer });
  const path = `/contacts/${String(made.body["id"])}`;
  let key = bearer;
  const read = async () => {
    const { body, headers } = await api.call("GET", path, { bearer: key });
    return {
      count: Number(Object(body["attributes"])["count"] ?? 0),
      tag: String(headers["etag"]),
    };
  };
  /** Adds one to what it read. */
  const write = async ({ count, tag }: Awaited<ReturnType<typeof read>>) => {
    const json = { attributes: { count: count + 1 } };
    const { status } = await api.call("PATCH", path, {
      json,
      bearer: key,
      headers: { "if-match": tag },
    });
    assert.ok(status === 200 || status === 412, String(status));
    return status === 200;
  };
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (round % ROUNDS_OF_A_KEY === 0) key = await api.key([], workspaceId);
    const seen = await Promise.all([read(), read()]);
    const wrote = await Promise.all(seen.map(write));
    assert.equal(wrote.filter(Boolean).length, 1, `round ${round}: one of both`);
    refused++;
    assert.ok(await write(await read()), "who was refused reads again");
  }
  assert.equal(refused, ROUNDS);
  assert.equal((await read()).count, 2 * ROUNDS);
});

test("the version of a contact is the same by its id and by what names it, whatever else is shown", async () => {
  const { bearer } = await api.newWorkspace("business");
  const json = { match: ["refs.crm"], refs: { crm: "42" }, phone: "201001234567", name: "Sara" };
  const made = await api.call("POST", "/contacts/upsert", { json, bearer });
  const path = `/contacts/${Object(made.body["contact"])["id"]}`;
  const byId = await api.call("GET", path, { bearer });
  const byRef = await api.call("GET", "/contacts/by/ref.crm/42", { bearer });
  const tag = String(byRef.headers["etag"]);
  assert.equal(tag, byId.headers["etag"]);
  const patch = (name: string) =>
    api.call("PATCH", path, { json: { name }, bearer, headers: { "if-match": tag } });
  assert.deepEqual([(await patch("Mona")).status, (await patch("Nour")).status], [200, 412]);
});

test("a version holds until something changes, and * is any", async () => {
  const { bearer } = await api.newWorkspace("business");
  const made = await api.call("POST", "/contacts", { json: { phone: "201001234567" }, bearer });
  const path = `/contacts/${String(made.body["id"])}`;
  const tagOf = async () => String((await api.call("GET", path, { bearer })).headers["etag"]);
  const patch = (json: object, tag: string) =>
    api.call("PATCH", path, { json, bearer, headers: { "if-match": tag } });
  const before = await tagOf();
  assert.equal(await tagOf(), before);
  const changed = await patch({ name: "Sara", attributes: { "2": 1, a: "é", "1": [1.5] } }, before);
  assert.equal(changed.status, 200);
  assert.equal(changed.headers["etag"], await tagOf(), "the answer of a change has its version");
  assert.equal((await patch({ name: "Omar" }, await tagOf())).status, 200);
  const late = await patch({ name: "Late" }, before);
  assert.deepEqual([late.status, late.body.message], [412, "VERSION_MISMATCH"]);
  assert.equal((await patch({ name: "Any" }, "*")).status, 200);
  const bare = (await tagOf()).replaceAll('"', "");
  assert.equal((await patch({ name: "Bare" }, bare)).status, 200, "a shell takes the quotes away");
});

test("two writers that change one by one lose nothing of each other, without a version", async () => {
  const { bearer } = await api.newWorkspace("business");
  const json = { phone: "201001234567", tags: ["old"], attributes: { city: "Cairo", floor: 3 } };
  const made = await api.call("POST", "/contacts", { json, bearer });
  const path = `/contacts/${String(made.body["id"])}`;
  const patch = (change: object) => api.call("PATCH", path, { json: change, bearer });
  await Promise.all([
    patch({ addTags: [" VIP ", "old"], setAttributes: { city: "Giza" } }),
    patch({ addTags: ["tea"], setAttributes: { plan: { paid: true } } }),
    patch({ removeTags: ["OLD"], removeAttributes: ["floor", "never"] }),
  ]);
  await patch({ removeTags: ["old"] });
  const { body } = await api.call("GET", path, { bearer });
  assert.deepEqual(Array.from(body["tags"] as string[]).toSorted(), ["tea", "vip"]);
  assert.deepEqual(body["attributes"], { city: "Giza", plan: { paid: true } });
  const both = await patch({
    tags: ["new"],
    addTags: ["more"],
    attributes: {},
    setAttributes: { a: 1 },
  });
  assert.deepEqual([both.body["tags"], both.body["attributes"]], [["new", "more"], { a: 1 }]);
  for (const [change, at] of [
    [{ addTags: ["x".repeat(201)] }, "addTags.0"],
    [{ setAttributes: { a: "x".repeat(16_384) } }, "setAttributes"],
    [{ setAttributes: { a: "\0" } }, "setAttributes.a"],
    [{ addTags: "vip" }, "addTags"],
    [{ removeAttributes: [1] }, "removeAttributes.0"],
  ] as const) {
    const { status, body: fault } = await patch(change);
    assert.deepEqual([status, fault.details?.[0]?.path], [400, at]);
  }
});
