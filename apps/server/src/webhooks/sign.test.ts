import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { newSecret, signatureHeaders } from "./sign.ts";

const at = new Date("2026-11-21T10:00:00.900Z");
const delivery = { id: "0190a000-0000-7000-8000-000000000001", body: Buffer.from('{"a":"é"}'), at };

test("a secret is whsec_ and 32 bytes in base64", () => {
  const secret = newSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(secret, newSecret());
});

test("the service signature is hex over seconds, a dot and the raw body, with the secret as shown as its key", () => {
  const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  const header = signatureHeaders(delivery, [secret])["x-service-signature"];
  // printf '1795255200.{"a":"é"}' | openssl dgst -sha256 -hmac "$secret"
  const digest = "62a96fa6d8d82dac997c069654dd1d6786502179cfab705616b718f0d17d2c91";
  assert.equal(header, `t=1795255200,v1=${digest}`);
});

test("the public Standard Webhooks library accepts the three headers, and both secrets during a rotation", () => {
  const [fresh, old] = [newSecret(), newSecret()];
  const now = { ...delivery, at: new Date() };
  const headers = signatureHeaders(now, [fresh, old]);
  for (const secret of [fresh, old]) {
    assert.deepEqual(new Webhook(secret).verify(now.body, headers), { a: "é" });
  }
  assert.throws(() => new Webhook(newSecret()).verify(now.body, headers));
  assert.throws(() => new Webhook(fresh).verify('{"a":"e"}', headers));
});

test("during a rotation the service signature has one v1, made with the first secret", () => {
  const header = signatureHeaders(delivery, ["whsec_AAAA", "whsec_BBBB"])["x-service-signature"];
  const digest = createHmac("sha256", "whsec_AAAA").update("1795255200.").update(delivery.body);
  assert.equal(header, `t=1795255200,v1=${digest.digest("hex")}`);
});

test("no other body, time or secret has the same signature", () => {
  const secret = newSecret();
  const sign = (body: Buffer, time: Date, key: string) =>
    signatureHeaders({ id: delivery.id, body, at: time }, [key])["x-service-signature"];
  const genuine = sign(delivery.body, at, secret);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (bytes) => {
      const body = Buffer.from(bytes);
      return body.equals(delivery.body) || sign(body, at, secret) !== genuine;
    }),
  );
  assert.notEqual(sign(delivery.body, new Date(at.getTime() + 1_000), secret), genuine);
  assert.notEqual(sign(delivery.body, at, newSecret()), genuine);
});
