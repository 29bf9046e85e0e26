import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { openConversation } from "../fixtures.ts";

// A person by a program: timeline, identities, what a merge would make, duplicates.

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

async function shop() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const get = (path: string, key = bearer) => api.call("GET", path, { bearer: key });
  const post = (path: string, json: object) => api.call("POST", path, { bearer, json });
  const made = async (json: object) => String((await post("/contacts", json)).body["id"]);
  return { workspaceId, bearer, get, post, made };
}
type Item = { at: string; kind: string; facts: Record<string, unknown> };

test("a timeline is read page by page to its end, and a cursor of another kind is refused", async () => {
  const { bearer, get, made } = await shop();
  const id = await made({ phone: "201001234567", name: "Sara" });
  for (const name of ["Mona", "Huda", "Nour"]) {
    api.clock.advance(1_000);
    await api.call("PATCH", `/contacts/${id}`, { bearer, json: { name } });
  }
  const whole = (await get(`/contacts/${id}/timeline`)).body["items"] as Item[];
  assert.deepEqual(
    whole.map(({ kind }) => kind),
    ["changed", "changed", "changed", "created"],
  );
  const read: Item[] = [];
  for (let cursor = ""; ;) {
    const { body } = await get(`/contacts/${id}/timeline?limit=1${cursor}`);
    read.push(...(body["items"] as Item[]));
    if (body["nextCursor"] === null) break;
    cursor = `&cursor=${encodeURIComponent(body["nextCursor"] as string)}`;
  }
  assert.deepEqual(read, whole);
  const odd = await get(`/contacts/${id}/timeline?cursor=here`);
  assert.deepEqual([odd.status, odd.body.details?.[0]?.path], [400, "cursor"]);
});

test("the words of messages need messages:read; contacts:read alone sees that there was one", async () => {
  const { workspaceId, bearer, get } = await shop();
  const conversation = await openConversation(api, { workspaceId, phone: "201001234567" });
  const { body } = await get(`/conversations/${conversation}`);
  const id = String(body["contactId"]);
  const json = { text: "Your parcel is here" };
  const sent = await api.call("POST", `/conversations/${conversation}/messages`, { bearer, json });
  assert.equal(sent.status, 201, sent.text);
  const words = async (scopes: string[]) => {
    const answer = await get(`/contacts/${id}/timeline`, await api.key(scopes, workspaceId));
    const items = answer.body["items"] as Item[];
    return items.flatMap(({ kind, facts }) => (kind === "message" ? [facts["text"]] : []));
  };
  assert.ok((await words(["contacts:read", "messages:read"])).includes("Your parcel is here"));
  assert.ok((await words([])).includes("Your parcel is here"));
  const without = await words(["contacts:read"]);
  assert.ok(without.length > 0 && without.every((text) => text === null));
});

test("a preview is what the merge then makes, and a merged id goes on leading to the contact", async () => {
  const { get, post, made } = await shop();
  const kept = await made({ phone: "201001234567", tags: ["vip"], notes: "Tea" });
  const other = await made({ email: "sara@example.com", tags: ["new"], notes: "Coffee" });
  const path = `/contacts/${kept}/merge-preview?mergedId=${other}`;
  const preview = await get(path);
  assert.equal(preview.status, 200, preview.text);
  const merged = await post(`/contacts/${kept}/merge`, { mergedId: other });
  const { refs: _refs, updatedAt: _at, ...contact } = merged.body;
  assert.deepEqual(preview.body["result"], contact);
  assert.deepEqual((await get(path)).body["result"], contact, "merged already: nothing changes");
  const identities = await get(`/contacts/${other}/identities`);
  assert.equal(identities.body["contactId"], kept);
  assert.deepEqual((identities.body["merged"] as { id: string }[]).map(({ id }) => id), [other]); // oxfmt-ignore
  const same = await get(`/contacts/${kept}/merge-preview?mergedId=${kept}`);
  assert.equal(same.status, 400);
  const unknown = await get(`/contacts/${kept}/merge-preview?mergedId=nobody`);
  assert.equal(unknown.status, 404);
});

test("duplicates are read group by group, also by an address of 200 characters", async () => {
  const { get, made } = await shop();
  const long = `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.example`;
  const emails = ["a@example.com", long, "z@example.com"];
  for (const email of emails) for (const name of ["One", "Two"]) await made({ email, name });
  const found: unknown[] = [];
  for (let cursor = ""; ;) {
    const { body } = await get(`/contacts/duplicates?by=email&limit=1${cursor}`);
    for (const { address, count } of body["items"] as { address: string; count: number }[])
      found.push([address, count]);
    if (body["nextCursor"] === null) break;
    cursor = `&cursor=${encodeURIComponent(body["nextCursor"] as string)}`;
  }
  assert.deepEqual(found, emails.toSorted().map((email) => [email, 2])); // oxfmt-ignore
});

test("none of it is open to a key without the scope, and another workspace's contact is unknown", async () => {
  const { workspaceId, get, made } = await shop();
  const id = await made({ phone: "201001234567" });
  const stranger = await shop();
  const writer = await api.key(["contacts:write"], workspaceId);
  const reporter = await api.key(["usage:read"], workspaceId);
  const preview = `merge-preview?mergedId=${id}`;
  for (const path of ["timeline", "identities", preview]) {
    assert.equal((await get(`/contacts/${id}/${path}`, reporter)).status, 403, path);
    if (path !== preview)
      assert.equal((await get(`/contacts/${id}/${path}`, writer)).status, 403, path);
    const elsewhere = await stranger.made({ phone: "201001234567" });
    const asked = path.replace(id, elsewhere);
    assert.equal((await stranger.get(`/contacts/${id}/${asked}`)).status, 404, path);
  }
  assert.equal((await get("/contacts/duplicates", reporter)).status, 403);
  // Who merges finds what to merge.
  assert.equal((await get("/contacts/duplicates", writer)).status, 200);
});
