import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createUnifonicEmulator, type UnifonicEmulator } from "@parley/emulators";
import { dumpDatabase } from "../dump-database.ts";
import { canaries, startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** The whole way over real HTTP: our API, the emulated Unifonic, and its receipts to our public address. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let gateway: UnifonicEmulator;
let stand: GatewayStand;

before(async () => {
  stands = await startGatewayStand();
  gateway = await createUnifonicEmulator({
    delivery: "manual",
    accounts: [{ appSid: "s3cret", senders: ["SHOP"] }],
  });
  stand = await stands.shop(
    () => ({ provider: "unifonic", appSid: "s3cret", from: "SHOP", apiUrl: gateway.url }),
    (url) => gateway.enterReceiptUrl("s3cret", url),
  );
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

test("what Unifonic refuses has its normal word and costs nothing", async () => {
  const before_ = await stand.credits();
  for (const [mobile, errorCode] of [
    ["99950000003", "GATEWAY_AUTH"],
    ["99950000010", "INVALID_NUMBER"],
    ["99950000080", "REJECTED"],
    ["99950000082", "INVALID_NUMBER"],
    ["99950000429", "GATEWAY_RATE_LIMITED"],
    ["99950000599", "GATEWAY_UNAVAILABLE"],
  ] as const) {
    const answer = await stand.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, errorCode], mobile);
  }
  assert.equal(await stand.credits(), before_);
});

test("permanent and passing failures are told by the receipt", async () => {
  for (const [mobile, code] of [
    ["99950000101", "UNREACHABLE_NUMBER"],
    ["99950000102", "GATEWAY_UNAVAILABLE"],
    ["99950000103", "REJECTED"],
  ] as const) {
    const { requestId } = await stand.send(mobile);
    await gateway.flush();
    assert.deepEqual(await stand.statusOf(requestId), { status: "failed", code }, mobile);
  }
});

test("early, repeated and late receipts leave the truth", async () => {
  for (const mobile of ["99950000904", "99950000905"]) {
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
  const { sent, results } = await canaries(stand, gateway, [401, 429, 449, 410]);
  const stored = await dumpDatabase(stand.t.databaseUrl);
  assert.ok(stored.includes(stand.workspaceId) && sent.length === 9);
  for (const canary of [...sent, "s3cret"])
    for (const [place, text] of Object.entries({ stored, results, logged: stand.log() }))
      assert.ok(!text.includes(canary), `${canary} is in what is ${place}`);
});
