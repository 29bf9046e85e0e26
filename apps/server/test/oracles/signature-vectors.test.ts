import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { AlgorithmTypes, Auth } from "@vonage/auth";
import { SMS } from "@vonage/sms";
import { Webhook } from "standardwebhooks";
import { isIdentityProven } from "../../src/chat/identity-proof.ts";
import type { ChannelAccount, RawWebhook } from "../../src/channels/adapter.ts";
import type { ChannelType } from "../../src/wire/words.ts";
import { adapterFor } from "../../src/channels/registry.ts";
import { twilio } from "../../src/sms/providers/twilio.ts";
import { vonage } from "../../src/sms/providers/vonage.ts";
import { signatureHeaders } from "../../src/webhooks/sign.ts";
import { smsAccount } from "../sms-provider-bench.ts";

/**
 * Every published or independently computed signature, through the very functions that the hooks call: it passes, one
 * changed byte of anything fails, and no shape of a signature makes them throw.
 */
interface Vector {
  readonly name: string;
  /** Whether a call is let in. */
  readonly accepts: (body: string, signature: string, secret: string) => boolean;
  readonly body: string;
  readonly signature: string;
  readonly secret: string;
  /** Where the letters and digits of the digest stand in `signature`. */
  readonly hex: boolean;
}

const account = (type: ChannelType, secrets: Record<string, string>): ChannelAccount => ({
  channelId: "c",
  workspaceId: "w",
  type,
  externalId: "1",
  apiUrl: "",
  settings: {},
  secrets,
});
function channel(type: ChannelType, header: string, secretName: string, receivedAt?: Date) {
  return (body: string, signature: string, secret: string): boolean => {
    const request: RawWebhook = {
      body: Buffer.from(body),
      headers: { [header]: signature },
      query: {},
      ...(receivedAt && { receivedAt }),
    };
    return adapterFor(type)?.verify(request, account(type, { [secretName]: secret })) ?? false;
  };
}
const META = String.raw`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[{"text":{"body":"\u0645\u0631\u062d\u0628\u0627 \/ caf\u00e9"}}]}}]}]}`;
const META_SIGNATURE = "sha256=3b9a6d66c84a5473e427d05583c1520b8db9037b91926f242e4e5a741a4190f2";

function twilioCall(url: string) {
  return (body: string, signature: string, secret: string): boolean =>
    twilio.verify(
      { body: Buffer.from(body), headers: { "x-twilio-signature": signature }, query: {} },
      url,
      smsAccount("twilio", { accountSid: "AC1" }, { authToken: secret }),
    );
}

const sdk = new SMS(new Auth({ apiKey: "abcd1234", apiSecret: "s" }));
const VONAGE = {
  msisdn: "96550000001",
  to: "SHOP",
  messageId: "aaaaaaaa-bbbb-cccc-dddd-0123456789ab",
  status: "delivered",
  "client-ref": "a=b&c",
  timestamp: "1700000000",
  nonce: "n",
};
/** As the documentation describes it; the SDK is asked whether it agrees. */
function documented(method: string, fields: Record<string, string>, key: string): string {
  const text = Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `&${name}=${value.replaceAll(/[&=]/g, "_")}`)
    .join("");
  if (method !== "md5hash") return createHmac(method, key).update(text).digest("hex");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
}
function vonageCall(method: string) {
  return (body: string, signature: string, secret: string): boolean =>
    vonage.verify(
      {
        body: Buffer.from(JSON.stringify({ ...(JSON.parse(body) as object), sig: signature })),
        headers: {},
        query: {},
      },
      "",
      smsAccount("vonage", { signatureMethod: method }, { signatureSecret: secret }),
    );
}

const VECTORS: readonly Vector[] = [
  ...(["WHATSAPP", "MESSENGER", "INSTAGRAM"] as const).map((type) => ({
    name: `Meta, escaped body (${type})`,
    accepts: channel(type, "x-hub-signature-256", "appSecret"),
    body: META,
    signature: META_SIGNATURE,
    secret: "app-secret-1",
    hex: true,
  })),
  {
    name: "TikTok",
    accepts: channel("TIKTOK", "tiktok-signature", "appSecret", new Date(1_700_000_000_000)),
    body: '{"client_key":"app1","event":"im_receive_msg","create_time":1700000000,"user_openid":"biz-123","content":"{}"}',
    signature: "t=1700000000,s=0a0f66ec3999fdf50b82cebccb61d243269fe0037cbe052f1a48404720cf2a0d",
    secret: "tt-secret-1",
    hex: true,
  },
  {
    name: "Twilio, the documentation's",
    accepts: twilioCall("https://mycompany.com/myapp.php?foo=1&bar=2"),
    body: new URLSearchParams({
      CallSid: "CA1234567890ABCDE",
      Caller: "+14158675309",
      Digits: "1234",
      From: "+14158675309",
      To: "+18005551212",
    }).toString(),
    signature: "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
    secret: "12345",
    hex: false,
  },
  {
    name: "Twilio, a receipt",
    accepts: twilioCall("https://hub.example/hooks/twilio/1?m=42"),
    body: new URLSearchParams({
      AccountSid: `AC${"0".repeat(32)}`,
      ApiVersion: "2010-04-01",
      From: "+15551234567",
      MessageSid: `SM${"0".repeat(31)}1`,
      SmsSid: `SM${"0".repeat(31)}1`,
      MessageStatus: "delivered",
      SmsStatus: "delivered",
      To: "+96550000001",
    }).toString(),
    signature: "PVj/Y8itLfUr1xopdz4HnkrHvG4=",
    secret: "twilio_test_auth_token",
    hex: false,
  },
  {
    name: "chat identity hash",
    accepts: (body, signature, secret) => isIdentityProven(secret, body, signature),
    body: "user-42",
    signature: "222180bc7800df0aff480a2eed262cbb6e97d5aa3939683fe39f99305950b9e7",
    secret: "hmac-token-1",
    hex: true,
  },
];

const flip = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);

for (const { name, accepts, body, signature, secret, hex } of VECTORS)
  test(`${name}: the vector passes, any changed byte fails, no shape throws`, () => {
    assert.equal(accepts(body, signature, secret), true);
    for (let at = 0; at < body.length; at++) {
      if (body[at] === "=" || body[at] === "&") continue;
      assert.equal(accepts(flip(body, at), signature, secret), false, `byte ${at} of the body`);
    }
    // The last letter but one of base64 and before: the very last has bits that mean nothing.
    for (let at = hex ? signature.length - 64 : 0; at < signature.length - (hex ? 0 : 2); at++)
      assert.equal(accepts(body, flip(signature, at), secret), false, `byte ${at} of the digest`);
    for (let at = 0; at < secret.length; at++)
      assert.equal(accepts(body, signature, flip(secret, at)), false);
    assert.equal(accepts(body, signature, ""), false);
    const odd = [
      "",
      "=",
      "sha256=",
      "t=,s=",
      signature.slice(1),
      signature.slice(0, -1),
      `${signature}0`,
    ];
    odd.push(
      `${signature},${signature}`,
      ` ${signature}`,
      "é".repeat(64),
      "\u0000",
      "z".repeat(10_000),
    );
    for (const one of odd) assert.equal(accepts(body, one, secret), false, one.slice(0, 80));
    // An upper-case digest is the same bytes: let in or not, but never a throw.
    assert.equal(typeof accepts(body, signature.toUpperCase(), secret), "boolean");
  });

test("Meta: the same JSON written anew does not fit the signature of the escaped bytes", () => {
  const anew = JSON.stringify(JSON.parse(META));
  const accepts = channel("WHATSAPP", "x-hub-signature-256", "appSecret");
  assert.equal(accepts(anew, META_SIGNATURE, "app-secret-1"), false);
  assert.equal(accepts(META, META_SIGNATURE.replace("sha256=", "sha1="), "app-secret-1"), false);
});

test("Telegram: the secret itself, whole and to the letter", () => {
  const accepts = channel("TELEGRAM", "x-telegram-bot-api-secret-token", "secretToken");
  const secret = "A-Za-z0-9_-secret";
  assert.equal(accepts("{}", secret, secret), true);
  for (let at = 0; at < secret.length; at++)
    assert.equal(accepts("{}", flip(secret, at), secret), false);
  for (const odd of ["", secret.slice(1), `${secret}x`, secret.toUpperCase(), "é"])
    assert.equal(accepts("{}", odd, secret), false);
  assert.equal(accepts("{}", "", ""), false);
});

test("Vonage: what its SDK accepts is accepted here, in every method, and nothing else", () => {
  const methods = [
    ["md5hash", AlgorithmTypes.md5hash],
    ["md5", AlgorithmTypes.md5hmac],
    ["sha1", AlgorithmTypes.sha1hmac],
    ["sha256", AlgorithmTypes.sha256hmac],
    ["sha512", AlgorithmTypes.sha512hmac],
  ] as const;
  for (const [method, algorithm] of methods) {
    const body = JSON.stringify(VONAGE);
    const signature = documented(method, VONAGE, "secret-1");
    assert.ok(sdk.verifySignature(signature, VONAGE, "secret-1", algorithm), `${method}: the SDK`);
    const accepts = vonageCall(method);
    assert.equal(accepts(body, signature, "secret-1"), true, method);
    assert.equal(accepts(body, signature.toUpperCase(), "secret-1"), true, method);
    assert.equal(accepts(body.replace("delivered", "failed"), signature, "secret-1"), false);
    assert.equal(accepts(body, flip(signature, 3), "secret-1"), false);
    assert.equal(accepts(body, signature, "secret-2"), false);
    for (const odd of ["", signature.slice(1), `${signature}0`, "é".repeat(40)])
      assert.equal(accepts(body, odd, "secret-1"), false);
  }
});

test("Standard Webhooks: the published vector comes out of our signer and of its library", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"test": 2432232314}';
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  const at = new Date(1_614_265_330_000);
  const headers = signatureHeaders({ id, body: Buffer.from(body), at }, [secret]);
  assert.deepEqual(
    [headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"]],
    [id, "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="],
  );
  assert.equal(new Webhook(secret).sign(id, at, body), headers["webhook-signature"]);
  for (const other of [`${body} `, body.replace("2432232314", "2432232315")])
    assert.notEqual(new Webhook(secret).sign(id, at, other), headers["webhook-signature"]);
});
