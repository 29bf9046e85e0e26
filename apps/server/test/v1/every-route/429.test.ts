import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

test("of 121 requests in a burst exactly 120 pass, and the answers count down", async () => {
  const bearer = await api.key();
  const answers = await Promise.all(
    Array.from({ length: 121 }, () => api.call("GET", "/usage", { bearer })),
  );
  assert.equal(answers.filter((one) => one.status === 200).length, 120);
  const refused = answers.find((one) => one.status === 429);
  assert.deepEqual(refused?.body, {
    statusCode: 429,
    error: "Too Many Requests",
    message: "RATE_LIMITED",
  });
  const { headers } = refused;
  assert.deepEqual(
    [
      headers["ratelimit-limit"],
      headers["ratelimit-remaining"],
      headers["ratelimit-reset"],
      headers["retry-after"],
    ].map(String),
    ["120", "0", "60", "60"],
  );
  assert.deepEqual(
    answers
      .map((one) => Number(one.headers["ratelimit-remaining"]))
      .sort((a, b) => b - a)
      .slice(0, 3),
    [119, 118, 117],
  );
});

test("refused requests do not count, and the window slides", async () => {
  const bearer = await api.key();
  const usage = () => api.call("GET", "/usage", { bearer });
  await Promise.all(Array.from({ length: 60 }, usage));
  api.clock.advance(30_000);
  await Promise.all(Array.from({ length: 60 }, usage));
  for (let i = 0; i < 5; i++) assert.equal((await usage()).status, 429);
  api.clock.advance(29_999);
  assert.equal((await usage()).status, 429);
  api.clock.advance(1);
  const later = await Promise.all(Array.from({ length: 61 }, usage));
  assert.equal(later.filter((one) => one.status === 200).length, 60, "the later half still counts");
});

test("errors count and carry the headers too; each key has its own", async () => {
  const bearer = await api.key(["usage:read"]);
  const forbidden = await api.call("GET", "/contacts", { bearer });
  assert.equal(forbidden.headers["ratelimit-remaining"], "119");
  const invalid = await api.call("POST", "/contacts", {
    json: { name: 5 },
    bearer: await api.key(),
  });
  assert.deepEqual([invalid.status, invalid.headers["ratelimit-remaining"]], [400, "119"]);
  const large = await api.call("POST", "/contacts", {
    raw: "x".repeat(300_000),
    bearer: await api.key(),
    headers: { "content-type": "application/json" },
  });
  assert.deepEqual([large.status, large.headers["ratelimit-remaining"]], [413, "119"]);
});
