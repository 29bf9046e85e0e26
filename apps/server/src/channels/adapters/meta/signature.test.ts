import assert from "node:assert/strict";
import { test } from "node:test";
import { createHmac } from "node:crypto";
import { metaChallenge, verifyMetaSignature } from "./signature.ts";

// channels.md §0.4: 179 bytes; the backslashes are literal.
const ESCAPED =
  '{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[{"text":{"body":"\\u0645\\u0631\\u062d\\u0628\\u0627 \\/ caf\\u00e9"}}]}}]}]}';
const HEX = "3b9a6d66c84a5473e427d05583c1520b8db9037b91926f242e4e5a741a4190f2";
const SECRET = "app-secret-1";

const call = (body: string, headers: Record<string, string | undefined>) => ({
  body: Buffer.from(body),
  headers,
  query: {},
});

test("the published vector is 179 bytes and verifies", () => {
  assert.equal(Buffer.byteLength(ESCAPED), 179);
  const request = call(ESCAPED, { "x-hub-signature-256": `sha256=${HEX}` });
  assert.equal(verifyMetaSignature(request, SECRET), true);
});

test("a signature of the same JSON, serialised again, does not fit the escaped bytes, nor the reverse", () => {
  const rewritten = JSON.stringify(JSON.parse(ESCAPED));
  const over = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");
  assert.match(over(rewritten), /^35085d5d.*513f$/);
  const escapedBody = call(ESCAPED, { "x-hub-signature-256": `sha256=${over(rewritten)}` });
  assert.equal(verifyMetaSignature(escapedBody, SECRET), false);
  const rewrittenBody = call(rewritten, { "x-hub-signature-256": `sha256=${HEX}` });
  assert.equal(verifyMetaSignature(rewrittenBody, SECRET), false);
});

const REFUSED: Record<string, Record<string, string | undefined>> = {
  "a missing header": {},
  "an empty header": { "x-hub-signature-256": "" },
  "a header without the scheme": { "x-hub-signature-256": HEX },
  "another scheme before it": { "x-hub-signature-256": `hmac-sha256=${HEX}` },
  "upper-case hex": { "x-hub-signature-256": `sha256=${HEX.toUpperCase()}` },
  "an upper-case scheme": { "x-hub-signature-256": `SHA256=${HEX}` },
  "a digit too few": { "x-hub-signature-256": `sha256=${HEX.slice(1)}` },
  "a digit too many": { "x-hub-signature-256": `sha256=${HEX}0` },
  "an odd letter": { "x-hub-signature-256": `sha256=${HEX.slice(1)}z` },
  "a line end after it": { "x-hub-signature-256": `sha256=${HEX}\n` },
  "another digest": { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
  "sha1 only": {
    "x-hub-signature": `sha1=${createHmac("sha1", SECRET).update(ESCAPED).digest("hex")}`,
  },
  "sha1 in the sha256 header": {
    "x-hub-signature-256": `sha1=${createHmac("sha1", SECRET).update(ESCAPED).digest("hex")}`,
  },
};
for (const [name, headers] of Object.entries(REFUSED)) {
  test(`${name} is refused without a throw`, () => {
    assert.equal(verifyMetaSignature(call(ESCAPED, headers), SECRET), false);
  });
}

test("nothing verifies under an empty or missing secret", () => {
  const empty = createHmac("sha256", "").update(ESCAPED).digest("hex");
  const request = call(ESCAPED, { "x-hub-signature-256": `sha256=${empty}` });
  assert.equal(verifyMetaSignature(request, ""), false);
  assert.equal(verifyMetaSignature(request, undefined), false);
});

test("the challenge is answered only for our token", () => {
  const query = {
    "hub.mode": "subscribe",
    "hub.challenge": "1158201444",
    "hub.verify_token": "ours",
  };
  assert.equal(metaChallenge(query, "ours"), "1158201444");
  assert.equal(metaChallenge({ ...query, "hub.verify_token": "ourss" }, "ours"), null);
  assert.equal(metaChallenge({ ...query, "hub.verify_token": "" }, ""), null);
  assert.equal(metaChallenge({ ...query, "hub.mode": "unsubscribe" }, "ours"), null);
  assert.equal(
    metaChallenge({ "hub.mode": "subscribe", "hub.verify_token": "ours" }, "ours"),
    null,
  );
  assert.equal(metaChallenge({ "hub.mode": "subscribe", "hub.challenge": "1" }, "ours"), null);
  assert.equal(metaChallenge({}, "ours"), null);
});
