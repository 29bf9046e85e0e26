import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Item {
  readonly id: string;
  readonly phone: string;
  readonly refs: Readonly<Record<string, string>>;
}

async function shop() {
  const { bearer } = await api.newWorkspace("business");
  const post = async (path: string, json: object) => {
    const answer = await api.call("POST", path, { json, bearer });
    assert.ok([200, 201].includes(answer.status), answer.text);
    return answer.body;
  };
  return {
    bearer,
    post,
    /** Contacts with the numbers `from` to `to`, each a second after the one before. */
    people: async (from: number, to: number) => {
      const made: string[] = [];
      for (let n = from; n <= to; n++) {
        api.clock.advance(1_000);
        const phone = `2010000000${String(n).padStart(2, "0")}`;
        const one = { match: ["phone"], phone, refs: { crm: String(n) }, tags: [`t${n % 2}`] };
        const { contact } = await post("/contacts/upsert", one);
        made.push((contact as Item).id);
      }
      return made;
    },
    page: async (json: object) =>
      (await post("/contacts/search", json)) as unknown as {
        readonly items: readonly Item[];
        readonly nextCursor: string | null;
      },
  };
}

test("a contact is found by phone, e-mail or another system's name; several are a conflict", async () => {
  const { bearer, people } = await shop();
  const [first = "", second = ""] = await people(1, 2);
  const by = (key: string, value: string) =>
    api.call("GET", `/contacts/by/${key}/${encodeURIComponent(value)}`, { bearer });
  const found = async (key: string, value: string) => (await by(key, value)).body["id"];
  assert.equal(await found("phone", "+20 100 000 0001"), first);
  assert.equal(await found("ref.crm", "2"), second);
  await api.call("PATCH", `/contacts/${first}`, { json: { email: "Sara@Example.com" }, bearer });
  assert.equal(await found("email", "sara@example.com"), first);
  assert.deepEqual((await by("ref.crm", "2")).body["refs"], { crm: "2" });
  for (const [key, value] of [
    ["ref.crm", "9"],
    ["ref.shop", "1"],
    ["phone", "1"],
    ["email", "x@example.com"],
  ] as const)
    assert.equal((await by(key, value)).status, 404, key);
  const local = await by("phone", "0100 000 0001");
  const words = "no contact has this phone: it begins with 0, so give it with its country code";
  assert.deepEqual([local.status, local.body.details], [404, [{ path: "", message: words }]]);
  for (const [key, value] of [
    ["name", "x"],
    ["phone", "x"],
  ] as const)
    assert.equal((await by(key, value)).status, 400, key);
  await api.call("POST", "/contacts", { json: { phone: "201000000002" }, bearer });
  const several = await by("phone", "201000000002");
  assert.deepEqual([several.status, several.body.message], [409, "CONTACT_CONFLICT"]);
  assert.equal(several.body.details?.length, 2);
});

test("a search reads every contact once while others are made, and again those that change", async () => {
  const { bearer, people, page } = await shop();
  const made = await people(1, 5);
  const first = await page({ limit: 2 });
  assert.deepEqual(
    first.items.map(({ id }) => id),
    made.slice(0, 2),
  );
  const [more = ""] = await people(6, 6);
  api.clock.advance(1_000);
  await api.call("PATCH", `/contacts/${made[0]}`, { json: { name: "Sara" }, bearer });
  const rest: string[] = [];
  for (let cursor = first.nextCursor; cursor !== null;) {
    const next = await page({ limit: 2, cursor });
    rest.push(...next.items.map(({ id }) => id));
    cursor = next.nextCursor;
  }
  assert.deepEqual(rest, [...made.slice(2), more, made[0]]);
});

test("a search in the order `newest` reads each contact once, the newest first", async () => {
  const { people, page } = await shop();
  const made = await people(1, 5);
  const read: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const next = await page({ sort: "newest", limit: 2, ...(cursor !== "" && { cursor }) });
    read.push(...next.items.map(({ id }) => id));
    cursor = next.nextCursor;
  }
  assert.deepEqual(read, made.toReversed());
});

test("search and count take the grammar of segments, and refuse a rule by its name", async () => {
  const { bearer, people, page, post } = await shop();
  const made = await people(1, 4);
  const definition = { match: "all", rules: [{ field: "tag", op: "eq", value: "t0" }] };
  assert.deepEqual(
    (await page({ definition })).items.map(({ id }) => id),
    [made[1], made[3]],
  );
  assert.deepEqual(await post("/contacts/count", { definition }), { count: 2, exact: true });
  assert.deepEqual(await post("/contacts/count", {}), { count: 4, exact: true });
  const wrong = { match: "all", rules: [{ field: "tag", op: "gt", value: "t0" }] };
  for (const path of ["/contacts/search", "/contacts/count"]) {
    const answer = await api.call("POST", path, { json: { definition: wrong }, bearer });
    assert.equal(answer.status, 400);
    assert.match(answer.text, /rules\[0\]/);
  }
  const lost = await api.call("POST", "/contacts/search", { json: { cursor: "x" }, bearer });
  assert.deepEqual(
    lost.body.details?.map(({ path: at }) => at),
    ["cursor"],
  );
});
