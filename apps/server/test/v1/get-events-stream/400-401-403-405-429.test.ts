import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

/** What comes before the stream is open: the same answers as everywhere, held against the document by `api.call`. */
let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const PATH = "/events/stream";

test("without a credential, with a bad one, and without the scope it does not open", async () => {
  assert.equal((await api.call("GET", PATH, { bearer: null })).body.message, "MISSING_API_KEY");
  assert.equal((await api.call("GET", PATH, { bearer: "x" })).body.message, "MALFORMED_API_KEY");
  assert.equal((await api.call("GET", PATH, { bearer: "p:s" })).body.message, "INVALID_API_KEY");
  const writing = ["contacts:write", "messages:write", "broadcasts:write"];
  const answer = await api.call("GET", PATH, { bearer: await api.key(writing) });
  assert.deepEqual([answer.status, answer.body.message], [403, "MISSING_SCOPE:messages:read"]);
  const query = "?types=message.received,otp.status";
  const asked = await api.call("GET", PATH + query, { bearer: await api.key(["messages:read"]) });
  assert.deepEqual([asked.status, asked.body.message], [403, "MISSING_SCOPE:otp:send"]);
});

test("a place or a kind that is none is refused by name", async () => {
  for (const [query, headers, path] of [
    ["?after=x", {}, "after"],
    ["?after=-1", {}, "after"],
    ["?types=all", {}, "types.0"],
    ["", { "last-event-id": "x" }, "Last-Event-ID"],
    ["", { "last-event-id": "-1" }, "Last-Event-ID"],
    ["", { "last-event-id": "9".repeat(16) }, "Last-Event-ID"],
  ] as const) {
    const { status, body } = await api.call("GET", PATH + query, { headers });
    assert.deepEqual([status, body.details?.map((one) => one.path)], [400, [path]]);
  }
});

test("opening counts against the rate of the key", async () => {
  const bearer = await api.key(["usage:read"]);
  await Promise.all(Array.from({ length: 120 }, () => api.call("GET", "/usage", { bearer })));
  assert.equal((await api.call("GET", PATH, { bearer })).body.message, "RATE_LIMITED");
});

test("no other method, HEAD neither: it would wait for the end", async () => {
  for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE"] as const) {
    const answer = await api.call(method, PATH, { documented: false });
    assert.deepEqual([answer.status, answer.headers["allow"]], [405, "GET, OPTIONS"], method);
  }
});
