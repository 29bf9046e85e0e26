import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { verifyTikTokSignature } from "./signature.ts";

// The vector of channels.md §0.4.
const SECRET = "tt-secret-1";
const AT = 1_700_000_000;
const BODY =
  '{"client_key":"app1","event":"im_receive_msg","create_time":1700000000,"user_openid":"biz-123","content":"{}"}';
const DIGEST = "0a0f66ec3999fdf50b82cebccb61d243269fe0037cbe052f1a48404720cf2a0d";
const VALID = `t=${AT},s=${DIGEST}`;

function verify(
  signature: string | undefined,
  options: { body?: string; secret?: string; seconds?: number } = {},
): boolean {
  const { body = BODY, secret = SECRET, seconds = AT } = options;
  const headers = { "tiktok-signature": signature };
  const receivedAt = new Date(seconds * 1000);
  return verifyTikTokSignature({ body: Buffer.from(body), headers, query: {}, receivedAt }, secret);
}

test("the vector passes; one changed byte of body, time, digest or secret fails", () => {
  assert.equal(verify(VALID), true);
  for (let at = 0; at < BODY.length; at++) {
    const changed = BODY.slice(0, at) + (BODY[at] === "x" ? "y" : "x") + BODY.slice(at + 1);
    assert.equal(verify(VALID, { body: changed }), false, String(at));
  }
  for (let at = 0; at < DIGEST.length; at++) {
    const other = DIGEST[at] === "0" ? "1" : "0";
    assert.equal(verify(`t=${AT},s=${DIGEST.slice(0, at)}${other}${DIGEST.slice(at + 1)}`), false);
  }
  assert.equal(verify(`t=${AT + 1},s=${DIGEST}`), false);
  assert.equal(verify(VALID, { secret: "tt-secret-2" }), false);
  assert.equal(verify(VALID, { secret: "" }), false);
});

test("a signature is valid for 300 seconds before and after, and never when the time is not known", () => {
  for (const [seconds, good] of [
    [AT - 301, false],
    [AT - 300, true],
    [AT + 300, true],
    [AT + 301, false],
  ] as const) {
    assert.equal(verify(VALID, { seconds }), good, String(seconds - AT));
  }
  const headers = { "tiktok-signature": VALID };
  assert.equal(
    verifyTikTokSignature({ body: Buffer.from(BODY), headers, query: {} }, SECRET),
    false,
  );
});

const FORMS: readonly (readonly [string, string | undefined])[] = [
  ["none", undefined],
  ["an empty one", ""],
  ["the digest alone", DIGEST],
  ["upper-case hex", `t=${AT},s=${DIGEST.toUpperCase()}`],
  ["a short digest", `t=${AT},s=${DIGEST.slice(0, 63)}`],
  ["a long digest", `t=${AT},s=${DIGEST}0`],
  ["no time", `s=${DIGEST}`],
  ["a time that is no number", `t=now,s=${DIGEST}`],
  ["a time of many digits", `t=${"9".repeat(400)},s=${DIGEST}`],
  ["another name", `t=${AT},v1=${DIGEST}`],
  ["two signatures", `${VALID}, ${VALID}`],
  ["a second part", `${VALID},s=${DIGEST}`],
];
for (const [name, signature] of FORMS) {
  test(`a signature header with ${name} is refused without a throw`, () => {
    assert.equal(verify(signature), false);
  });
}

test("the bytes count, not the document: the same JSON in another form fails", () => {
  const escaped = '{"content":"\\u0645\\u0631"}';
  const plain = JSON.stringify(JSON.parse(escaped));
  const digest = createHmac("sha256", SECRET).update(`${AT}.${escaped}`).digest("hex");
  assert.equal(verify(`t=${AT},s=${digest}`, { body: escaped }), true);
  assert.equal(verify(`t=${AT},s=${digest}`, { body: plain }), false);
});
