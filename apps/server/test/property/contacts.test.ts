import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { openWorld, type World } from "./world.ts";
import { seed } from "../seed.ts";
import { runsOf } from "./runs.ts";

/** What is written comes back: by the answer, by the list and by the search. */
const runs = (count: number) => ({
  seed,
  numRuns: runsOf(count),
});
let world: World;
before(async () => (world = await openWorld()));
after(() => world[Symbol.asyncDispose]());

// Every code point but NUL; of JSON's numbers those that a double keeps.
const anyText = (maxLength: number) =>
  fc.string({ unit: "binary", maxLength }).map((one) => one.replaceAll("\0", "0"));
const anyJson = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }).map(withoutNul);
const contact = fc.record(
  {
    name: anyText(60),
    email: fc.emailAddress({ size: "small" }),
    notes: anyText(200),
    tags: fc.array(anyText(20), { maxLength: 6 }),
    attributes: fc.dictionary(
      anyText(12).filter((one) => one !== "__proto__"),
      anyJson,
      { maxKeys: 5, noNullPrototype: true },
    ),
  },
  { requiredKeys: ["email"] },
);

function withoutNul(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll("\\u0000", "0")) as unknown;
}

interface Contact {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
  readonly attributes: object;
}

test("every text comes back as it was sent, trimmed; attributes as they were; list and search agree", async (t) => {
  await fc.assert(
    fc.asyncProperty(contact, async (given) => {
      const made = await world.call({
        method: "POST",
        path: "/v1/contacts",
        payload: JSON.stringify(given),
      });
      assert.equal(made.status, 201, made.text);
      const kept = JSON.parse(made.text) as Contact;
      for (const key of ["name", "notes"] as const)
        assert.equal(kept[key] ?? "", (given[key] ?? "").trim(), key);
      assert.equal(kept.email, given.email);
      assert.deepEqual(kept.attributes, { ...given.attributes });
      assert.equal(new Set(kept.tags).size, kept.tags.length);
      for (const tag of kept.tags) assert.ok(tag !== "" && tag === tag.trim());
      const wanted = (given.tags ?? []).map((tag) => tag.trim().toLowerCase()).filter(Boolean);
      assert.deepEqual(kept.tags, [...new Set(wanted)]);
      const list = await world.call({ method: "GET", path: "/v1/contacts?pageSize=1" });
      assert.deepEqual((JSON.parse(list.text) as { items: Contact[] }).items, [kept]);
    }),
    runs(150),
  );
  t.diagnostic(`seed ${seed}`);
});

test("a search finds a contact by any piece of its name, e-mail or phone, and nothing else", async (t) => {
  const names = [
    "100% Cotton",
    "a_b",
    "back\\slash",
    "O'Neil",
    "ÅNGSTRÖM",
    "مُنى سعيد",
    "🙂🙃",
    "x%y_z",
    "Ελλάδα",
    "tab\there",
  ];
  const all: Contact[] = [];
  for (const [index, name] of names.entries()) {
    const payload = JSON.stringify({
      name,
      email: `Find.${index}_%@Example.org`,
      phone: `+20 155 000 ${1000 + index}`,
    });
    const { text, status } = await world.call({ method: "POST", path: "/v1/contacts", payload });
    assert.equal(status, 201, text);
    all.push(JSON.parse(text) as Contact);
  }
  const everybody = await list("");
  const phoneOf = (one: Contact) => (one as { phone?: string | null }).phone ?? "";
  const piece = fc
    .tuple(
      fc.constantFrom(...all),
      fc.constantFrom("name", "email", "phone"),
      fc.nat(40),
      fc.integer({ min: 1, max: 8 }),
      fc.boolean(),
    )
    .map(([one, field, from, length, upper]) => {
      const text =
        field === "name" ? (one.name ?? "") : field === "email" ? (one.email ?? "") : phoneOf(one);
      const letters = Array.from(text);
      const at = from % letters.length;
      const cut = letters.slice(at, at + length).join("");
      return upper ? cut.toUpperCase() : cut.toLowerCase();
    })
    .filter((one) => one.trim() === one && one !== "");
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(piece, fc.constantFrom("%", "_", "\\", "%_", "__", "nobody has this")),
      async (search) => {
        const fits = (text: string | null) =>
          (text ?? "").toLowerCase().includes(search.toLowerCase());
        const wanted = everybody.filter(
          (one) => fits(one.name) || fits(one.email) || fits(phoneOf(one)),
        );
        const found = await list(search);
        assert.deepEqual(
          found.map((one) => one.id),
          wanted.map((one) => one.id),
          JSON.stringify(search),
        );
      },
    ),
    runs(80),
  );
  t.diagnostic(`seed ${seed}`);
});

async function list(search: string): Promise<Contact[]> {
  const found: Contact[] = [];
  for (let page = 1; ; page++) {
    const path = `/v1/contacts?pageSize=200&page=${page}&search=${encodeURIComponent(search)}`;
    const { text } = await world.call({ method: "GET", path });
    const body = JSON.parse(text) as { total: number; items: Contact[] };
    found.push(...body.items);
    if (body.items.length < 200) {
      assert.equal(body.total, found.length, search);
      return found;
    }
  }
}
