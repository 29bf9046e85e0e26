import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createInfobipEmulator, type InfobipEmulator } from "@parley/emulators";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { dumpDatabase } from "../dump-database.ts";
import { canaries, startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** The whole way over real HTTP: our API, the emulated Infobip, and its receipts to our public address. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let gateway: InfobipEmulator;
let stand: GatewayStand;

before(async () => {
  stands = await startGatewayStand();
  gateway = await createInfobipEmulator({ delivery: "manual", apiKeys: ["s3cret"] });
  stand = await stands.shop(() => ({
    provider: "infobip",
    apiKey: "s3cret",
    from: "SHOP",
    apiUrl: gateway.url,
  }));
});
after(async () => {
  await gateway.close();
  await stands[Symbol.asyncDispose]();
});
beforeEach(() => gateway.clear());

test("a passcode goes out, and its receipt carries it to delivered", async () => {
  const text = "رمزك 482913";
  const { requestId, sent } = await stand.send("+965 5000 1234", text, "A");
  assert.equal(sent, true);
  const message = gateway.messages().at(-1);
  assert.deepEqual([message?.text, message?.correlation], [text, requestId]);
  await gateway.flush();
  assert.deepEqual(await stand.moves(requestId), [
    [null, "sent"],
    ["sent", "delivered"],
  ]);
});

test("what Infobip refuses has its normal word and costs nothing", async () => {
  const before_ = await stand.credits();
  for (const [mobile, errorCode] of [
    ["99950000003", "GATEWAY_AUTH"],
    ["99950000006", "UNREACHABLE_NUMBER"],
    ["99950000008", "BLOCKED_BY_RECIPIENT"],
    ["99950000012", "GATEWAY_CREDIT"],
    ["99950000014", "INVALID_NUMBER"],
    ["99950000021", "GATEWAY_UNAVAILABLE"],
    ["99950000429", "GATEWAY_RATE_LIMITED"],
  ] as const) {
    const answer = await stand.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, errorCode], mobile);
  }
  assert.equal(await stand.credits(), before_);
});

/** Infobip, "Receive inbound MMS messages" (MO_MMS_2), as nyaruka/courier and Infobip's own clients test it. */
const mms = (from: string, ...parts: readonly object[]) => ({
  results: [
    {
      messageId: `817790313235066447-${from}`,
      from,
      to: "385921004026",
      receivedAt: "2016-10-06T09:28:39.220+0000",
      userAgent: "iPhone_12_Pro_Max_A2342",
      message: parts,
      price: { pricePerMessage: 0, currency: "EUR" },
    },
  ],
  messageCount: 1,
  pendingMessageCount: 0,
});

test("a stop word that comes as an MMS opts out; a picture alone, and other words, do not", async () => {
  const picture = { contentType: "image/jpeg", url: "https://examplelink.com/123456" };
  const said = (value: string) => ({ contentType: "text/plain", value });
  for (const [from, parts, optedOut] of [
    ["99950003001", [picture, said("STOP")], true],
    ["99950003002", [picture, said("This is message text")], false],
    ["99950003003", [picture], false],
    ["99950003004", [{ contentType: "text/plain; charset=utf-8", value: "إلغاء" }], true],
  ] as const) {
    const answer = await fetch(stand.receiptUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(mms(from, ...parts)),
    });
    assert.equal(answer.status, 200);
    const contact = await createContact(OPERATOR, stand.t.app, stand.workspaceId, { phone: from });
    assert.equal(contact.optedOut, optedOut, from);
  }
});

test("permanent and passing failures are told by the receipt", async () => {
  for (const [mobile, code] of [
    ["99950000101", "INVALID_NUMBER"],
    ["99950000102", "GATEWAY_UNAVAILABLE"],
    ["99950000103", "UNREACHABLE_NUMBER"],
  ] as const) {
    const { requestId } = await stand.send(mobile);
    await gateway.flush();
    assert.deepEqual(await stand.statusOf(requestId), { status: "failed", code }, mobile);
  }
});

test("an answer that is lost is corrected by the receipt", async () => {
  const { requestId, sent } = await stand.send("99950000911");
  assert.equal(sent, false);
  assert.equal((await stand.statusOf(requestId))?.status, "unknown");
  await gateway.flush();
  assert.equal((await stand.statusOf(requestId))?.status, "delivered");
});

test("early, repeated and late receipts leave the truth", async () => {
  for (const mobile of ["99950000904", "99950000905", "99950000908"]) {
    const { requestId } = await stand.send(mobile);
    await gateway.flush();
    assert.equal((await stand.statusOf(requestId))?.status, "delivered", mobile);
  }
});

test("a receipt without the account's token changes nothing", async () => {
  const { requestId } = await stand.send("99950000907");
  const call = gateway.callbacks().at(-1)?.call;
  const id = gateway.messages().at(-1)?.id ?? "";
  gateway.status({ id, state: "delivered" });
  await gateway.flush();
  const real = gateway.callbacks().at(-1)?.call ?? call;
  assert.ok(real);
  const forged = await stand.send("99950000907");
  const url = new URL(real.url);
  url.searchParams.set("k", "x".repeat(32));
  const body = (real.body ?? "").replaceAll(id, gateway.messages().at(-1)?.id ?? "");
  const { status } = await fetch(url, { method: "POST", headers: real.headers, body });
  assert.equal(status, 401);
  assert.equal((await stand.statusOf(requestId))?.status, "delivered");
  assert.equal((await stand.statusOf(forged.requestId))?.status, "sent");
});

test("the text is nowhere, and neither are the account's secrets", async () => {
  const { sent, results } = await canaries(stand, gateway, [401, 429, 14, 400]);
  const stored = await dumpDatabase(stand.t.databaseUrl);
  assert.ok(stored.includes(stand.workspaceId) && sent.length === 9);
  for (const canary of [...sent, "s3cret"])
    for (const [place, text] of Object.entries({ stored, results, logged: stand.log() }))
      assert.ok(!text.includes(canary), `${canary} is in what is ${place}`);
});
