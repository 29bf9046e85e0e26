import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { VERSION } from "../../../src/version.ts";
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
    details: [{ path: "", message: "120 calls pass in any 60 seconds: /docs/guides/limits" }],
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

test("every answer to a known key names its limits as the IETF's draft has them, and the version that answers", async () => {
  const bearer = await api.key(["usage:read"]);
  for (const [path, status, left] of [
    ["/usage", 200, 119],
    ["/contacts", 403, 118],
    ["/usage?none=1", 400, 117],
  ] as const) {
    const { headers, ...answer } = await api.call("GET", path, { bearer });
    assert.equal(answer.status, status);
    assert.equal(headers["ratelimit-policy"], '"default";q=120;w=60');
    assert.equal(headers["ratelimit"], `"default";r=${left};t=60`);
    assert.equal(headers["parley-version"], VERSION);
  }
  const stranger = await api.call("GET", "/usage", { bearer: null });
  assert.equal(stranger.headers["parley-version"], undefined);
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

test("wrong secrets: 20 a minute from one address, whatever X-Forwarded-For a client writes itself", async () => {
  const bearer = await api.key();
  const [publicKey = ""] = bearer.split(":");
  const usage = (given: string, from: string) =>
    api.call("GET", "/usage", { bearer: given, headers: { "x-forwarded-for": from } });
  for (let n = 0; n < 20; n++)
    assert.equal((await usage(`${publicKey}:sk_wrong`, `198.51.100.${n}`)).status, 401);
  const refused = await usage(`${publicKey}:sk_wrong`, "198.51.100.99");
  assert.deepEqual(
    [refused.status, refused.body.message, refused.headers["retry-after"]],
    [429, "RATE_LIMITED", "60"],
  );
  assert.equal(
    refused.headers["ratelimit-limit"],
    undefined,
    "nobody says whether there is such a key",
  );
  assert.equal((await usage(bearer, "198.51.100.98")).status, 200, "the owner is not locked out");
  assert.equal((await usage(await api.key(), "198.51.100.97")).status, 200, "another key");
  api.clock.advance(60_000);
  assert.equal((await usage(`${publicKey}:sk_wrong`, "198.51.100.96")).status, 401);
});

test("wrong secrets behind a trusted proxy count for the address that the proxy names, not for what stands before it", async () => {
  await using behind = await startApi({ config: { trustedProxies: ["127.0.0.0/8"] } });
  const bearer = await behind.key();
  const [publicKey = ""] = bearer.split(":");
  const usage = (given: string, from: string) =>
    behind.call("GET", "/usage", { bearer: given, headers: { "x-forwarded-for": from } });
  for (let n = 0; n < 20; n++)
    assert.equal((await usage(`${publicKey}:sk_wrong`, `10.0.0.${n}, 198.51.100.7`)).status, 401);
  const wrong = `${publicKey}:sk_wrong`;
  assert.equal((await usage(wrong, "203.0.113.5, 198.51.100.7")).status, 429);
  assert.equal((await usage(wrong, "198.51.100.7, 198.51.100.8")).status, 401, "another address");
  for (let n = 0; n < 20; n++)
    assert.equal((await usage(`${publicKey}:sk_wrong`, `2001:db8:0:1::${n}`)).status, 401);
  assert.equal((await usage(wrong, "2001:db8:0:1:ffff::9")).status, 429, "one network of IPv6");
  assert.equal((await usage(wrong, "2001:db8:0:2::9")).status, 401);
});

test("unknown keys: 120 a minute from one address, at whatever port a proxy names; right keys from there pass", async () => {
  await using behind = await startApi({
    config: { trustedProxies: ["127.0.0.0/8", "10.0.0.0/8"] },
  });
  const bearer = await behind.key();
  const forms: readonly ((port: number) => string)[] = [
    (port) => `198.51.100.7:${port}`,
    (port) => `203.0.113.${port % 250}, 198.51.100.7:${port}, 10.1.2.3:443`,
    () => "198.51.100.7",
  ];
  const usage = (given: string, from: string) =>
    behind.call("GET", "/usage", { bearer: given, headers: { "x-forwarded-for": from } });
  const unknown = (n: number) => (n % 2 === 0 ? `pk_no_${n}:sk_no` : `pk_${"x".repeat(70)}:sk_no`);
  const codes: number[] = [];
  for (let n = 0; n < 123; n++)
    codes.push((await usage(unknown(n), forms[n % forms.length]?.(50_000 + n) ?? "")).status);
  assert.deepEqual(
    codes.slice(0, 120),
    Array.from({ length: 120 }, () => 401),
  );
  assert.deepEqual(codes.slice(120), [429, 429, 429]);
  const refused = await usage("pk_no:sk_no", "198.51.100.7");
  assert.deepEqual([refused.body.message, refused.headers["retry-after"]], ["RATE_LIMITED", "60"]);
  assert.equal((await usage(bearer, "198.51.100.7")).status, 200);
  assert.equal((await usage("pk_no:sk_no", "198.51.100.8:50000")).status, 401, "another address");
  for (let n = 0; n < 120; n++)
    await usage(`pk_no_${n}:sk_no`, `[2001:db8:0:1::${n}]:${50_000 + n}`);
  assert.equal(
    (await usage("pk_other:sk_no", "2001:db8:0:1:ffff::9")).status,
    429,
    "one network of IPv6",
  );
  behind.clock.advance(60_000);
  assert.equal((await usage("pk_no:sk_no", "198.51.100.7")).status, 401);
});
