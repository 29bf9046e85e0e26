import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createIds } from "../../lib/ids.ts";
import type { Attributes, ContactInput } from "./contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { createContact, createContacts } from "./create-contact.ts";
import { deleteContact } from "./delete-contact.fixture.ts";
import { findContact } from "../identity/find-contact.ts";
import { listContacts } from "./list-contacts.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const id = () => t.app.ids.next();
const create = (workspaceId: string, contact: ContactInput) =>
  createContact(OPERATOR, t.app, workspaceId, contact);
const list = async (workspaceId: string, search?: string, page = 1, pageSize = 50) => {
  const found = await listContacts(t.app, workspaceId, { search, page, pageSize });
  return {
    total: found.total,
    items: JSON.parse(`[${found.documents.toString()}]`) as ContactJson[],
  };
};

test("the stored document, the list and the answer of the create are the same", async () => {
  const w = id();
  const made = await create(w, {
    name: ' Sara "S" \\ \u2028 سارة 🙂 ',
    email: "Sara@Example.com",
    phone: "+965 (5000) 00-01",
    notes: "a\nb",
    tags: ["VIP", "vip", ' "q", \\{} ', ""],
    attributes: JSON.parse('{"z":1e308,"a":{"b":[1,null,"x"]},"__proto__":1,"":""}') as Attributes,
  });
  assert.equal(made.phone, "96550000001");
  assert.deepEqual(made.tags, ["vip", '"q", \\{}']);
  assert.deepEqual(await list(w), { total: 1, items: [made] });
  assert.deepEqual(await findContact(t.app.db, w, made.id), made);
});

test("an empty workspace and a page past the end have the right total and no items", async () => {
  const w = id();
  assert.deepEqual(await list(w), { total: 0, items: [] });
  assert.deepEqual(await list(w, undefined, 5_000_000), { total: 0, items: [] });
  await create(w, { phone: "1" });
  for (const page of [2, 5_000, Number.MAX_SAFE_INTEGER]) {
    assert.deepEqual(await list(w, undefined, page), { total: 1, items: [] });
    assert.deepEqual(await list(w, "1", page), { total: 1, items: [] });
  }
});

test("search is a literal, case-insensitive substring of one field", async () => {
  const w = id();
  const names = [
    "Sara Ahmed",
    "100% sure",
    "under_score",
    "back\\slash",
    "ΣΟΦΌΣ",
    "İpek",
    "Jose\u0301",
    "أحمد",
    "محمد علي",
    "x",
  ];
  for (const name of names) await create(w, { name, email: "who@mail.example", phone: "55512345" });
  const found = async (term: string) =>
    (await list(w, term)).items.map((item) => item.name).reverse();
  assert.deepEqual(await found("sARA"), ["Sara Ahmed"]);
  assert.deepEqual(await found("0% S"), ["100% sure"]);
  assert.deepEqual(await found("%"), ["100% sure"]);
  assert.deepEqual(await found("r_s"), ["under_score"]);
  assert.deepEqual(await found("\\"), ["back\\slash"]);
  assert.deepEqual(await found("σοφόσ"), ["ΣΟΦΌΣ"]);
  for (const term of ["İP", "ipek", "IPEK", "i\u0307pek"])
    assert.deepEqual(await found(term), ["İpek"], term);
  // Composed on one side, decomposed on the other.
  assert.deepEqual(await found("JOSÉ"), ["Jose\u0301"]);
  assert.deepEqual(await found("ا\u0654حمد"), ["أحمد"]);
  assert.deepEqual(await found("مد عل"), ["محمد علي"]);
  assert.equal((await list(w, "WHO@MAIL")).total, names.length);
  assert.equal((await list(w, "5551")).total, names.length);
  assert.equal((await list(w, "x\u001fwho")).total, 0);
  assert.equal((await list(id(), "sara")).total, 0);
});

test("a phone is found as people write it, and not by text that only looks like it", async () => {
  const w = id();
  const people = [
    { name: "Kuwait", phone: "+965 5000 0001" },
    { name: "Within", phone: "1 965 5000 77" },
    { name: "Local 00965", phone: "50000001" },
    { name: "+965 5000 in a name", email: "a@example.com" },
    { name: "Mail", email: "9655000.0001@example.com" },
    { name: "Zeros", phone: "7700965" },
  ];
  for (const one of people) await create(w, one);
  const found = async (term: string) =>
    (await list(w, term)).items.map((item) => item.name).toReversed();
  const [kuwait, within, local, named, mail, zeros] = people.map((one) => one.name);
  const begins = ["+9655000", "00965 5000", "(+965) 5000-0", "\u200e+965\u00a05000", "00٩٦٥٥٠٠٠"];
  for (const term of begins) assert.deepEqual(await found(term), [kuwait], term);
  // Literal text is found as before.
  assert.deepEqual(await found("+965 5000"), [kuwait, named]);
  assert.deepEqual(await found("965 5000"), [kuwait, within, named]);
  for (const term of [" 9655000", "965-5000", "٩٦٥٥٠٠٠"])
    assert.deepEqual(await found(term), [kuwait, within], term);
  assert.deepEqual(await found("9655000"), [kuwait, within, mail]);
  // Arabic digits find in a phone what Western ones do, however few they are.
  assert.deepEqual(await found("٩٦٥"), [kuwait, within, zeros]);
  assert.deepEqual(await found("٧٧"), [within, zeros]);
  assert.deepEqual(await found("00965"), [local, zeros]);
  assert.deepEqual(await found("009655"), [kuwait]);
  assert.deepEqual(await found("+9"), [kuwait, named]);
  for (const term of ["+", "00", "++965", "965 x", "+965+5000", "7.7", "+965%", "965 5000 0001 0"])
    assert.deepEqual(
      await found(term),
      term === "+" ? [named] : term === "00" ? [kuwait, within, local, named, mail, zeros] : [],
      term,
    );
});

test("a search for a written phone has its exact total", async () => {
  const w = id();
  await t.app.db.transaction((tx) =>
    createContacts(
      t.app,
      tx,
      Array.from({ length: 900 }, (_, i) => ({
        actor: OPERATOR,
        workspaceId: w,
        contact: { name: `Person ${i}`, phone: `9655${1_000_000 + i}` },
      })),
    ),
  );
  assert.equal((await list(w, "+965 5100 05")).total, 100);
  assert.equal((await list(w, "5100-0899")).total, 1);
});

test("a term with thousands of matches has its exact total too", async () => {
  const w = id();
  for (let n = 0; n < 3; n++) {
    await t.app.db.transaction((tx) =>
      createContacts(
        t.app,
        tx,
        Array.from({ length: 900 }, (_, i) => ({
          actor: OPERATOR,
          workspaceId: w,
          contact: { name: `common ${n} ${i}`, phone: "1" },
        })),
      ),
    );
  }
  const { total, items } = await list(w, "common", 27, 100);
  assert.equal(total, 2_700);
  assert.equal(items.at(-1)?.name, "common 0 0");
  assert.equal((await list(w, "co")).total, 2_700);
});

test("one bad contact of a batch fails alone", async () => {
  const w = id();
  const outcomes = await Promise.allSettled([
    create(w, { phone: "1" }),
    create(w, { name: "nobody" }),
    create(w, { email: "no" }),
    create(w, { email: "a@b.co" }),
  ]);
  assert.deepEqual(
    outcomes.map((o) => (o.status === "fulfilled" ? "made" : (o.reason as { code: string }).code)),
    ["made", "CONTACT_NEEDS_IDENTITY", "VALIDATION_FAILED", "made"],
  );
  assert.equal((await list(w)).total, 2);
});

test("`keep` shares the transaction: when it throws, nothing is created", async () => {
  const w = id();
  const attempt = createContact(
    OPERATOR,
    t.app,
    w,
    { phone: "1" },
    { keep: () => Promise.reject(new Error("no")) },
  );
  await assert.rejects(attempt, /no/);
  assert.equal((await list(w)).total, 0);
});

// The model is a sorted array of ids. Two processes whose clocks differ by up to a minute make the ids, batches
// are large enough to close blocks, and deletions hit any place.
test("totals and every page equal a plain model after random creates and deletes", async () => {
  const batch = fc.record({
    kind: fc.constant("create" as const),
    count: fc.integer({ min: 1, max: 900 }),
    skew: fc.integer({ min: -60_000, max: 0 }),
  });
  const removal = fc.record({
    kind: fc.constant("delete" as const),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    count: fc.integer({ min: 1, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 2, arbitrary: batch }, removal), { minLength: 3, maxLength: 12 }),
      async (steps) => {
        const w = id();
        let model: string[] = [];
        for (const step of steps) {
          if (step.kind === "create") {
            const at = t.clock.now();
            t.clock.set(new Date(at.getTime() + step.skew));
            // its own generator, as another process would have
            const context = { ...t.app, ids: createIds(t.clock) };
            const items = Array.from({ length: step.count }, (_, n) => ({
              actor: OPERATOR,
              workspaceId: w,
              contact: { phone: `${n}1` },
            }));
            const made = await t.app.db.transaction((tx) => createContacts(context, tx, items));
            t.clock.set(new Date(at.getTime() + 1_000));
            model.push(...made.flatMap((one) => (one.ok ? [one.value.id] : [])));
            model.sort((a, b) => (a < b ? -1 : 1));
          } else {
            const at = Math.floor(step.from * model.length);
            const gone = model.slice(at, at + step.count);
            await Promise.all(gone.map((one) => deleteContact(t.app, w, one)));
            model = model.filter((one) => !gone.includes(one));
          }
        }
        const newest = model.toReversed();
        for (const pageSize of [7, 200]) {
          const last = Math.ceil(newest.length / pageSize);
          const pages = new Set([
            1,
            2,
            Math.ceil(last / 2),
            Math.ceil(1_050 / pageSize),
            last - 1,
            last,
            last + 1,
          ]);
          for (const page of [...pages].filter((n) => n > 0)) {
            const { total, items } = await list(w, undefined, page, pageSize);
            assert.equal(total, newest.length);
            assert.deepEqual(
              items.map((item) => item.id),
              newest.slice((page - 1) * pageSize, page * pageSize),
            );
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("creates from several connections at once keep the total exact", async () => {
  const w = id();
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      const items = Array.from({ length: 15 }, () => ({
        actor: OPERATOR,
        workspaceId: w,
        contact: { phone: "1" },
      }));
      await t.app.db.transaction((tx) => createContacts(t.app, tx, items));
    }),
  );
  assert.equal((await list(w)).total, 24 * 15);
});

test("pages far down, from either end, hold what the order has there", async () => {
  const w = id();
  const count = 20_500;
  await t.app.db.query(sql`
    insert into contact (workspace_id, id, name, search, created_at, updated_at)
    select ${w}::uuid, lpad(to_hex(i), 32, '0')::uuid, 'N' || i, 'n' || i, now(), now()
    from generate_series(1, ${count}::int) i`);
  await t.app.db.query(
    sql`insert into contact_total (workspace_id, total) values (${w}, ${count})`,
  );
  for (const pageSize of [50, 200])
    for (const offset of [10_000, 10_200, 10_400, 15_000, 20_400, 20_600, 30_000]) {
      const page = offset / pageSize + 1;
      const { total, items } = await list(w, undefined, page, pageSize);
      assert.equal(total, count);
      const left = Math.max(0, Math.min(pageSize, count - offset));
      assert.deepEqual(
        items.map(({ name }) => name),
        Array.from({ length: left }, (_, n) => `N${count - offset - n}`),
      );
    }
});
