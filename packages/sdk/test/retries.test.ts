import assert from "node:assert/strict";
import { test } from "node:test";
import { ParleyError } from "../src/errors.ts";
import { Parley } from "../src/parley.ts";
import {
  breaks,
  DELETE,
  GET,
  hangs,
  meetsNothing,
  PATCH,
  POST,
  PUT,
  refuses,
  says,
  StandIn,
  type Answer,
} from "./stand-in.ts";
import type { Request } from "../src/call.ts";

const fine = says(200);
const hint = says(502, "<html>Bad gateway</html>");

const cases: [name: string, request: Request, first: Answer, tries: number][] = [
  ["a connection that breaks", GET, breaks, 2],
  ["a connection that breaks under a POST", POST, breaks, 2],
  ["a connection that breaks under a PATCH, which has no key", PATCH, breaks, 1],
  ["a server that is not there", GET, meetsNothing, 2],
  ["a server that is not there, of a PATCH", PATCH, meetsNothing, 2],
  ["a connection that breaks under a PUT", PUT, breaks, 2],
  ["a connection that breaks under a DELETE", DELETE, breaks, 2],
  ["a defect of the server in a PUT", PUT, refuses(500, "INTERNAL"), 2],
  ["a full server", POST, refuses(503, "OVERLOADED"), 2],
  ["a full server that refused a PATCH before it began", PATCH, refuses(503, "OVERLOADED"), 2],
  ["a defect of the server", POST, refuses(500, "INTERNAL"), 2],
  ["a defect of the server in a PATCH", PATCH, refuses(500, "INTERNAL"), 1],
  ["a proxy without its server", GET, hint, 2],
  ["a key in progress", POST, refuses(409, "IDEMPOTENCY_IN_PROGRESS"), 2],
  ["another conflict", POST, refuses(409, "CONFLICT"), 1],
  ["a rate", PATCH, refuses(429, "RATE_LIMITED"), 2],
  ["input that is wrong", POST, refuses(400, "VALIDATION_FAILED"), 1],
  ["a plan that is spent", POST, refuses(402, "MESSAGE_LIMIT_REACHED"), 1],
  ["a key used for another body", POST, refuses(422, "IDEMPOTENCY_KEY_REUSED"), 1],
];
for (const [name, request, first, tries] of cases)
  test(`${name}: ${tries === 1 ? "fails at once" : "is tried again"}`, async () => {
    const server = new StandIn([first, fine]);
    const outcome = server.transport.call(request, {});
    if (tries === 1) await assert.rejects(outcome, ParleyError);
    else assert.deepEqual(await outcome, { fine: true });
    assert.equal(server.sent.length, tries);
  });

test("every try of a POST carries one key and the same bytes; another call has another key", async () => {
  const server = new StandIn([breaks, hint, fine, fine]);
  await server.transport.call(POST, {});
  await server.transport.call(POST, {});
  const [first, second, third, other] = server.keys();
  assert.match(first ?? "", /^sdk-[0-9a-f]{36}$/);
  assert.deepEqual([second, third], [first, first]);
  assert.notEqual(other, first);
  assert.deepEqual([...new Set(server.sent.map((one) => one.body))], [JSON.stringify(POST.body)]);
});

test("a key that no header can carry is a TypeError before anything is sent", async () => {
  const server = new StandIn([fine]);
  for (const idempotencyKey of ["", "a\nb", "order 7 😀", "k".repeat(256)])
    await assert.rejects(server.transport.call(POST, { idempotencyKey }), TypeError);
  assert.equal(server.sent.length, 0);
  await server.transport.call(POST, { idempotencyKey: "commande n° 7" });
  assert.deepEqual(server.keys(), ["commande n° 7"]);
});

test("a key of the caller's own is used, and the error names it", async () => {
  const server = new StandIn([breaks]);
  const call = server.transport.call(POST, { idempotencyKey: "order-7", maxRetries: 0 });
  await assert.rejects(call, {
    code: "CONNECTION_FAILED",
    idempotencyKey: "order-7",
    attempts: 1,
    status: null,
  });
  assert.deepEqual(server.keys(), ["order-7"]);
});

test("a GET carries no key", async () => {
  const server = new StandIn([fine]);
  await server.transport.call(GET, { idempotencyKey: "x" });
  assert.deepEqual(server.keys(), [null]);
});

test("the waits double and stop growing, half of each is chance; then the last failure is told", async () => {
  const server = new StandIn([
    breaks,
    breaks,
    breaks,
    breaks,
    breaks,
    breaks,
    refuses(500, "INTERNAL"),
  ]);
  await assert.rejects(server.transport.call(GET, { maxRetries: 6 }), {
    code: "INTERNAL", attempts: 7, requestId: "r-1",
  }); // oxfmt-ignore
  assert.deepEqual(server.waits, [375, 750, 1_500, 3_000, 6_000, 6_000]);
});

test("Retry-After is kept to, and what is longer than maxWaitMs is not waited for", async () => {
  const server = new StandIn([refuses(429, "RATE_LIMITED", { "retry-after": "7" }), fine]);
  await server.transport.call(GET, {});
  assert.deepEqual(server.waits, [7_125]);
  const impatient = new StandIn([refuses(429, "RATE_LIMITED", { "retry-after": "61" })]);
  await assert.rejects(impatient.transport.call(GET, {}), {
    code: "RATE_LIMITED",
    retryAfterMs: 61_000,
  });
  assert.deepEqual(impatient.waits, []);
});

test("an error has everything the server said", async () => {
  const body = {
    statusCode: 402, error: "Payment Required", message: "MESSAGE_LIMIT_REACHED", code: "MESSAGE_LIMIT_REACHED",
    limit: 500, usage: 500, details: [{ path: "text", message: "is long" }],
  }; // oxfmt-ignore
  const server = new StandIn([says(402, body, { "x-request-id": "r-2" })]);
  const error = await server.transport.call(POST, {}).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof ParleyError && error instanceof Error);
  const { code, status, limit, usage, requestId, details, message } = error;
  assert.deepEqual(
    { code, status, limit, usage, requestId, details, message },
    {
      code: "MESSAGE_LIMIT_REACHED", status: 402, limit: 500, usage: 500, requestId: "r-2",
      details: body.details, message: "MESSAGE_LIMIT_REACHED (text: is long)",
    },
  ); // oxfmt-ignore
});

test("an answer that is not Parley's is told as that, and a redirect is not followed", async () => {
  for (const answer of [says(200, "<html>"), says(302, ""), says(404, "[]")]) {
    const server = new StandIn([answer]);
    await assert.rejects(server.transport.call(GET, {}), { code: "UNEXPECTED_ANSWER" });
  }
  const server = new StandIn([refuses(404, "ROUTE_NOT_FOUND")]);
  await assert.rejects(
    server.transport.call(GET, {}),
    /ROUTE_NOT_FOUND \(does baseUrl end in \/api\?\)/,
  );
});

test("no answer in time is TIMED_OUT and is tried again; the signal's reason ends the call at once", async () => {
  const server = new StandIn([hangs, fine]);
  assert.deepEqual(await server.transport.call(POST, { timeoutMs: 5 }), { fine: true });
  const late = new StandIn([hangs]);
  await assert.rejects(late.transport.call(POST, { timeoutMs: 5, maxRetries: 0 }), {
    code: "TIMED_OUT",
  });
  const stop = new AbortController();
  const reason = new Error("the customer left");
  const left = new StandIn([
    (sent) => {
      stop.abort(reason);
      return hangs(sent);
    },
    breaks,
  ]);
  const call = left.transport.call(POST, { signal: stop.signal, timeoutMs: 50 });
  await assert.rejects(call, (thrown) => thrown === reason);
  assert.equal(left.sent.length, 1);
});

test("a signal that ends between the call and its first byte ends the call, as one that had ended before", async () => {
  const reason = new Error("too late");
  for (const when of ["before", "after"]) {
    const server = new StandIn([hangs]);
    const stop = new AbortController();
    if (when === "before") stop.abort(reason);
    const call = server.transport.call(GET, { signal: stop.signal });
    stop.abort(reason);
    await assert.rejects(call, (thrown) => thrown === reason, when);
  }
});

test("a whole minute that the server asks for is waited, whatever chance adds", async () => {
  const server = new StandIn([refuses(429, "RATE_LIMITED", { "retry-after": "60" }), fine]);
  await server.transport.call(GET, {});
  assert.deepEqual(server.waits, [60_125]);
});

test("a proxy's date is a time to wait, and a rate that says no time says when it has room", async () => {
  const at = new Date(Date.now() + 30_000).toUTCString();
  for (const headers of [{ "retry-after": at }, { "ratelimit-reset": "29" }]) {
    const server = new StandIn([refuses(429, "RATE_LIMITED", headers), fine]);
    await server.transport.call(GET, {});
    const [waited = 0] = server.waits;
    assert.ok(waited > 25_000 && waited < 31_000, String(waited));
  }
});

test("a time to wait that is over, or is none, says nothing: the gaps grow as without one", async () => {
  const over = new Date(Date.now() - 60_000).toUTCString();
  for (const header of [over, "0", "-5", "1.5", "soon"]) {
    const full = refuses(503, "OVERLOADED", { "retry-after": header });
    const server = new StandIn([full, full, full, fine]);
    await server.transport.call(GET, {});
    assert.deepEqual(server.waits, [375, 750, 1_500], header);
  }
});

test("a body that its caller changes between tries is sent as it was", async () => {
  const body = { text: "first" };
  const change: Answer = () => {
    body.text = "second";
    throw new TypeError("fetch failed");
  };
  const server = new StandIn([change, fine]);
  await server.transport.call({ ...POST, body }, {});
  assert.deepEqual(
    server.sent.map((one) => one.body),
    ['{"text":"first"}', '{"text":"first"}'],
  );
});

test("a time-out that no timer can hold is the longest that one can", async (t) => {
  const timers = t.mock.method(globalThis, "setTimeout");
  await new StandIn([fine]).transport.call(GET, { timeoutMs: Infinity });
  assert.deepEqual(timers.mock.calls.map((call) => call.arguments[1]), [2 ** 31 - 1]); // oxfmt-ignore
});

test("a query says what is set, by its name; an id is one part of the path", async () => {
  const fetched: string[] = [];
  const parley = new Parley({
    baseUrl: "https://parley.test/api/",
    apiKey: "pk:sk",
    fetch: async (url) => {
      fetched.push(new Request(url).url);
      return new Response("{}");
    },
  });
  await parley.contacts.list({ search: "a&b é", page: 2, pageSize: undefined });
  await parley.broadcasts.start("a/b?c");
  assert.deepEqual(fetched, [
    "https://parley.test/api/v1/contacts?search=a%26b+%C3%A9&page=2",
    "https://parley.test/api/v1/broadcasts/a%2Fb%3Fc/start",
  ]);
  assert.throws(() => parley.broadcasts.start(""), /id is empty/);
  for (const id of ["", ".", ".."]) assert.throws(() => parley.broadcasts.start(id), TypeError);
});

test("options that cannot work are refused, without telling the secret", () => {
  const fits = { baseUrl: "http://127.0.0.1:3000/api", apiKey: "pk:sk" };
  assert.ok(new Parley(fits));
  for (const wrong of [
    { baseUrl: "parley" },
    { baseUrl: "ftp://a/api" },
    { baseUrl: "https://a/api?b" },
  ])
    assert.throws(() => new Parley({ ...fits, ...wrong }), TypeError);
  for (const apiKey of [undefined, "", " "])
    assert.throws(() => new Parley({ ...fits, apiKey }), /apiKey is missing or empty/);
  assert.throws(() => new Parley({ ...fits, baseUrl: undefined }), /baseUrl is missing or empty/);
  for (const apiKey of ["", "topsecret", ":topsecret", "a:top\nsecret"])
    assert.throws(() => new Parley({ ...fits, apiKey }), (error) => {
      assert.ok(error instanceof TypeError);
      return !error.message.includes("topsecret");
    }); // oxfmt-ignore
});
