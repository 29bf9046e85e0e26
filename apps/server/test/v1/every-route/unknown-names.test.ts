import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { routes } from "../../../src/http/v1/routes.ts";
import { ROUTES } from "./routes.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Contract §5: an unknown name in a query is refused everywhere, in a body everywhere but on the nine routes of the spec. */
let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

test("an unknown query parameter is 400 on every route, by name", async () => {
  // There are more routes than one key may call in a minute.
  const bearer = await api.key();
  for (const route of ROUTES) {
    api.clock.advance(1_000);
    const options = { bearer, ...("json" in route && { json: route.json }) };
    const { status, body } = await api.call(route.method, `${route.path}?serach=sara`, options);
    assert.equal(status, 400, `${route.method} ${route.path}`);
    assert.equal(body.message, "VALIDATION_FAILED");
    // A route that needs a name in its query also misses that one.
    const paths = body.details?.map((one) => one.path) ?? [];
    assert.ok(paths.includes("serach"), `${route.method} ${route.path}: ${paths.join(", ")}`);
  }
});

test("the fault names what the route does take", async () => {
  const { text } = await api.call("GET", "/contacts?serach=sara");
  assert.match(text, /is unknown: did you mean search\? Known are search, page, pageSize/);
  assert.match((await api.call("GET", "/usage?month=1")).text, /none are taken here/);
});

test("unknown members of a body are ignored on the spec's routes and named in Parley-Ignored", async () => {
  const json = { email: "a@b.co", colour: "red", اسم: 1, optedOut: true };
  const { status, headers, body } = await api.call("POST", "/contacts", { json });
  assert.equal(status, 201);
  assert.equal(headers["parley-ignored"], `colour, ${encodeURIComponent("اسم")}, optedOut`);
  assert.equal(body["optedOut"], false);
  const plain = await api.call("POST", "/contacts", { json: { email: "a@b.co" } });
  assert.equal(plain.headers["parley-ignored"], undefined);
});

test("a repeated Idempotency-Key answers with the same Parley-Ignored", async () => {
  const call = () =>
    api.call("POST", "/contacts", {
      json: { email: "a@b.co", colour: "red" },
      headers: { "idempotency-key": "twice" },
    });
  await call();
  const second = await call();
  assert.equal(second.headers["idempotency-replayed"], "true");
  assert.equal(second.headers["parley-ignored"], "colour");
});

test("Parley-Ignored stays short and harmless, whatever the names are", async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}\r\nx: y`, at]));
  const { status, headers } = await api.call("POST", "/contacts", {
    json: { email: "a@b.co", ["long".repeat(1_000)]: 1, ...many },
  });
  assert.equal(status, 201);
  const named = String(headers["parley-ignored"]);
  assert.ok(named.length < 2_000 && !/[\r\n]/.test(named), named);
  assert.equal(headers["x"], undefined);
});

test("an unknown member is 400 on a route beyond the spec, and nothing is changed", async () => {
  const made = await api.call("POST", "/contacts", { json: { email: "a@b.co", name: "Sara" } });
  const id = String(made.body["id"]);
  const { status, body, text } = await api.call("PATCH", `/contacts/${id}`, {
    json: { name: "Mona", colour: "red" },
  });
  assert.equal(status, 400);
  assert.deepEqual(
    body.details?.map((one) => one.path),
    ["colour"],
  );
  assert.match(text, /is unknown; known are name, email/);
  assert.equal((await api.call("GET", `/contacts/${id}`)).body["name"], "Sara");
});

test("a member of a body is 400 on a route beyond the spec that has none, by name", async () => {
  const bare = routes.filter((route) => route.method !== "GET" && !route.body && !route.file);
  assert.ok(bare.length > 20);
  const bearer = await api.key();
  for (const { method, path } of bare) {
    api.clock.advance(1_000);
    const at = path.replaceAll(/\{\w+\}/g, "none");
    // The spec's one is the exception (413-415.test.ts).
    if (at === "/broadcasts/none/start") continue;
    const { status, body } = await api.call(method, at, { json: { colour: "red" }, bearer });
    assert.deepEqual([status, body.message], [400, "VALIDATION_FAILED"], `${method} ${path}`);
    assert.deepEqual(body.details, [
      { path: "colour", message: "is unknown; none are taken here" },
    ]);
    for (const options of [{}, { json: {} }, { raw: "colour=red", headers: FORM }]) {
      const answer = await api.call(method, at, { ...options, bearer });
      assert.notEqual(answer.status, 400, `${method} ${path}: ${answer.text}`);
    }
  }
});
