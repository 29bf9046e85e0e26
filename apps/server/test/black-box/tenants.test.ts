import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openWorld, type Tenant, type World } from "../property/world.ts";

let world: World;
before(async () => (world = await openWorld()));
after(() => world[Symbol.asyncDispose]());

/** Every place of the API where an id can stand. */
const POSITIONS: readonly {
  readonly name: string;
  readonly call: (id: string) => { path: string; method: string; payload?: string };
}[] = [
  {
    name: "the conversation of a reply",
    call: (id) => ({
      method: "POST",
      path: "/v1/messages",
      payload: JSON.stringify({ conversationId: id, text: "Hi" }),
    }),
  },
  {
    name: "the campaign of a start",
    call: (id) => ({ method: "POST", path: `/v1/broadcasts/${id}/start` }),
  },
];

test("a foreign id answers byte for byte as one that nobody has", async () => {
  const { a, b, t } = world;
  const before = await world.hash(b.workspaceId);
  for (const { name, call } of POSITIONS) {
    const unknown = await world.call(call(t.app.ids.next()));
    const foreign = Object.entries(b).filter(([key]) => key !== "bearer");
    // An id of the caller's own of another kind is unknown here too.
    const own = (["workspaceId", "contactId", "templateId"] as const).map(
      (key) => [key, a[key]] as const,
    );
    for (const [key, id] of [...foreign, ...own]) {
      const answer = await world.call(call(id));
      assert.deepEqual(
        [answer.status, answer.text],
        [unknown.status, unknown.text],
        `${name}: ${key}`,
      );
      assert.deepEqual(
        headerNames(answer.headers),
        headerNames(unknown.headers),
        `${name}: ${key}`,
      );
    }
  }
  assert.equal(await world.hash(b.workspaceId), before);
});

const headerNames = (headers: object) => Object.keys(headers).sort();

test("every list shows each workspace its own and nothing of the other", async () => {
  const { a, b, canary } = world;
  const all = (tenant: Tenant) => Object.entries(tenant).filter(([key]) => key !== "bearer");
  for (const path of [
    "contacts",
    "contacts?search=canary",
    `contacts?search=${canary}`,
    "segments",
    "templates",
    "broadcasts",
    "usage",
  ]) {
    const toA = await world.call({ method: "GET", path: `/v1/${path}` });
    const toB = await world.call({ method: "GET", path: `/v1/${path}`, bearer: b.bearer });
    assert.deepEqual([toA.status, toB.status], [200, 200]);
    // Usage names the workspace's channels by their names.
    assert.ok(toB.text.includes(canary), `${path} shows B its own`);
    assert.ok(!toA.text.includes(canary), `${path} shows A what is B's`);
    for (const [key, id] of all(b)) assert.ok(!toA.text.includes(id), `${path}: ${key}`);
    for (const [key, id] of all(a)) assert.ok(!toB.text.includes(id), `${path}: ${key}`);
  }
});

test("an Idempotency-Key of one workspace says nothing to the other", async () => {
  const headers = { "idempotency-key": "shared" };
  const payload = JSON.stringify({ email: "same@example.com" });
  const answers = [];
  for (const { bearer } of [world.a, world.b])
    answers.push(
      await world.call({ method: "POST", path: "/v1/contacts", payload, headers, bearer }),
    );
  assert.deepEqual(
    answers.map((one) => [one.status, one.headers["idempotency-replayed"]]),
    [
      [201, undefined],
      [201, undefined],
    ],
  );
});
