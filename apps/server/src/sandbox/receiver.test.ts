import assert from "node:assert/strict";
import { test } from "node:test";
import { signatureHeaders } from "../webhooks/sign.ts";
import { AnswerPace, autoReply } from "./auto-reply.ts";
import { isSigned } from "./receiver.ts";

test("the receiver accepts a signature over these bytes with this secret that is five minutes old at most", () => {
  const at = new Date("2026-11-21T10:00:00Z");
  const body = Buffer.from('{"text":"مرحبا"}');
  const header = signatureHeaders({ id: "1", body, at }, ["whsec_bmV3"])["x-service-signature"];
  assert.ok(header);
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  assert.equal(isSigned(header, body, "whsec_bmV3", later(300)), true);
  assert.equal(isSigned(header, body, "whsec_bmV3", later(-300)), true);
  assert.equal(isSigned(header, body, "whsec_bmV3", later(301)), false);
  assert.equal(isSigned(header, Buffer.from("{}"), "whsec_bmV3", at), false);
  assert.equal(isSigned(header, body, "whsec_other", at), false);
  for (const bad of ["", "t=,v1=", "v1=00", "t=x,v1=y", `t=${at.getTime() / 1000}`])
    assert.equal(isSigned(bad, body, "whsec_bmV3", at), false, bad);
});

test("a sandbox customer answers in the language of the text, at most once a minute", () => {
  assert.match(autoReply("مرحبا", 0), /[\u0600-\u06ff]/);
  assert.match(autoReply("hello", 1), /^[\x20-\x7e]+$/);
  const pace = new AnswerPace();
  assert.equal(pace.allow("1", 0), true);
  assert.equal(pace.allow("1", 59_999), false);
  assert.equal(pace.allow("2", 59_999), true);
  assert.equal(pace.allow("1", 60_000), true);
});
