import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../../src/actor.ts";
import { mergeContacts } from "../../../src/contacts/identity/merge-contacts.ts";
import type { NewContactRow } from "../../../src/contacts/record/contact.ts";
import { insertContacts, removeContacts } from "../../../src/contacts/record/contact-store.ts";
import { sql } from "../../../src/db/sql.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Upserted {
  readonly outcome: string;
  readonly contact: {
    readonly id: string;
    readonly name: string | null;
    readonly tags: readonly string[];
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly refs: Readonly<Record<string, string>>;
    readonly updatedAt: string;
    readonly optedOut: boolean;
  };
}

/** A workspace of its own, so that every test begins without contacts. */
async function shop() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const ask = (json: object, headers: Record<string, string> = {}) =>
    api.call("POST", "/contacts/upsert", { json, bearer, headers });
  return {
    workspaceId,
    bearer,
    ask,
    upsert: async (json: object): Promise<Upserted> => {
      const answer = await ask(json);
      const upserted = answer.body as unknown as Upserted;
      assert.equal(answer.status, upserted.outcome === "created" ? 201 : 200, answer.text);
      return upserted;
    },
    /** The details of the refusal. */
    conflict: async (json: object) => {
      const answer = await ask(json);
      assert.deepEqual([answer.status, answer.body.message], [409, "CONTACT_CONFLICT"]);
      return answer.body.details;
    },
    events: async () => {
      const rows = await api.app.db.query<{ type: string }>(
        sql`select type from event where workspace_id = ${workspaceId} order by sequence`,
      );
      return rows.map(({ type }) => type);
    },
    contacts: async () => {
      const [row] = await api.app.db.query<{ n: number }>(
        sql`select count(*)::int as n from contact where workspace_id = ${workspaceId}`,
      );
      return row?.n;
    },
  };
}

const SARA = { match: ["refs.crm"], refs: { crm: "42" }, phone: "+20 100 123 4567", name: "Sara" };

test("an upsert creates, changes and then changes nothing more", async () => {
  const { upsert, events, ask } = await shop();
  const made = await upsert({ ...SARA, tags: ["VIP"], attributes: { city: "Cairo", age: 3 } });
  assert.equal(made.outcome, "created");
  assert.deepEqual(made.contact.refs, { crm: "42" });
  api.clock.advance(1_000);
  const change = {
    ...SARA,
    refs: { crm: "42", shop: "s-1" },
    addTags: ["Tea"],
    removeTags: ["vip"],
    setAttributes: { city: "Giza" },
    removeAttributes: ["age"],
  };
  const changed = await upsert(change);
  assert.equal(changed.outcome, "updated");
  assert.equal(changed.contact.id, made.contact.id);
  assert.deepEqual(changed.contact.tags, ["tea"]);
  assert.deepEqual(changed.contact.attributes, { city: "Giza" });
  assert.deepEqual(changed.contact.refs, { crm: "42", shop: "s-1" });
  assert.ok(changed.contact.updatedAt > made.contact.updatedAt);
  api.clock.advance(1_000);
  assert.deepEqual(await upsert(change), { ...changed, outcome: "unchanged" });
  const gone = await upsert({ match: ["refs.shop"], refs: { shop: "s-1", crm: null } });
  assert.deepEqual([gone.outcome, gone.contact.refs], ["updated", { shop: "s-1" }]);
  assert.deepEqual(await events(), ["contact.created", "contact.updated", "contact.updated"]);
  const nobody = await ask({ match: ["refs.crm"], refs: { crm: "43" }, name: "Nobody" });
  assert.deepEqual([nobody.status, nobody.body.message], [400, "CONTACT_NEEDS_IDENTITY"]);
});

test("a contact is found by phone in any spelling, by e-mail in any case, and by a ref", async () => {
  const { upsert } = await shop();
  const { contact } = await upsert({
    match: ["email"],
    email: "Sara@Example.com",
    phone: "5511987654321",
    refs: { crm: "1" },
  });
  for (const key of [
    { match: ["email"], email: "sara@example.COM" },
    { match: ["phone"], phone: "551187654321" },
    { match: ["refs.crm"], refs: { crm: "1" } },
  ]) {
    const found = await upsert({ ...key, addTags: ["seen"] });
    assert.equal(found.contact.id, contact.id, JSON.stringify(key));
  }
});

test("a conflict names each contact that a key met, and changes nothing", async () => {
  const { upsert, conflict, events } = await shop();
  const a = await upsert({ match: ["refs.crm"], refs: { crm: "a" }, phone: "201000000001" });
  const b = await upsert({ match: ["refs.crm"], refs: { crm: "b" }, email: "b@example.com" });
  const met = (path: string, { contact }: Upserted) => ({
    path,
    message: `is of contact ${contact.id}`,
  });
  assert.deepEqual(
    await conflict({ match: ["phone", "email"], phone: "201000000001", email: "b@example.com" }),
    [met("phone", a), met("email", b)],
  );
  assert.deepEqual(
    await conflict({ match: ["phone"], phone: "201000000001", refs: { crm: "b" } }),
    [met("phone", a), met("refs.crm", b)],
    "a ref of another contact, also where it is not matched by",
  );
  assert.deepEqual(
    await conflict({ match: ["phone"], phone: "201000000009", refs: { crm: "b" } }),
    [met("refs.crm", b)],
  );
  assert.deepEqual(
    await conflict({ match: ["refs.crm", "phone"], phone: "201000000001", refs: { crm: "new" } }),
    [{ path: "refs.crm", message: `contact ${a.contact.id} has another value` }],
  );
  assert.deepEqual(await events(), ["contact.created", "contact.created"]);
});

test("50 equal calls at once create one contact, by ref, by phone and by e-mail", async () => {
  for (const key of [
    { match: ["refs.crm"], refs: { crm: "1" }, phone: "201000000001" },
    { match: ["phone"], phone: "201000000002" },
    { match: ["email"], email: "c@example.com" },
  ]) {
    const { upsert, contacts, events } = await shop();
    const all = await Promise.all(Array.from({ length: 50 }, () => upsert(key)));
    const outcomes = all.map(({ outcome }) => outcome).toSorted();
    assert.deepEqual(outcomes, ["created", ...Array.from({ length: 49 }, () => "unchanged")]);
    assert.equal(new Set(all.map(({ contact }) => contact.id)).size, 1);
    assert.equal(await contacts(), 1);
    assert.deepEqual(await events(), ["contact.created"]);
  }
});

test("an opted-out number keeps its opt-out whoever gets it", async () => {
  const { upsert, bearer } = await shop();
  const first = await upsert({ match: ["phone"], phone: "201000000001" });
  const patch = { json: { optedOut: true }, bearer };
  await api.call("PATCH", `/contacts/${first.contact.id}`, patch);
  const second = await upsert({ match: ["refs.crm"], refs: { crm: "2" }, phone: "201000000001" });
  assert.deepEqual([second.outcome, second.contact.optedOut], ["created", true]);
  await upsert({ match: ["email"], email: "d@example.com" });
  const third = await upsert({ match: ["email"], email: "d@example.com", phone: "201000000001" });
  assert.deepEqual([third.outcome, third.contact.optedOut], ["updated", true]);
});

test("refs follow a merge: the kept contact's own wins, and the other's goes on leading to it", async () => {
  const { upsert, workspaceId, conflict } = await shop();
  const kept = await upsert({ match: ["refs.crm"], refs: { crm: "1" }, phone: "201000000001" });
  const other = await upsert({
    match: ["refs.crm"],
    refs: { crm: "2", shop: "s" },
    email: "e@example.com",
  });
  await mergeContacts(OPERATOR, api.app, workspaceId, kept.contact.id, other.contact.id);
  const found = await upsert({ match: ["refs.crm"], refs: { crm: "2" }, name: "Both" });
  assert.equal(found.contact.id, kept.contact.id);
  assert.deepEqual(found.contact.refs, { crm: "1", shop: "s" });
  const third = await upsert({ match: ["phone"], phone: "201000000003" });
  assert.equal(
    (await conflict({ match: ["phone"], phone: "201000000003", refs: { crm: "2" } }))?.length,
    2,
  );
  await api.app.db.transaction(async (tx) => {
    await removeContacts(tx, workspaceId, [kept.contact.id]);
  });
  const again = await upsert({ match: ["phone"], phone: "201000000003", refs: { crm: "2" } });
  assert.deepEqual([again.contact.id, again.contact.refs], [third.contact.id, { crm: "2" }]);
});

test("what does not fit is refused by the name of the member", async () => {
  const { ask } = await shop();
  const paths = async (json: object) => {
    const { status, body, text } = await ask(json);
    assert.equal(status, 400, text);
    return body.details?.map(({ path }) => path);
  };
  assert.deepEqual(await paths({ match: ["refs.crm"], phone: "1" }), ["match.0"]);
  assert.deepEqual(await paths({ match: ["name"], name: "S" }), ["match.0"]);
  const eleven = Array.from({ length: 11 }, (_, n) => [`s${n}`, "1"]);
  assert.deepEqual(
    await paths({ match: ["phone"], phone: "1", refs: Object.fromEntries(eleven) }),
    ["refs"],
  );
  assert.deepEqual(await paths({ match: ["phone"], phone: "1", refs: { crm: " " } }), ["refs.crm"]);
  const large = { text: "x".repeat(16_384) };
  assert.deepEqual(await paths({ match: ["phone"], phone: "1", setAttributes: large }), [
    "setAttributes",
  ]);
});

test("a batch has a result for each upsert, and a later one sees what an earlier one did", async () => {
  const { workspaceId, bearer, events } = await shop();
  const batch = {
    contacts: [
      { match: ["refs.crm"], refs: { crm: "1" }, phone: "201000000001" },
      { match: ["phone"], phone: "201000000001", name: "Sara" },
      { match: ["refs.crm"], refs: { crm: "2" }, name: "Nobody" },
      { match: ["phone"], phone: "201000000001", refs: { crm: "3" } },
      { match: ["refs.crm"], refs: { crm: "1" } },
    ],
  };
  const send = async () => {
    const answer = await api.call("POST", "/contacts/batch", { json: batch, bearer });
    assert.equal(answer.status, 200, answer.text);
    return answer.body["results"] as { outcome: string; contactId: string; error?: object }[];
  };
  const results = await send();
  const outcomes = ["created", "updated", "refused", "updated", "refused"];
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    outcomes,
  );
  assert.deepEqual(results[2]?.error, { message: "CONTACT_NEEDS_IDENTITY", details: [] });
  assert.equal(results[0]?.contactId, results[3]?.contactId);
  // Created with everything that the batch said of it: one event.
  assert.deepEqual(await events(), ["contact.created"]);
  const rows = await api.app.db.query(
    sql`select system, value from contact_ref where workspace_id = ${workspaceId}`,
  );
  assert.deepEqual(rows, [{ system: "crm", value: "3" }]);
});

test("in a batch, an upsert of another shape is refused alone, with its faults", async () => {
  const { bearer, events } = await shop();
  const contacts = [
    { match: ["phone"], phone: 7, nickname: "S" },
    { match: ["phone"], phone: "201000000001" },
    { match: "phone", refs: "crm" },
    // What cannot be stored refuses its own contact alone too.
    { match: ["phone"], phone: "201000000002", name: "a\0" },
    { match: ["phone"], phone: "201000000003", attributes: { note: "\ud800" } },
  ];
  const answer = await api.call("POST", "/contacts/batch", { json: { contacts }, bearer });
  assert.equal(answer.status, 200, answer.text);
  const results = answer.body["results"] as {
    readonly outcome: string;
    readonly error?: { readonly message: string; readonly details: { path: string }[] };
  }[];
  assert.deepEqual(
    results.map(({ outcome, error }) => [
      outcome,
      error?.message,
      error?.details.map(({ path }) => path).toSorted(),
    ]),
    [
      ["refused", "VALIDATION_FAILED", ["nickname", "phone"]],
      ["created", undefined, undefined],
      ["refused", "VALIDATION_FAILED", ["match", "refs"]],
      ["refused", "VALIDATION_FAILED", ["name"]],
      ["refused", "VALIDATION_FAILED", ["attributes.note"]],
    ],
  );
  assert.deepEqual(await events(), ["contact.created"]);
});

test("a key's effect and its answer are one: a repeat changes nothing", async () => {
  const { ask, events } = await shop();
  const once = { "idempotency-key": "upsert-1" };
  const first = await ask(SARA, once);
  const again = await ask(SARA, once);
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers["idempotency-replayed"], "true");
  assert.deepEqual(await events(), ["contact.created"]);
  const other = { "idempotency-key": "upsert-2" };
  for (const _ of [1, 2])
    assert.equal(
      (await ask(SARA, other)).status,
      200,
      "it existed, also when the answer is given again",
    );
});

test("by its id a contact with neither phone nor e-mail gets a ref, and none is created", async () => {
  const { workspaceId, bearer, ask, upsert, conflict, events, contacts } = await shop();
  const id = api.app.ids.next();
  const row: NewContactRow = {
    workspaceId,
    id,
    name: "Sara",
    email: null,
    phone: null,
    notes: null,
    channelType: "TELEGRAM",
    externalId: "4711",
    tags: [],
    attributes: {},
    author: null,
    optedOutAt: null,
    lastSeenAt: null,
    createdAt: api.app.clock.now(),
  };
  await api.app.db.transaction((tx) => insertContacts(tx, [row]));
  const before = await events();
  const given = { match: ["id"], id, refs: { crm: "42" } };
  const first = await upsert(given);
  assert.deepEqual([first.outcome, first.contact.id], ["updated", id]);
  assert.deepEqual(first.contact.refs, { crm: "42" });
  assert.deepEqual((await events()).slice(before.length), ["contact.updated"]);
  assert.equal((await upsert(given)).outcome, "unchanged");
  // Either spelling of the key finds it.
  for (const key of ["ref.crm", "refs.crm"])
    assert.equal((await api.call("GET", `/contacts/by/${key}/42`, { bearer })).body["id"], id);

  for (const none of [api.app.ids.next(), "none"]) {
    const { status, body } = await ask({ match: ["id"], id: none, email: "new@example.com" });
    assert.deepEqual([status, body.message], [404, "NOT_FOUND"]);
  }
  const without = await ask({ match: ["id"], refs: { crm: "42" } });
  assert.deepEqual([without.status, without.body.details?.[0]?.path], [400, "match.0"]);
  const stranger = (await api.newWorkspace("business")).bearer;
  const elsewhere = await api.call("POST", "/contacts/upsert", { json: given, bearer: stranger });
  assert.equal(elsewhere.status, 404);

  const other = await upsert({ match: ["email"], email: "other@example.com" });
  const taken = await conflict({ match: ["id"], id: other.contact.id, refs: { crm: "42" } });
  assert.deepEqual(
    taken?.map((one) => one.path),
    ["id", "refs.crm"],
  );
  assert.equal(await contacts(), 2);
  // The id of a merged contact means the one that it became.
  await mergeContacts(OPERATOR, api.app, workspaceId, other.contact.id, id);
  assert.equal((await upsert({ ...given, name: "Sara H." })).contact.id, other.contact.id);
});
