import assert from "node:assert/strict";
import fc from "fast-check";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { connectWhatsApp, openConversation } from "../fixtures.ts";
import { ROUTES } from "./routes.ts";

/** Every answer is held against the document by `api.call`; what is asked here is that none is a 5xx. */
let api: Api;
let conversationId: string;
before(async () => {
  api = await startApi();
  conversationId = await openConversation(api, { channelId: await connectWhatsApp(api) });
});
after(() => api[Symbol.asyncDispose]());

// A key for every hundred calls: the rate is not what is tried here.
let bearer = { value: "", left: 0 };
async function nextKey(): Promise<string> {
  if (bearer.left-- <= 0) bearer = { value: await api.key(), left: 100 };
  return bearer.value;
}

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "\0",
    "\ud800",
    "a\udc00b",
    "__proto__",
    "constructor",
    "' or 1=1 --",
    "%",
    "_",
    "\\",
    "{{name}}",
    "\u202e",
    "9".repeat(400),
  ),
);
const value = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, [null], { __proto__: null, a: 1 }),
);
const NAMES = [
  "name",
  "email",
  "phone",
  "notes",
  "tags",
  "attributes",
  "conversationId",
  "text",
  "mobile",
  "message",
  "lang",
  "id",
  "workspaceId",
  "__proto__",
  "constructor",
];
const member = fc.tuple(
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: nasty }),
  value,
);
/** JSON text, members named twice included. */
const bodyText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(member, { maxLength: 6 })
      .map(
        (members) =>
          `{${members.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`).join(",")}}`,
      ),
  },
  { weight: 1, arbitrary: value.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat({ max: 20_000 }).map((levels) => "[".repeat(levels)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"attributes":{"n":1e999}}',
      '{"email":"a@b.co","attributes":{"n":123456789012345678901234567890}}',
      '{"email":"a@b.co","email":"c@d.co"}',
    ),
  },
);
const writes = ROUTES.filter((route) => route.method !== "GET");

test("whatever the body, no answer is a 5xx or outside the document", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...writes), bodyText, async ({ method, path }, raw) => {
      const { status } = await api.call(method, path, {
        raw,
        bearer: await nextKey(),
        headers: { "content-type": "application/json" },
      });
      assert.ok(status < 500);
    }),
    { numRuns: 600 },
  );
});

test("what is fine by the schema is taken, or refused by a rule with a name", async () => {
  const text = (maxLength: number, minLength = 0) =>
    fc.string({ unit: "grapheme", minLength, maxLength });
  const contact = fc.record(
    {
      name: text(200),
      email: fc.oneof(fc.emailAddress(), text(200)),
      phone: fc.oneof(fc.stringMatching(/^\+?[0-9]{1,39}$/), text(40)),
      notes: text(5000),
      tags: fc.array(text(50)),
      attributes: fc.dictionary(text(20), fc.jsonValue({ maxDepth: 3 })),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(contact, async (json) => {
      const { status } = await api.call("POST", "/contacts", { json, bearer: await nextKey() });
      assert.ok([201, 400].includes(status));
    }),
    { numRuns: 200 },
  );
  await fc.assert(
    fc.asyncProperty(text(4096, 1), async (reply) => {
      const answer = await api.call("POST", "/messages", {
        json: { conversationId, text: reply },
        bearer: await nextKey(),
      });
      assert.ok([201, 400, 402].includes(answer.status), answer.text);
    }),
    { numRuns: 100 },
  );
});

test("whatever stands in an address, no answer is a 5xx", async () => {
  for (const { method, path, template = path, json } of ROUTES) {
    if (!/\{|none/.test(template)) continue;
    for (const odd of ["%00", "a%00b", "..%2f", "%F0%9F%92%A9", "x".repeat(300), "-1"]) {
      const address = template.replaceAll(/\{\w+\}|none/g, odd);
      const options = { bearer: await nextKey(), ...(json !== undefined && { json }) };
      const { status } = await api.call(method, address, options);
      assert.ok(status < 500, `${method} ${address}: ${status}`);
    }
  }
  const long = { title: "T", lang: "en", text: "Two days." };
  const refused = await api.call("PUT", `/knowledge/${"x".repeat(201)}`, { json: long });
  assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, "externalId"]);
});

const reads = ROUTES.filter(
  ({ method, path, template = path }) => method === "GET" && !/none|\{/.test(template),
).map((route) => route.path);

test("whatever the query string, no answer is a 5xx or outside the document", async () => {
  const piece = fc.tuple(
    fc.constantFrom("search", "page", "pageSize", "after", "limit", "cursor", "types", "%00", "x"),
    fc.oneof(
      fc.constantFrom(
        "1",
        "0",
        "-1",
        "1e9",
        "1e999",
        "Infinity",
        "%ff",
        "%",
        "%ed%a0%80",
        "%00",
        "",
      ),
      fc.integer().map(String),
      fc.double().map(String),
      fc.string({ unit: "grapheme" }).map(encodeURIComponent),
    ),
  );
  const query = fc
    .array(piece, { maxLength: 4 })
    .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...reads), query, async (path, search) => {
      const { status } = await api.call("GET", `${path}?${search}`, { bearer: await nextKey() });
      const named = search.split("&").some((pair) => pair !== "");
      assert.ok(status === 200 || (status === 400 && named), `${path}?${search}: ${status}`);
    }),
    { numRuns: 300 },
  );
});

test("whatever the id and the key, a start is found or not", async () => {
  await fc.assert(
    fc.asyncProperty(nasty, fc.string({ minLength: 1, maxLength: 300 }), async (id, key) => {
      fc.pre(id.isWellFormed() && id !== "" && id !== "." && id !== "..");
      const answer = await api.call("POST", `/broadcasts/${encodeURIComponent(id)}/start`, {
        bearer: await nextKey(),
        headers: { "idempotency-key": key.trim() || "k" },
      });
      assert.ok([404, 400, 422].includes(answer.status), answer.text);
    }),
    { numRuns: 200 },
  );
});
