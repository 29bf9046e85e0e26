import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR, type MemberRole } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { runBulkBatch } from "../../segments/run-bulk-jobs.ts";
import { createSegment } from "../../segments/create-segment.ts";
import type { ErasureProgressJson } from "../../wire/erasure.ts";
import type { ContactFull, ContactLine, PersonJson } from "./contract/contacts.ts";
import type { ContactRecordJson } from "../../wire/contact-record.ts";
import type { ContactJobJson } from "../../wire/contact-job.ts";
import { openBrowsers, type Browsers, type HttpMethod } from "./people.fixture.ts";

let m: Messaging;
let browsers: Browsers;
before(async () => {
  m = await startMessaging();
  browsers = await openBrowsers(m.t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await m[Symbol.asyncDispose]();
});

/** A member of the desk's workspace, signed in: calls the dashboard's API over HTTP. */
async function signedIn(desk: Desk, role: MemberRole) {
  const { id, ask, send } = await browsers.signIn(desk.workspaceId, role);
  /** Makes a contact; gives its id. */
  const made = async (contact: object) =>
    (await ask<ContactFull>("POST", "/contacts", contact)).json.id;
  const page = async (query: string) =>
    (
      await ask<{ items: ContactLine[]; more: boolean; total: number | null }>(
        "GET",
        `/contacts?${query}`,
      )
    ).json;
  const names = async (query: string) => (await page(query)).items.map(({ name }) => name);
  return { id, ask, send, made, page, names };
}

const rules = (...list: object[]) =>
  `definition=${encodeURIComponent(JSON.stringify({ match: "all", rules: list }))}`;

test("contacts are listed, sorted, searched by numbers as people write them, filtered by rules and segments, and counted", async () => {
  const desk = await Desk.open(m);
  const sara = await signedIn(desk, "agent");
  await sara.made({ name: "Omar", phone: "+965 5000 0001", tags: ["VIP"] });
  await sara.made({ name: "أحمد", phone: "96550000002", attributes: { city: "Kuwait" } });
  await sara.made({ email: "nobody@example.com" });
  await sara.made({ name: "Amal", email: "amal@example.com", tags: ["vip", "new"] });
  const all = await sara.page("");
  assert.deepEqual([all.total, all.more], [4, false]);
  assert.deepEqual(await sara.names(""), ["Amal", null, "أحمد", "Omar"]);
  assert.deepEqual(await sara.names("sort=oldest"), ["Omar", "أحمد", null, "Amal"]);
  assert.deepEqual(await sara.names("sort=name"), ["Amal", "Omar", "أحمد", null]);
  assert.deepEqual(await sara.names("sort=name-desc"), ["أحمد", "Omar", "Amal", null]);
  const second = await sara.page("pageSize=3&page=2");
  assert.deepEqual([second.items.map(({ name }) => name), second.more], [["Omar"], false]);
  const found = async (text: string) => sara.names(`search=${encodeURIComponent(text)}`);
  assert.deepEqual(await found("OMA"), ["Omar"]);
  assert.deepEqual(await found("+965 5000"), ["أحمد", "Omar"]);
  assert.deepEqual(await found("5000-0002"), ["أحمد"]);
  assert.deepEqual(await found("٥٠٠٠ ٠٠٠٢"), ["أحمد"]);
  assert.deepEqual(await found("amal@"), ["Amal"]);
  assert.deepEqual(await found("50%"), []);
  const vip = { field: "tag", op: "eq", value: "vip" };
  assert.deepEqual(await sara.names(rules(vip)), ["Amal", "Omar"]);
  // The list came with its total, so that nobody need count it.
  assert.equal((await sara.page(rules(vip))).total, 2);
  assert.deepEqual(await sara.names(`${rules(vip)}&search=omar`), ["Omar"]);
  const city = { field: "attribute.city", op: "eq", value: "Kuwait" };
  assert.deepEqual(await sara.names(rules(city)), ["أحمد"]);
  const definition = { match: "any" as const, rules: [vip, city] };
  const { id } = await createSegment(OPERATOR, m.t.app, desk.workspaceId, {
    name: "S",
    definition,
  });
  assert.deepEqual(await sara.names(`segment=${id}&sort=name`), ["Amal", "Omar", "أحمد"]);
  const counted = (query: string) => sara.ask<object>("GET", `/contacts/count?${query}`);
  assert.deepEqual((await counted("")).json, { count: 4, exact: true });
  assert.deepEqual((await counted(`segment=${id}`)).json, { count: 3, exact: true });
  assert.deepEqual((await counted(`exact=1&search=example`)).json, { count: 2, exact: true });
  // What is saved of a filtered list means the same contacts, its search and its segment included.
  const filter = `${rules(vip)}&segment=${id}&search=omar`;
  const kept = await sara.ask<{ definition: object }>("GET", `/contacts/filter?${filter}`);
  assert.deepEqual(
    await sara.names(`definition=${encodeURIComponent(JSON.stringify(kept.json.definition))}`),
    ["Omar"],
  );
  assert.deepEqual((await sara.ask("GET", "/contacts/filter")).json, { definition: null });
  for (const wrong of [
    "definition=x",
    rules({ field: "shoe", op: "eq", value: 1 }),
    "page=900&sort=name",
  ])
    assert.equal((await sara.ask("GET", `/contacts?${wrong}`)).status, 400, wrong);
});

test("one person: details, identities, timeline and consent, also by the id of a merged contact", async () => {
  const desk = await Desk.open(m);
  const [sara, boss] = [await signedIn(desk, "agent"), await signedIn(desk, "admin")];
  const conversation = await desk.hears("201000000001", "Where is my order?");
  const [line] = (await sara.page("")).items;
  const id = line?.id ?? "";
  const other = await sara.made({
    name: "Mona",
    email: "m@example.com",
    phone: "201000000001",
    notes: "calls late",
  });
  const person = async () => (await sara.ask<PersonJson>("GET", `/contacts/${id}`)).json;
  assert.deepEqual(
    (await person()).alike.map((one) => one.id),
    [other],
  );
  assert.deepEqual(
    (await person()).conversations.map((one) => [one.id, one.inInbox, one.preview]),
    [[conversation, true, "Where is my order?"]],
  );
  assert.equal((await sara.ask("PUT", `/contacts/${id}/consent`, { optedOut: true })).status, 200);
  assert.equal((await sara.ask("PUT", `/contacts/${id}/consent`, { optedOut: false })).status, 403);
  const back = await boss.ask<ContactFull>("PUT", `/contacts/${id}/consent`, { optedOut: false });
  assert.equal(back.json.optedOut, false);
  const ledger = await sara.ask<{ items: { optedOut: boolean; source: string; detail: string }[] }>(
    "GET",
    `/contacts/${id}/consent`,
  );
  assert.deepEqual(
    ledger.json.items.map(({ optedOut, source, detail }) => [optedOut, source, detail]),
    [
      [false, "dashboard", boss.id],
      [true, "dashboard", sara.id],
    ],
  );
  const edit = { notes: "VIP since May", tags: ["vip"], name: "Mona Ali" };
  assert.equal((await sara.ask("PATCH", `/contacts/${id}`, edit)).status, 200);
  const preview = await boss.ask<{ result: ContactFull }>(
    "GET",
    `/contacts/${id}/merge-preview?mergedId=${other}`,
  );
  assert.deepEqual(
    [preview.json.result.name, preview.json.result.email, preview.json.result.notes],
    ["Mona Ali", "m@example.com", "VIP since May\ncalls late"],
  );
  assert.equal((await sara.ask("POST", `/contacts/${id}/merge`, { mergedId: other })).status, 403);
  const joined = await boss.ask<ContactRecordJson>("POST", `/contacts/${id}/merge`, {
    mergedId: other,
  });
  const { refs, updatedAt: _, ...told } = joined.json;
  const { tags, attributes } = told;
  assert.deepEqual([told, refs], [{ ...preview.json.result, tags, attributes }, {}]);
  const now = await sara.ask<PersonJson>("GET", `/contacts/${other}`);
  assert.deepEqual([now.json.contact.id, now.json.merged.map((one) => one.id)], [id, [other]]);
  const kinds: string[] = [];
  for (let after: string | null = ""; after !== null;) {
    const query: string = after === "" ? "" : `&cursor=${encodeURIComponent(after)}`;
    const part = await sara.ask<{ items: { kind: string }[]; nextCursor: string | null }>(
      "GET",
      `/contacts/${id}/timeline?limit=4${query}`,
    );
    kinds.push(...part.json.items.map(({ kind }) => kind));
    after = part.json.nextCursor;
  }
  for (const kind of [
    "message",
    "conversation_opened",
    "opted_out",
    "opted_in",
    "merged",
    "changed",
  ])
    assert.ok(kinds.includes(kind), `${kind} in ${kinds.join()}`);
});

test("the newest hundred changes of consent are shown, one for each change of a number that several contacts have", async () => {
  const desk = await Desk.open(m);
  const sara = await signedIn(desk, "agent");
  const id = await sara.made({ name: "Mona", phone: "201000000007" });
  const mate = await sara.made({ name: "Mona again", phone: "201000000007" });
  type Ledger = { more: boolean; items: { at: string; detail: string }[] };
  const ledger = async () => (await sara.ask<Ledger>("GET", `/contacts/${id}/consent`)).json;
  /** One second after another, each for both contacts. */
  const change = (from: number, to: number) =>
    m.t.app.db.query(sql`
      insert into consent_entry (workspace_id, id, contact_id, phone, opted_out, source, detail, created_at)
      select ${desk.workspaceId}, lpad(to_hex(2 * i + n), 32, '0')::uuid, who, '201000000007', i % 2 = 0, 'import', i::text,
        timestamptz '2026-01-01' + i * interval '1 second'
      from generate_series(${from}::int, ${to}::int) i,
        unnest(array[${id}, ${mate}]::uuid[]) with ordinality as p (who, n)`);
  const details = (items: Ledger["items"]) => items.map(({ detail }) => Number(detail));
  const newest = (last: number) => Array.from({ length: 100 }, (_, n) => last - n);
  await change(1, 100);
  const whole = await ledger();
  assert.deepEqual([whole.more, details(whole.items)], [false, newest(100)]);
  await change(101, 101);
  const longer = await ledger();
  assert.deepEqual([longer.more, details(longer.items)], [true, newest(101)]);
  await change(102, 400);
  const longest = await ledger();
  assert.deepEqual([longest.more, details(longest.items)], [true, newest(400)]);
});

test("all that match are tagged in the background, with progress; refusals are reported; a paused job is cancelled", async () => {
  const desk = await Desk.open(m);
  const [sara, boss] = [await signedIn(desk, "agent"), await signedIn(desk, "owner")];
  for (let n = 0; n < 5; n++)
    await sara.made({ name: `Buyer ${n}`, phone: `9655000000${n}`, tags: n < 2 ? ["old"] : [] });
  await sara.made({ name: "Stranger", phone: "4912345678" });
  const start = (body: object) => boss.ask<ContactJobJson>("POST", "/contacts/jobs", body);
  const change = { action: "tag", tags: ["Old"] };
  assert.equal((await sara.ask("POST", "/contacts/jobs", { filter: {}, change })).status, 403);
  assert.equal((await start({ change })).status, 400);
  const job = await start({ filter: { search: "buyer" }, change });
  assert.deepEqual(
    [job.status, job.json.state, job.json.by],
    [201, "running", `member:${boss.id}`],
  );
  const listed = async () =>
    (await boss.ask<{ items: ContactJobJson[] }>("GET", "/contact-jobs")).json.items;
  assert.deepEqual(
    (await listed()).map(({ id, total }) => [id, total]),
    [[job.json.id, 6]],
  );
  const finish = async (id: string) => {
    while (await runBulkBatch(m.t.app, id));
  };
  await finish(job.json.id);
  const told = async (of: typeof boss) =>
    (await of.ask<{ items: { facts: object; ref: string }[] }>("GET", "/notices")).json.items.map(
      ({ facts, ref }) => [facts, ref],
    );
  const sums = { outcome: "done", action: "tag", matched: 5, changed: 3 };
  assert.deepEqual([await told(boss), await told(sara)], [[[sums, "/contacts"]], []]);
  const [done] = await listed();
  assert.deepEqual([done?.state, done?.matched, done?.changed, done?.total], ["done", 5, 3, null]);
  assert.equal((await sara.page(rules({ field: "tag", op: "eq", value: "old" }))).items.length, 5);

  const everybody = await start({
    filter: {},
    change: { action: "opt_out", reason: "asked by phone" },
  });
  const moved = (move: string) =>
    boss.ask<ContactJobJson>("POST", `/contact-jobs/${everybody.json.id}/moves`, { move });
  assert.equal((await moved("pause")).json.state, "paused");
  assert.equal((await moved("resume")).json.state, "running");
  await finish(everybody.json.id);
  assert.equal((await moved("cancel")).status, 409);
  const out = await sara.page(rules({ field: "optedOut", op: "eq", value: true }));
  assert.equal(out.items.length, 6);
  assert.equal((await start({ filter: {}, change: { action: "opt_in" } })).status, 400);

  const [one] = out.items;
  const gone = await start({ ids: [one?.id ?? ""], change: { action: "delete" } });
  await finish(gone.json.id);
  assert.equal((await sara.ask("GET", `/contacts/${one?.id}`)).status, 404);
});

test("an export holds what the filter names, for admins only; a person is erased after their name was typed", async () => {
  const desk = await Desk.open(m);
  const [sara, boss] = [await signedIn(desk, "agent"), await signedIn(desk, "admin")];
  const id = await sara.made({ name: "سارة", phone: "96550000001", tags: ["vip"] });
  await sara.made({ name: "Omar", phone: "96550000002" });
  assert.equal((await sara.send("GET", "/contacts/export")).statusCode, 403);
  const vip = rules({ field: "tag", op: "eq", value: "vip" });
  const file = await boss.send("GET", `/contacts/export?${vip}`);
  assert.match(String(file.headers["content-disposition"]), /^attachment; filename="contacts-/);
  const lines = file.body.split("\r\n");
  assert.deepEqual([lines.length, lines[0]?.startsWith("\ufeffid,name")], [3, true]);
  assert.match(lines[1] ?? "", /سارة/);
  assert.equal((await boss.send("GET", "/contacts/export")).body.split("\r\n").length, 4);

  assert.equal((await sara.send("GET", `/contacts/${id}/export`)).statusCode, 403);
  const person = await boss.send("GET", `/contacts/${id}/export`);
  assert.match(String(person.headers["content-disposition"]), /filename="person.json"/);
  assert.deepEqual(
    [person.json().contactId, person.json().contact.name, person.json().conversations],
    [id, "سارة", []],
  );
  const stranger = await signedIn(await Desk.open(m), "owner");
  assert.equal((await stranger.send("GET", `/contacts/${id}/export`)).statusCode, 404);

  const erase = (who: typeof boss, confirm: string) =>
    who.ask<ErasureProgressJson>("POST", `/contacts/${id}/erase`, { confirm });
  assert.equal((await erase(sara, "سارة")).status, 403);
  assert.equal((await erase(boss, "Omar")).status, 400);
  const erasure = await erase(boss, " سارة ");
  assert.equal(erasure.status, 200);
  assert.equal((await sara.ask("GET", `/contacts/${id}`)).status, 404);
  await m.t.app.drain();
  const over = await boss.ask<ErasureProgressJson>("GET", `/erasures/${erasure.json.id}`);
  assert.equal(over.json.state, "done");
});

test("duplicates are listed by what they share; admins define attributes and everybody reads them", async () => {
  const desk = await Desk.open(m);
  const [sara, boss] = [await signedIn(desk, "agent"), await signedIn(desk, "admin")];
  const first = await sara.made({ name: "A", phone: "96550000001", email: "X@example.com" });
  const second = await sara.made({ name: "B", phone: "96550000001" });
  const third = await sara.made({ name: "C", phone: "96550000003", email: "x@example.com" });
  const pairs = async (by: string) => {
    const answer = await sara.ask<{ items: { address: string; contacts: ContactLine[] }[] }>(
      "GET",
      `/contacts/duplicates?by=${by}`,
    );
    return answer.json.items.map((group) => group.contacts.map((one) => one.id));
  };
  assert.deepEqual(await pairs("phone"), [[first, second]]);
  assert.deepEqual(await pairs("email"), [[first, third]]);
  assert.deepEqual(await pairs("externalId"), []);

  const size = { type: "choice", choices: ["41", "42"] };
  const at = "/contact-attributes/Shoe%20size";
  assert.equal((await sara.ask("PUT", at, size)).status, 403);
  assert.equal((await boss.ask("PUT", at, size)).status, 200);
  assert.deepEqual((await sara.ask("GET", "/contact-attributes")).json, {
    attributes: [{ key: "Shoe size", ...size, label: "Shoe size", defined: true }],
  });
  assert.equal((await boss.ask("DELETE", at)).status, 200);
  assert.equal((await boss.ask("DELETE", at)).status, 404);
});

test("the templates that may begin a conversation are those of the channel", async () => {
  const desk = await Desk.open(m);
  const sara = await signedIn(desk, "agent");
  const id = await sara.made({ name: "A", phone: "96550000001" });
  const path = `/contacts/${id}/templates?channelId=${desk.account.channelId}`;
  assert.deepEqual((await sara.ask("GET", path)).json, { templates: [] });
  const elsewhere = await signedIn(await Desk.open(m), "owner");
  const asked: [HttpMethod, string, object?][] = [
    ["GET", `/contacts/${id}`],
    ["GET", `/contacts/${id}/timeline`],
    ["GET", `/contacts/${id}/consent`],
    ["PUT", `/contacts/${id}/consent`, { optedOut: true }],
    ["GET", `/contacts/${id}/merge-preview?mergedId=${m.t.app.ids.next()}`],
    ["POST", `/contacts/${id}/merge`, { mergedId: m.t.app.ids.next() }],
    ["POST", `/contacts/${id}/erase`, { confirm: "A" }],
    ["GET", path],
    ["PATCH", `/contacts/${id}`, { name: "x" }],
  ];
  for (const [method, where, body] of asked)
    assert.equal((await elsewhere.ask(method, where, body)).status, 404, `${method} ${where}`);
});

test("an attribute that a program wrote without defining it is offered like a defined one: to lists, texts of campaigns and breakdowns", async () => {
  const desk = await Desk.open(m);
  const admin = await signedIn(desk, "admin");
  await admin.made({
    name: "Omar",
    phone: "96550000001",
    attributes: { loyalty: 7, city: "Kuwait" },
  });
  const defined = await admin.ask("PUT", "/contact-attributes/city", { type: "text" });
  assert.equal(defined.status, 200);
  const { json } = await admin.ask<{ attributes: object[] }>("GET", "/contact-attributes");
  assert.deepEqual(json.attributes, [
    { key: "city", label: "city", type: "text", choices: [], defined: true },
    { key: "loyalty", label: "loyalty", type: "number", choices: [], defined: false },
  ]);
  const choices = await admin.ask<{ attributes: string[] }>("GET", "/campaign-choices");
  assert.deepEqual(choices.json.attributes, ["city", "loyalty"]);
});
