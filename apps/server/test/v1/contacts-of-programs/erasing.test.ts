import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

test("a key with contacts:erase erases a person, and reads how far it is; another may not", async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const json = { match: ["refs.crm"], refs: { crm: "42" }, phone: "201001234567" };
  const made = await api.call("POST", "/contacts/upsert", { json, bearer });
  const path = `/contacts/${(made.body["contact"] as { id: string }).id}`;
  const twin = await api.call("POST", "/contacts", { json: { phone: "+201001234567" }, bearer });
  const writer = await api.key(["contacts:write"], workspaceId);
  assert.equal((await api.call("DELETE", path, { bearer: writer })).status, 403);
  const eraser = await api.key(["contacts:erase"], workspaceId);
  const begun = await api.call("DELETE", path, { bearer: eraser });
  assert.deepEqual([begun.status, begun.body["state"]], [202, "running"]);
  assert.deepEqual(begun.body["alike"], [twin.body["id"]]);
  const again = await api.call("DELETE", path, { bearer: eraser });
  assert.equal(again.body["id"], begun.body["id"]);
  assert.equal((await api.call("GET", path, { bearer })).status, 404);
  assert.equal((await api.call("GET", "/contacts/by/ref.crm/42", { bearer })).status, 404);
  await api.app.drain();
  const erasure = `/erasures/${String(begun.body["id"])}`;
  const done = await api.call("GET", erasure, { bearer: eraser });
  assert.deepEqual([done.status, done.body["state"]], [200, "done"]);
  assert.equal((await api.call("GET", erasure, { bearer: writer })).status, 403);
});

test("a merge by a key answers the kept contact with both refs, and a repeat the same", async () => {
  const { bearer } = await api.newWorkspace("business");
  const upsert = async (system: string, phone: string) => {
    const json = { match: [`refs.${system}`], refs: { [system]: "1" }, phone };
    const { body } = await api.call("POST", "/contacts/upsert", { json, bearer });
    return (body["contact"] as { id: string }).id;
  };
  const [kept, other] = [await upsert("crm", "201000000001"), await upsert("shop", "201000000002")];
  const merge = (mergedId: string) =>
    api.call("POST", `/contacts/${kept}/merge`, {
      json: { mergedId },
      bearer,
      headers: { "idempotency-key": mergedId },
    });
  const merged = await merge(other);
  assert.equal(merged.status, 200, merged.text);
  assert.deepEqual([merged.body["id"], merged.body["refs"]], [kept, { crm: "1", shop: "1" }]);
  assert.equal((await merge(other)).text, merged.text);
  assert.equal((await merge(kept)).status, 400);
  assert.equal((await merge("none")).status, 404);
});
