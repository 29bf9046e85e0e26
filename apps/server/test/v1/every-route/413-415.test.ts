import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const LIMIT = 256 * 1024;
const json = { "content-type": "application/json" };

/** A contact whose body has exactly so many bytes. */
function sized(bytes: number): string {
  const head = `{"email":"a@b.co","ignored":"`;
  return `${head}${"x".repeat(bytes - head.length - 2)}"}`;
}

test("a body of 256 KiB passes, one byte more is BODY_TOO_LARGE", async () => {
  assert.equal(
    (await api.call("POST", "/contacts", { raw: sized(LIMIT), headers: json })).status,
    201,
  );
  for (const [method, path] of [
    ["POST", "/contacts"],
    ["POST", "/messages"],
    ["POST", "/otp/send"],
    ["POST", "/broadcasts/none/start"],
  ] as const) {
    const answer = await api.call(method, path, { raw: sized(LIMIT + 1), headers: json });
    assert.deepEqual(
      answer.body,
      {
        statusCode: 413,
        error: "Payload Too Large",
        message: "BODY_TOO_LARGE",
        details: [{ path: "", message: `the body may have at most ${LIMIT} bytes` }],
      },
      path,
    );
  }
});

test("a body that is not called JSON is UNSUPPORTED_MEDIA_TYPE", async () => {
  const raw = `{"email":"a@b.co"}`;
  for (const type of [
    "text/plain",
    "application/jsonx",
    "application/x-www-form-urlencoded",
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "json",
    ";",
    "multipart/form-data; boundary=x",
  ]) {
    const answer = await api.call("POST", "/contacts", { raw, headers: { "content-type": type } });
    assert.deepEqual([answer.status, answer.body.message], [415, "UNSUPPORTED_MEDIA_TYPE"], type);
  }
  const packed = await api.call("POST", "/contacts", {
    raw: gzipSync(raw),
    headers: { ...json, "content-encoding": "gzip" },
  });
  assert.equal(packed.status, 415);
});

test("parameters and case of the media type do not matter", async () => {
  for (const type of [
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'Application/JSON; charset="utf-8"',
    "application/json; odata=x",
  ]) {
    const answer = await api.call("POST", "/contacts", {
      raw: `{"email":"a@b.co"}`,
      headers: { "content-type": type },
    });
    assert.equal(answer.status, 201, `${type} ${answer.text}`);
  }
});

test("a byte order mark is skipped", async () => {
  assert.equal(
    (await api.call("POST", "/contacts", { raw: `\ufeff{"email":"a@b.co"}`, headers: json }))
      .status,
    201,
  );
});

test("the route without a body takes none, an empty one, and ignores any other", async () => {
  const cases: Parameters<Api["call"]>[2][] = [
    {},
    { headers: json },
    { raw: "", headers: json },
    { json: {} },
    { json: { rateLimitPerMinute: 1 } },
    { raw: "{", headers: json },
    { raw: "hello", headers: { "content-type": "text/plain" } },
  ];
  for (const options of cases) {
    const answer = await api.call("POST", "/broadcasts/none/start", options);
    assert.equal(answer.body.message, "BROADCAST_NOT_FOUND", JSON.stringify(options));
  }
});
