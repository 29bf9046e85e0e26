import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newSecret, signatureHeaders } from "../../../apps/server/src/webhooks/sign.ts";
import { verifyWebhook, WebhookError, type WebhookHeaders } from "../src/webhooks.ts";

const event = {
  id: "01a3b0e2-7c00-7000-8000-0123456789ab", type: "message.status", apiVersion: "1.0.0",
  createdAt: "2026-11-21T10:00:00.000Z", workspaceId: "w", sequence: 7,
  data: { messageId: "m", status: "read", note: "مرحبا é 👋" },
}; // oxfmt-ignore
const body = Buffer.from(JSON.stringify(event));
const at = new Date("2026-11-21T10:00:00.000Z");
const [secret, other] = [newSecret(), newSecret()];
const seconds = (by: number) => new Date(at.getTime() + by * 1_000);
type Secrets = [string, ...string[]];
const signed = (...secrets: Secrets) => signatureHeaders({ id: event.id, body, at }, secrets);
const only = (headers: Record<string, string>, start: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(start)));

/** What the server signs, one form at a time. */
const forms = {
  "X-Service-Signature": (...secrets: Secrets) => only(signed(...secrets), "x-service"),
  "Standard Webhooks": (...secrets: Secrets) => only(signed(...secrets), "webhook-"),
};
const refused = (code: string) => (error: unknown) =>
  error instanceof WebhookError && error instanceof Error && error.code === code;

for (const [name, sign] of Object.entries(forms)) {
  const verify = (headers: WebhookHeaders, now = at, with_: string | string[] = secret) =>
    verifyWebhook(body, headers, with_, { now });

  test(`${name}: what the server signed gives its event`, async () => {
    assert.deepEqual(await verify(sign(secret)), event);
  });

  test(`${name}: the body is text, bytes of any kind, and headers come as every server gives them`, async () => {
    const headers = sign(secret);
    const view = new Uint8Array([0, ...body, 0]).subarray(1, -1);
    const buffer = new Uint8Array(body).buffer;
    for (const one of [body.toString(), body, view, buffer])
      assert.equal((await verifyWebhook(one, headers, secret, { now: at })).id, event.id);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [key.toUpperCase(), [value]]),
    );
    for (const one of [new Headers(headers), upper]) assert.equal((await verify(one)).id, event.id);
  });

  test(`${name}: another secret, another body, another time or a cut signature is WRONG_SIGNATURE`, async () => {
    const headers = sign(secret);
    await assert.rejects(verify(headers, at, other), refused("WRONG_SIGNATURE"));
    await assert.rejects(
      verifyWebhook(`${body.toString()} `, headers, secret, { now: at }),
      refused("WRONG_SIGNATURE"),
    );
    const t = String(at.getTime() / 1_000);
    const shifted = mapped(headers, (value) => value.replace(t, String(Number(t) + 1)));
    await assert.rejects(verify(shifted), refused("WRONG_SIGNATURE"));
  });

  test(`${name}: 300 seconds either way pass, 301 do not; the tolerance can be set`, async () => {
    const headers = sign(secret);
    for (const by of [-300, 0, 300]) assert.ok(await verify(headers, seconds(by)));
    for (const by of [-301, 301])
      await assert.rejects(verify(headers, seconds(by)), refused("STALE_SIGNATURE"));
    const strict = { now: seconds(11), toleranceSeconds: 10 };
    await assert.rejects(verifyWebhook(body, headers, secret, strict), refused("STALE_SIGNATURE"));
    const forged = verify(sign(other), seconds(9_999));
    await assert.rejects(
      forged,
      refused("WRONG_SIGNATURE"),
      "time is believed after the proof only",
    );
  });

  test(`${name}: while a secret replaces another, a receiver that accepts both misses nothing`, async () => {
    for (const one of [sign(other), sign(secret), sign(other, secret), sign(secret, other)])
      assert.ok(await verify(one, at, [secret, other]));
    // Signatures of both travel in the Standard header alone.
    const newest = verify(sign(other, secret), at, secret);
    if (name === "Standard Webhooks") assert.ok(await newest);
    else await assert.rejects(newest, refused("WRONG_SIGNATURE"));
    const third = verify(sign(other, secret), at, newSecret());
    await assert.rejects(third, refused("WRONG_SIGNATURE"));
  });

  test(`${name}: what is no signature is MALFORMED_SIGNATURE`, async () => {
    const broken = [
      "",
      "x",
      "t=,v1=",
      "t=1",
      "v1=00",
      "t=1,t=2,v1=00",
      "t=a,v1=00",
      "t=1,v1=0g",
      "t=1,v1=000",
    ];
    const values = name === "Standard Webhooks" ? ["", "v2,AA==", "v1,*"] : broken;
    const key = name === "Standard Webhooks" ? "webhook-signature" : "x-service-signature";
    for (const value of values) {
      const headers = { ...sign(secret), [key]: value };
      await assert.rejects(verify(headers), refused("MALFORMED_SIGNATURE"), value);
    }
  });
}

function mapped(headers: Record<string, string>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));
}

test("what the public standardwebhooks library signs is taken, and it takes what we take", async () => {
  const library = new Webhook(secret);
  const text = body.toString();
  const now = new Date();
  const headers = {
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": library.sign(event.id, now, text),
  };
  assert.deepEqual(await verifyWebhook(text, headers, secret), event);
  assert.ok(library.verify(text, signatureHeaders({ id: event.id, body, at: now }, [secret])));
});

test("a signature made by hand from the spec's words is taken", async () => {
  const t = Math.floor(Date.now() / 1_000);
  const digest = createHmac("sha256", secret).update(`${t}.${body.toString()}`).digest("hex");
  const headers = { "X-Service-Signature": `t=${t},v1=${digest}` };
  assert.deepEqual(await verifyWebhook(body, headers, secret), event);
});

test("the value of the header alone is taken, as a framework gives it; one that did not come is NO_SIGNATURE", async () => {
  const value = signed(secret)["x-service-signature"] ?? "";
  for (const one of [value, [value]])
    assert.deepEqual(await verifyWebhook(body, one, secret, { now: at }), event);
  for (const none of [undefined, null])
    await assert.rejects(verifyWebhook(body, none, secret), refused("NO_SIGNATURE"));
  await assert.rejects(verifyWebhook(body, "", secret), refused("MALFORMED_SIGNATURE"));
});

test("no signature is NO_SIGNATURE; signed bytes that are no event are MALFORMED_BODY", async () => {
  await assert.rejects(verifyWebhook(body, {}, secret), refused("NO_SIGNATURE"));
  await assert.rejects(verifyWebhook(body, { "webhook-id": "x" }, secret), refused("NO_SIGNATURE"));
  for (const text of ["", "{", "null", "[]", '{"type":"a"}', "\xff"]) {
    const bytes = Buffer.from(text, "latin1");
    const headers = signatureHeaders({ id: "x", body: bytes, at }, [secret]);
    await assert.rejects(
      verifyWebhook(bytes, headers, secret, { now: at }),
      refused("MALFORMED_BODY"),
      text,
    );
  }
});

test("a parsed body and an empty secret are mistakes of the program, told as TypeErrors", async () => {
  // @ts-expect-error a parsed body has lost its bytes
  await assert.rejects(verifyWebhook(event, signed(secret), secret), TypeError);
  const said = {
    name: "TypeError",
    message: "secret must be the endpoint's secret: is the variable set that holds it?",
  };
  for (const none of ["", [], [""], process.env["NO_SUCH_SECRET"]])
    await assert.rejects(verifyWebhook(body, signed(secret), none), said);
});
