import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

// Definitions of attributes by a program: GET, PUT and DELETE /v1/contact-attributes/{key}, and the list.

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

async function shop(...scopes: string[]) {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const key = scopes.length === 0 ? bearer : await api.key(scopes, workspaceId);
  return (method: "GET" | "PUT" | "DELETE", attribute = "", json?: object) =>
    api.call(method, `/contact-attributes${attribute && `/${encodeURIComponent(attribute)}`}`, {
      bearer: key,
      ...(json && { json }),
    });
}

test("an attribute is defined, replaced, read and removed, whatever letters its key has", async () => {
  const ask = await shop();
  for (const key of ["tier", "a/b c?", "المدينة", "k".repeat(200)]) {
    const put = await ask("PUT", key, { type: "choice", label: "Tier", choices: ["Gold", "Silver"] }); // oxfmt-ignore
    assert.equal(put.status, 200, put.text);
    assert.deepEqual((await ask("GET", key)).body, put.body);
    const again = await ask("PUT", key, { type: "number" });
    assert.deepEqual(again.body, { key, label: key, type: "number", choices: [] });
    assert.equal((await ask("DELETE", key)).status, 200);
    for (const method of ["GET", "DELETE"] as const)
      assert.equal((await ask(method, key)).status, 404);
  }
});

test("the list is read to its end, also when the attribute of the cursor was removed meanwhile", async () => {
  const { bearer } = await api.newWorkspace("business");
  const call = (method: "GET" | "PUT" | "DELETE", path: string, json?: object) =>
    api.call(method, `/contact-attributes${path}`, { bearer, ...(json && { json }) });
  for (const key of ["b", "ا", "B", "a"])
    await call("PUT", `/${encodeURIComponent(key)}`, { type: "text" });
  const page = async (query: string) => {
    const { body } = await call("GET", query);
    return [(body["items"] as { key: string }[]).map(({ key }) => key), body["nextCursor"]];
  };
  assert.deepEqual(await page(""), [["B", "a", "b", "ا"], null]);
  assert.deepEqual(await page("?limit=2"), [["B", "a"], "a"]);
  await call("DELETE", "/a");
  assert.deepEqual(await page("?limit=2&cursor=a"), [["b", "ا"], null]);
});

test("what does not fit is refused by its member", async () => {
  const ask = await shop();
  const faults: [object, string][] = [
    [{}, "type"],
    [{ type: "money" }, "type"],
    [{ type: "choice" }, "choices"],
    [{ type: "text", choices: ["a"] }, "choices"],
    [{ type: "choice", choices: ["a", "A"] }, "choices"],
    [{ type: "text", kind: "x" }, "kind"],
  ];
  for (const [json, path] of faults) {
    const { status, body } = await ask("PUT", "tier", json);
    assert.deepEqual([status, body.details?.[0]?.path], [400, path], JSON.stringify(json));
  }
  assert.equal((await ask("PUT", " tier", { type: "text" })).status, 400);
  assert.deepEqual((await ask("GET")).body["items"], []);
});

test("contacts:read reads definitions and changes none", async () => {
  const read = await shop("contacts:read");
  assert.equal((await read("GET")).status, 200);
  assert.equal((await read("PUT", "tier", { type: "text" })).status, 403);
  assert.equal((await read("DELETE", "tier")).status, 403);
});
