import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi({ config: {} })));
after(() => api[Symbol.asyncDispose]());
// A key for each call: a hundred refusals are more than one key may ask for in a minute.
const post = async (json: unknown) =>
  api.call("POST", "/contacts", { json, bearer: await api.key() });
const raw = async (body: string | Buffer, type = "application/json") =>
  api.call("POST", "/contacts", {
    raw: body,
    bearer: await api.key(),
    headers: { "content-type": type },
  });

test("neither email nor phone is CONTACT_NEEDS_IDENTITY", async () => {
  for (const body of [
    {},
    { name: "Sara" },
    { email: "" },
    { phone: " " },
    { email: " ", phone: "" },
  ]) {
    const { status, body: answer } = await post(body);
    assert.deepEqual(
      [status, answer.message],
      [400, "CONTACT_NEEDS_IDENTITY"],
      JSON.stringify(body),
    );
  }
});

test("each bound holds at its limit and not one past it", async () => {
  const email = (host: string) => `${"e".repeat(188)}@example.${host}`;
  const fits = {
    name: "n".repeat(200),
    email: email("com"),
    phone: "1".repeat(40),
    notes: "n".repeat(5000),
  };
  assert.equal(fits.email.length, 200);
  assert.equal((await post(fits)).status, 201);
  for (const [field, value] of Object.entries(fits)) {
    const longer = field === "email" ? email("coms") : `${value}1`;
    const answer = await post({ email: "a@b.co", [field]: longer });
    assert.deepEqual([answer.status, answer.body.message], [400, "VALIDATION_FAILED"], field);
    assert.deepEqual(
      answer.body.details?.map((one) => one.path),
      [field],
    );
  }
});

test("a number in attributes that would lose digits is refused by its path; one in a member that nobody knows is not", async () => {
  const { status, body } = await raw(
    '{"email":"a@b.co","attributes":{"crm":9007199254740993,"in":{"all":[1,0.1234567890123456789]},"as":"9007199254740993"}}',
  );
  assert.deepEqual([status, body.message], [400, "VALIDATION_FAILED"]);
  assert.deepEqual(body.details, [
    {
      path: "attributes.crm",
      message: "has more digits than a number keeps; give it as text, in quotes",
    },
    {
      path: "attributes.in.all.1",
      message: "has more digits than a number keeps; give it as text, in quotes",
    },
  ]);
  const kept = await raw(
    '{"email":"a@b.co","crm":9007199254740993,"attributes":{"max":9007199254740991,"php":0.10000000000000001,"x":1e21}}',
  );
  assert.equal(kept.status, 201);
  assert.deepEqual(kept.body["attributes"], { max: 9007199254740991, php: 0.1, x: 1e21 });
});

test("a tag has 200 characters at most; one that no index could hold is refused, not a fault of ours", async () => {
  assert.equal((await post({ email: "a@b.co", tags: ["🙂".repeat(200)] })).status, 201);
  const long = Array.from({ length: 900 }, (_, n) => n.toString(36)).join("-");
  for (const tag of ["t".repeat(201), long]) {
    const { status, body } = await post({ email: "a@b.co", tags: ["vip", tag] });
    assert.deepEqual([status, body.message], [400, "VALIDATION_FAILED"]);
    assert.deepEqual(
      body.details?.map((one) => one.path),
      ["tags.1"],
    );
  }
});

test("a bound counts characters, not UTF-16 units", async () => {
  assert.equal((await post({ email: "a@b.co", name: "🙂".repeat(200) })).status, 201);
  assert.equal((await post({ email: "a@b.co", name: "🙂".repeat(201) })).status, 400);
});

test("nothing is coerced, and every fault is named", async () => {
  const answer = await post({
    name: null,
    email: 5,
    phone: true,
    notes: [],
    tags: "vip",
    attributes: "x",
  });
  assert.equal(answer.status, 400);
  assert.deepEqual(answer.body.details?.map((one) => one.path).sort(), [
    "attributes",
    "email",
    "name",
    "notes",
    "phone",
    "tags",
  ]);
  const tags = await post({ email: "a@b.co", tags: ["a", 1, null] });
  assert.deepEqual(
    tags.body.details?.map((one) => one.path),
    ["tags.1", "tags.2"],
  );
});

test("what the schema refuses and what only the rules do is named in one answer, each place once", async () => {
  const long = "n".repeat(201);
  for (const [json, paths] of [
    [{ name: long, email: "no", phone: "no" }, ["name", "email", "phone"]],
    [{ email: "a@b.co", tags: ["a", 1, long], phone: "-" }, ["tags.1", "tags.2", "phone"]],
    [{ name: 5, attributes: { a: "x".repeat(17_000) } }, ["name", "attributes"]],
  ] as const) {
    const { status, body } = await post(json);
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, paths]);
  }
});

test("a body that is no object is refused", async () => {
  for (const body of [null, [], "x", 5, true])
    assert.equal((await post(body)).body.message, "VALIDATION_FAILED");
  assert.equal((await raw("")).body.message, "VALIDATION_FAILED");
  assert.equal(
    (await api.call("POST", "/contacts", { bearer: await api.key() })).body.message,
    "VALIDATION_FAILED",
  );
});

test("what is no JSON is MALFORMED_JSON", async () => {
  for (const text of [
    "{",
    "{'a':1}",
    '{"a":1,}',
    "[1",
    "nul",
    '{"a":1}{',
    '{"a":"\n"}',
    "\u00a0{}",
    '{"a":01}',
  ]) {
    const answer = await raw(text);
    assert.deepEqual([answer.status, answer.body.message], [400, "MALFORMED_JSON"], text);
  }
});

test("what is no JSON is answered with the place, what was expected there, and nothing of the body", async () => {
  for (const [text, words] of [
    ["{'a':1}", "line 1, column 2: expected property name or '}'"],
    ['{\n"a":1,}', "line 2, column 7: expected double-quoted property name"],
    ['{"name":Sara}', "unexpected 'S': names and texts are in double quotes"],
    ["[", "ends before it is complete"],
  ] as const)
    assert.deepEqual((await raw(text)).body.details, [{ path: "", message: words }], text);
});

test("text that cannot be kept is refused wherever it stands", async () => {
  const cases: [string | Buffer, string][] = [
    [`{"email":"a@b.co","name":"a\\u0000b"}`, "name"],
    [`{"email":"a@b.co","name":"\\ud800"}`, "name"],
    [`{"email":"a@b.co","tags":["ok","\\udc00"]}`, "tags.1"],
    [`{"email":"a@b.co","attributes":{"a":{"b":["\\u0000"]}}}`, "attributes.a.b.0"],
    [`{"email":"a@b.co","attributes":{"\\u0000":1}}`, "attributes"],
    [`{"email":"a@b.co","unknown\\ud800":1}`, ""],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), ""],
    [Buffer.from(`{"email":"a@b.co"}`, "utf16le"), ""],
  ];
  for (const [body, path] of cases) {
    const answer = await raw(body);
    assert.equal(answer.status, 400, String(body));
    if (answer.body.message === "VALIDATION_FAILED")
      assert.equal(answer.body.details?.[0]?.path, path, String(body));
    else assert.ok(Buffer.isBuffer(body), answer.text);
  }
});

test("a number beyond a double is refused, a large one is kept", async () => {
  const answer = await raw(`{"email":"a@b.co","attributes":{"n":1e400}}`);
  assert.deepEqual(
    answer.body.details?.map((one) => one.path),
    ["attributes.n"],
  );
  const kept = await raw(`{"email":"a@b.co","attributes":{"n":1e308}}`);
  assert.deepEqual(kept.body["attributes"], { n: 1e308 });
});

test("thirty-two levels pass, thirty-three do not, and ten thousand are refused at once", async () => {
  const nested = (levels: number) =>
    `{"email":"a@b.co","attributes":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
  assert.equal((await raw(nested(30))).status, 201);
  assert.equal((await raw(nested(31))).body.message, "VALIDATION_FAILED");
  const before = process.cpuUsage();
  for (const text of [nested(10_000), "[".repeat(200_000), '{"a":'.repeat(40_000)])
    assert.equal((await raw(text)).status, 400);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 10_000_000, `${user + system} µs of processor time`);
});

test("prototype names are data: kept where data is free, ignored elsewhere, and nothing is polluted", async () => {
  const answer = await raw(
    `{"email":"a@b.co","__proto__":{"optedOut":true},"constructor":{"prototype":{"x":1}},"attributes":{"__proto__":{"x":1},"constructor":"c","toString":null}}`,
  );
  assert.equal(answer.status, 201, answer.text);
  assert.match(answer.text, /"__proto__": ?\{"x": ?1\}/);
  assert.equal(answer.body["optedOut"], false);
  assert.equal(Object.hasOwn(Object.prototype, "x"), false);
});

test("of members named twice the last wins", async () => {
  assert.equal((await raw(`{"email":5,"email":"a@b.co","name":"a","name":"b"}`)).body["name"], "b");
});

test("an email and a phone must look like one", async () => {
  for (const bad of [
    { email: "nobody" },
    { phone: "12a4" },
    { phone: "+" },
    { email: "a@b.co", phone: "x" },
    // Marks of direction, a joiner: nobody sees them, and they are no digits.
    { phone: "\u202a+96550000001\u202c" },
    { phone: "+965\u200e50000001" },
    { phone: "+965\u206050000001" },
    { phone: "+965\ufeff50000001" },
  ])
    assert.equal((await post(bad)).body.message, "VALIDATION_FAILED", JSON.stringify(bad));
});
