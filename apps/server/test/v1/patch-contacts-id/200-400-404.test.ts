import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { consentHistory } from "../../../src/contacts/consent/consent-history.ts";
import { setConsent } from "../../../src/contacts/consent/set-consent.ts";
import { mergeContacts } from "../../../src/contacts/identity/merge-contacts.ts";
import { sql } from "../../../src/db/sql.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const SARA = {
  name: "Sara",
  email: "sara@b.co",
  phone: "20100",
  notes: "tea",
  tags: ["vip"],
  attributes: { city: "Cairo" },
};
const add = async (json: object = SARA) => (await api.call("POST", "/contacts", { json })).body;
const patch = (id: unknown, json: unknown) =>
  api.call("PATCH", `/contacts/${String(id)}`, { json });
const kinds = async (id: unknown) =>
  (
    await api.app.db.query<{ type: string }>(sql`select type from event
      where workspace_id = ${api.workspaceId} and body like ${`%${String(id)}%`} order by sequence`)
  ).map((row) => row.type);

test("what is absent stays, what is given is changed, null clears; tags and attributes go whole", async () => {
  const made = await add();
  const cases: [object, object][] = [
    [{}, {}],
    [{ name: " Mona " }, { name: "Mona" }],
    [{ notes: null }, { notes: null }],
    [{ notes: "" }, { notes: null }],
    [{ email: null }, { email: null }],
    [{ phone: "+20 (111)" }, { phone: "20111" }],
    [{ tags: ["Tea", "tea", ""] }, { tags: ["tea"] }],
    [{ tags: null }, { tags: [] }],
    [{ attributes: { a: [null] } }, { attributes: { a: [null] } }],
    [{ attributes: null }, { attributes: {} }],
    [
      { name: null, email: "m@b.co" },
      { name: null, email: "m@b.co" },
    ],
  ];
  let expected = { ...made };
  for (const [json, change] of cases) {
    const answer = await patch(made["id"], json);
    expected = { ...expected, ...change };
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, expected, JSON.stringify(json));
    const read = await api.call("GET", `/contacts/${String(made["id"])}`);
    assert.deepEqual(read.body, expected);
  }
});

test("a change is told once; what changes nothing is not told", async () => {
  const { id } = await add();
  await patch(id, { name: "Mona" });
  await patch(id, { name: "Mona" });
  await patch(id, {});
  assert.deepEqual(await kinds(id), ["contact.created", "contact.updated"]);
});

test("an opt-out is recorded with the key and the time, told once, holds for the number, and is taken back", async () => {
  const { id } = await add({ phone: "20155501" });
  const twin = await add({ phone: "20155501", name: "Same number" });
  const at = api.app.clock.now().toISOString();
  const out = await patch(id, { optedOut: true, name: "Out" });
  assert.deepEqual(
    [out.status, out.body["optedOut"], out.body["optedOutAt"], out.body["name"]],
    [200, true, at, "Out"],
  );
  assert.equal((await patch(id, { optedOut: true })).body["optedOutAt"], at);
  const other = await api.call("GET", `/contacts/${String(twin["id"])}`);
  assert.equal(other.body["optedOut"], true);
  const back = await patch(id, { optedOut: false });
  assert.deepEqual([back.body["optedOut"], back.body["optedOutAt"]], [false, null]);
  const key = api.bearer.split(":")[0];
  const entries = await consentHistory(api.app, api.workspaceId, { contactId: String(id) });
  assert.deepEqual(
    entries.flatMap((one) => (one.contactId === id ? [[one.optedOut, one.source]] : [])),
    [
      [true, "api"],
      [false, "api"],
    ],
  );
  for (const one of entries) assert.deepEqual([one.at, one.detail], [at, key]);
  assert.deepEqual(await kinds(id), [
    "contact.created",
    "contact.updated",
    "contact.opted_out",
    "contact.opted_in",
  ]);
  for (const optedOut of [null, "yes", 1]) {
    const { status, body } = await patch(id, { optedOut });
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, ["optedOut"]]);
  }
  // When it was is not for the caller to say.
  assert.equal((await patch(id, { optedOutAt: "2026-01-01T00:00:00.000Z" })).status, 400);
});

test("optedOut false against the customer's own STOP is held: 200, still opted out, named in Parley-Held, the rest stored", async () => {
  const { id } = await add({ phone: "20155777" });
  const at = api.app.clock.now();
  const word = { workspaceId: api.workspaceId, contactId: String(id), source: "stop_word", at };
  await api.app.db.transaction((tx) => setConsent(api.app, tx, [{ ...word, optedOut: true }]));
  const held = await patch(id, { optedOut: false, name: "Kept" });
  assert.deepEqual(
    [held.status, held.body["optedOut"], held.body["name"], held.headers["parley-held"]],
    [200, true, "Kept", "optedOut"],
  );
  assert.equal((await patch(id, { name: "Other" })).headers["parley-held"], undefined);
  await api.app.db.transaction((tx) => setConsent(api.app, tx, [{ ...word, optedOut: false }]));
  const out = await patch(id, { optedOut: true });
  const back = await patch(id, { optedOut: false });
  assert.deepEqual(
    [out.body["optedOut"], back.body["optedOut"], back.headers["parley-held"]],
    [true, false, undefined],
  );
});

test("the rules are those of a new contact, every fault named, and nothing is written", async () => {
  const { id } = await add();
  const long = "x".repeat(5_001);
  for (const [json, paths] of [
    [{ name: 5, notes: long }, ["name", "notes"]],
    [{ name: long.slice(0, 201) }, ["name"]],
    [{ name: 5, notes: null, email: "no", phone: "12a" }, ["name", "email", "phone"]],
    [{ email: "no" }, ["email"]],
    [{ phone: "12a" }, ["phone"]],
    [{ phone: "1".repeat(41) }, ["phone"]],
    [{ tags: [1] }, ["tags.0"]],
    [{ tags: "x" }, ["tags"]],
    [{ attributes: [] }, ["attributes"]],
    [{ attributes: { a: "x".repeat(17_000) } }, ["attributes"]],
  ] as const) {
    const { status, body } = await patch(id, json);
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, paths]);
  }
  assert.equal((await patch(id, [])).body.message, "VALIDATION_FAILED");
  const both = await patch(id, { email: null, phone: "" });
  assert.deepEqual([both.status, both.body.message], [400, "CONTACT_NEEDS_IDENTITY"]);
  const broken = await api.call("PATCH", `/contacts/${String(id)}`, {
    raw: "{",
    headers: { "content-type": "application/json" },
  });
  assert.deepEqual([broken.status, broken.body.message], [400, "MALFORMED_JSON"]);
  const typed = await api.call("PATCH", `/contacts/${String(id)}`, {
    raw: "{}",
    headers: { "content-type": "text/plain" },
  });
  assert.equal(typed.status, 415);
  const large = await api.call("PATCH", `/contacts/${String(id)}`, {
    json: { x: "x".repeat(300_000) },
  });
  assert.equal(large.status, 413);
  assert.deepEqual(await kinds(id), ["contact.created"]);
});

test("a contact that was merged is changed as the one it became", async () => {
  const [kept, gone] = [await add({ email: "k2@b.co" }), await add({ phone: "20177" })];
  await mergeContacts(OPERATOR, api.app, api.workspaceId, String(kept["id"]), String(gone["id"]));
  const answer = await patch(gone["id"], { name: "One" });
  assert.deepEqual(
    [answer.status, answer.body["id"], answer.body["name"]],
    [200, kept["id"], "One"],
  );
});

test("an unknown id, nonsense and another workspace's are the same 404, and stay as they are", async () => {
  const other = await api.newWorkspace();
  const theirs = await api.call("POST", "/contacts", { json: SARA, bearer: other.bearer });
  for (const id of [theirs.body["id"], api.app.ids.next(), "none", "%00"]) {
    const { status, body } = await patch(id, { name: "X" });
    assert.deepEqual([status, body.message], [404, "NOT_FOUND"]);
    for (const wrong of [{ name: 5 }, { email: "no" }, { phone: "x", email: null }])
      assert.equal((await patch(id, wrong)).status, 400, "validation comes first");
  }
  const read = await api.call("GET", `/contacts/${String(theirs.body["id"])}`, other);
  assert.equal(read.text, theirs.text);
});
