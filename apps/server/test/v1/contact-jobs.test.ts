import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "./api.ts";

let api: Api;
let shop: { readonly workspaceId: string; readonly bearer: string };
before(async () => {
  api = await startApi();
  shop = await api.newWorkspace("business");
});
after(() => api[Symbol.asyncDispose]());

const call: Api["call"] = (method, path, options = {}) =>
  api.call(method, path, { bearer: shop.bearer, ...options });
const start = (filter: object, change: object, bearer = shop.bearer) =>
  call("POST", "/contact-jobs", { json: { filter, change }, bearer });
const newContact = async (tag: string): Promise<string> => {
  const json = { name: tag, email: `${tag}@example.com`, tags: [tag] };
  return String((await call("POST", "/contacts", { json })).body["id"]);
};

test("a change to many contacts is started, listed, paused, resumed, and read when it is done", async () => {
  const [one, two] = [await newContact("one"), await newContact("two")];
  const rules = [{ field: "tag", op: "eq", value: "one" }];
  const started = await start(
    { definition: { match: "all", rules } },
    { action: "tag", tags: ["new"] },
  );
  assert.deepEqual([started.status, started.body["state"]], [202, "running"], started.text);
  const path = `/contact-jobs/${String(started.body["id"])}`;
  const move = (verb: string) => call("POST", `${path}/moves`, { json: { move: verb } });
  assert.equal((await move("pause")).body["state"], "paused");
  assert.equal((await move("pause")).body.message, "NOT_ALLOWED_IN_STATE");
  assert.equal((await move("resume")).body["state"], "running");
  const second = await start({ ids: [two] }, { action: "untag", tags: ["two"] });
  await api.app.drain();
  const { body } = await call("GET", path);
  assert.deepEqual([body["state"], body["matched"], body["changed"]], ["done", 1, 1]);
  const tagsOf = async (id: string) => (await call("GET", `/contacts/${id}`)).body["tags"];
  assert.deepEqual([await tagsOf(one), await tagsOf(two)], [["one", "new"], []]);
  const page = await call("GET", "/contact-jobs?limit=1");
  const rest = await call("GET", `/contact-jobs?cursor=${String(page.body["nextCursor"])}`);
  const idsOf = (items: unknown) => (items as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(
    [...idsOf(page.body["items"]), ...idsOf(rest.body["items"])],
    [second.body["id"], started.body["id"]],
  );
});

test("what deletes or opts in needs the scope of that, and one filter says which contacts", async () => {
  const writer = await api.key(["contacts:write"], shop.workspaceId);
  const ids = [await newContact("three")];
  for (const [change, scope] of [
    [{ action: "delete" }, "contacts:erase"],
    [{ action: "opt_in", reason: "asked" }, "contacts:consent"],
  ] as const) {
    const refused = await start({ ids }, change, writer);
    assert.deepEqual([refused.status, refused.body.message], [403, `MISSING_SCOPE:${scope}`]);
    const holder = await api.key(["contacts:write", scope], shop.workspaceId);
    assert.equal((await start({ ids }, change, holder)).status, 202);
  }
  const tag = { action: "tag", tags: ["x"] };
  for (const filter of [{}, { ids, definition: { match: "all", rules: [] } }]) {
    const refused = await start(filter, tag, writer);
    assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, "filter"]);
  }
  assert.equal((await start({ segmentId: "none" }, tag, writer)).status, 404);
  assert.equal((await start({ ids }, { action: "opt_in" })).body.details?.[0]?.path, "reason");
});

test("another workspace's change is not found, and its contacts are not changed", async () => {
  const ids = [await newContact("four")];
  const job = await start({ ids }, { action: "tag", tags: ["x"] });
  const other = await api.newWorkspace();
  const path = `/contact-jobs/${String(job.body["id"])}`;
  assert.equal((await call("GET", path, { bearer: other.bearer })).status, 404);
  const json = { move: "cancel" };
  const moved = await call("POST", `${path}/moves`, { json, bearer: other.bearer });
  assert.equal(moved.status, 404);
  const theirs = await start({ ids }, { action: "delete" }, other.bearer);
  await api.app.drain();
  const { body } = await call("GET", `/contact-jobs/${String(theirs.body["id"])}`, {
    bearer: other.bearer,
  });
  assert.deepEqual([body["matched"], body["changed"]], [0, 0]);
  assert.equal((await call("GET", `/contacts/${ids[0]}`)).status, 200);
});
