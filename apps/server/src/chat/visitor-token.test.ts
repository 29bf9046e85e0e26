import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { TestClock } from "../../test/harness.ts";
import { createSealer } from "../lib/seal.ts";
import { identityHash, isIdentityProven } from "./identity-proof.ts";
import {
  newVisitorId,
  readToken,
  signVisitor,
  TOKEN_LIFE_MS,
  type Visitor,
} from "./visitor-token.ts";

const clock = new TestClock();
const context = { sealer: createSealer(randomBytes(32)), clock };
const visitor: Visitor = {
  channelId: "0190aaaa-0000-7000-8000-000000000001",
  visitorId: newVisitorId(),
  userId: null,
  version: 3,
  channelVersion: "00ff00ff00ff",
};

test("a token says what was signed, on its own channel, until it ends", () => {
  const at = new TestClock();
  const mine = { ...context, clock: at };
  for (const one of [visitor, { ...visitor, userId: "سارة 😀" }]) {
    const token = signVisitor(mine, one);
    assert.deepEqual(readToken(mine, one.channelId, token), one);
    assert.equal(readToken(mine, "0190aaaa-0000-7000-8000-000000000002", token), null);
  }
  const token = signVisitor(mine, visitor);
  at.advance(TOKEN_LIFE_MS - 1_000);
  assert.notEqual(readToken(mine, visitor.channelId, token), null);
  at.advance(1_000);
  assert.equal(readToken(mine, visitor.channelId, token), null);
});

test("nothing else is a token: one character changed, another key, another signature, a bare id", () => {
  const token = signVisitor(context, visitor);
  const read = (text: string) => readToken(context, visitor.channelId, text);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === "A" ? "B" : "A";
    assert.equal(read(token.slice(0, at) + other + token.slice(at + 1)), null, `at ${at}`);
  }
  const [claims = "", signature = ""] = token.split(".");
  const forged = (key: string | Buffer) =>
    `${claims}.${createHmac("sha256", key).update(claims).digest("base64url")}`;
  const others = createSealer(randomBytes(32));
  for (const text of [
    "",
    ".",
    visitor.visitorId,
    claims,
    `${claims}.`,
    `.${signature}`,
    `${token}.`,
    `${token}=`,
    `${token}A`,
    ` ${token}`,
    `${claims}.${Buffer.from(signature, "base64url").toString("hex")}`,
    forged(""),
    forged(visitor.channelId),
    forged(others.derive("web chat visitor")),
    forged(context.sealer.derive("web chat upload")),
    signVisitor({ ...context, sealer: others }, visitor),
    "A".repeat(1_000_000),
  ])
    assert.equal(read(text), null, text.slice(0, 80));
});

test("visitor ids are 128 random bits each", () => {
  const ids = new Set(Array.from({ length: 1_000 }, newVisitorId));
  assert.equal(ids.size, 1_000);
  for (const id of ids) assert.match(id, /^v_[A-Za-z0-9_-]{22}$/);
});

/** Computed with Python and openssl; the first stands in docs/web-chat.md. */
const VECTORS: readonly (readonly [secret: string, id: string, hash: string])[] = [
  [
    "parley-identity-secret",
    "user-42",
    "ffb1a4cedf5ade288750973e5ed16127b69457618d583ce80baf7e2db53b4eb1",
  ],
  // RFC 4231, test case 2.
  [
    "Jefe",
    "what do ya want for nothing?",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    "parley-identity-secret",
    "سارة@متجر.example",
    "54cda15a8903c74b35d7f533e5a765969c269c51c73046635681b8c2b9384732",
  ],
];

test("a user's proof is hex HMAC-SHA256 of the id under the channel's secret", () => {
  for (const [secret, id, hash] of VECTORS) {
    assert.equal(identityHash(secret, id), hash);
    assert.ok(isIdentityProven(secret, id, hash));
    assert.ok(isIdentityProven(secret, id, hash.toUpperCase()));
    for (const wrong of [
      "",
      hash.slice(0, -1),
      `${hash}0`,
      `${hash.slice(0, -1)}g`,
      hash.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      createHmac("sha1", secret).update(id).digest("hex"),
      createHmac("sha256", secret).update(`${id} `).digest("hex"),
      createHmac("sha256", id).update(secret).digest("hex"),
      createHmac("sha256", secret).update(id).digest("base64"),
    ])
      assert.equal(isIdentityProven(secret, id, wrong), false, wrong);
    assert.equal(isIdentityProven(undefined, id, hash), false);
    assert.equal(
      isIdentityProven("", id, createHmac("sha256", "").update(id).digest("hex")),
      false,
    );
  }
});
