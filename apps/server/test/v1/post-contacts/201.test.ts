import assert from "node:assert/strict";
import fc from "fast-check";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const post = async (json: unknown) =>
  api.call("POST", "/contacts", { json, bearer: await api.key() });

test("answers the whole contact", async () => {
  const answer = await post({
    name: " Sara ",
    email: "sara@example.com",
    phone: "+20 100 123-4567",
    notes: "n",
    tags: [" VIP ", "vip", ""],
    attributes: { city: "Cairo", list: [1, null] },
  });
  assert.equal(answer.status, 201);
  const { id, createdAt, ...rest } = answer.body;
  assert.match(String(id), /^[0-9a-f]{8}-/);
  assert.equal(createdAt, api.clock.now().toISOString());
  assert.deepEqual(rest, {
    name: "Sara",
    email: "sara@example.com",
    phone: "201001234567",
    notes: "n",
    channelType: null,
    externalId: null,
    tags: ["vip"],
    attributes: { city: "Cairo", list: [1, null] },
    optedOut: false,
    optedOutAt: null,
    lastSeenAt: null,
  });
});

test("one of email and phone is enough; an empty other counts as absent", async () => {
  for (const json of [
    { email: "a@b.co" },
    { phone: "123" },
    { email: "a@b.co", phone: "" },
    { email: " ", phone: "123" },
  ]) {
    const { status, body } = await post(json);
    assert.equal(status, 201);
    assert.equal([body["email"], body["phone"]].filter((one) => one === null).length, 1);
  }
});

test("members it does not know change nothing", async () => {
  const at = "2001-01-01T00:00:00.000Z";
  const answer = await post({
    email: "a@b.co",
    id: "x",
    workspaceId: "x",
    optedOut: true,
    optedOutAt: at,
    createdAt: at,
    lastSeenAt: at,
    status: "x",
    channelType: "WEB",
    externalId: "x",
  });
  assert.equal(answer.status, 201);
  const { id, optedOut, optedOutAt, createdAt, lastSeenAt, channelType, externalId } = answer.body;
  assert.notEqual(id, "x");
  assert.notEqual(createdAt, at);
  assert.deepEqual(
    [optedOut, optedOutAt, lastSeenAt, channelType, externalId],
    [false, null, null, null, null],
  );
});

test("every text comes back as it was sent", async () => {
  // Trimmed is the rule for name; inside, nothing changes.
  const inner = fc.string({ unit: "binary", maxLength: 40 }).filter((text) => !text.includes("\0"));
  await fc.assert(
    fc.asyncProperty(
      inner,
      fc.dictionary(inner, inner, { maxKeys: 3 }),
      async (text, attributes) => {
        const answer = await post({ email: "a@b.co", notes: `x${text}x`, attributes });
        assert.equal(answer.status, 201);
        assert.equal(answer.body["notes"], `x${text}x`);
        assert.deepEqual({ ...(answer.body["attributes"] as object) }, { ...attributes });
      },
    ),
    { numRuns: 60 },
  );
});

test("the same contact twice is two contacts", async () => {
  const [a, b] = [await post({ email: "same@b.co" }), await post({ email: "same@b.co" })];
  assert.notEqual(a.body["id"], b.body["id"]);
});
