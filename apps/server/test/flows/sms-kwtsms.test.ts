import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createKwtSmsEmulator, type KwtSmsEmulator } from "@parley/emulators";
import { dumpDatabase } from "../dump-database.ts";
import { canaries, startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** The whole way over real HTTP: our API and the emulated kwtSMS, which is asked for its reports. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let gateway: KwtSmsEmulator;
let stand: GatewayStand;

before(async () => {
  stands = await startGatewayStand();
  gateway = await createKwtSmsEmulator({
    delivery: "manual",
    accounts: [{ username: "api-user", password: "s3cret", senders: ["KWT-SMS"] }],
  });
  stand = await stands.shop(() => ({
    provider: "kwtsms",
    username: "api-user",
    password: "s3cret",
    from: "KWT-SMS",
    apiUrl: gateway.url,
  }));
});
after(async () => {
  await gateway.close();
  await stands[Symbol.asyncDispose]();
});
beforeEach(() => gateway.clear());

const minutes = async (count: number) => {
  stand.t.clock.advance(count * 60_000);
  await stand.t.app.drain();
};

test("a passcode goes out cleaned, and the report that is asked for carries it to delivered", async () => {
  const { requestId, sent } = await stand.send("+965 5000 1234", "رمزك ٤٨٢٩ 😀", "A");
  assert.equal(sent, true);
  const message = gateway.messages().at(-1);
  assert.deepEqual([message?.text, message?.facts["lang"]], ["رمزك 4829", "3"]);
  await stand.t.app.drain();
  assert.equal(gateway.requests().filter(({ path }) => path === "/API/dlr/").length, 0);
  await minutes(1);
  assert.deepEqual(await stand.moves(requestId), [
    [null, "sent"],
    ["sent", "delivered"],
  ]);
  const asked = gateway.requests().length;
  await minutes(60);
  await minutes(600);
  assert.ok(gateway.requests().length <= asked + 1, "what is settled is not asked for again");
});

test("a report that is not there yet is asked for less and less often, for a day", async () => {
  const { requestId } = await stand.send("99950000907");
  for (let hour = 0; hour < 60; hour++) await minutes(60);
  const asks = () => gateway.requests().filter(({ path }) => path === "/API/dlr/").length;
  const asked = asks();
  assert.ok(asked >= 4 && asked <= 12, `${asked}`);
  await minutes(60 * 24 * 30);
  assert.equal(asks(), asked, "given up after a day");
  assert.equal((await stand.statusOf(requestId))?.status, "sent");
});

test("failures come from the report", async () => {
  for (const [mobile, code] of [
    ["99950000101", "BLOCKED_BY_RECIPIENT"],
    ["99950000102", "GATEWAY_UNAVAILABLE"],
    ["99950000103", "UNREACHABLE_NUMBER"],
  ] as const) {
    const { requestId } = await stand.send(mobile);
    await minutes(1);
    assert.deepEqual(await stand.statusOf(requestId), { status: "failed", code }, mobile);
  }
});

test("what kwtSMS refuses has its normal word and costs nothing; the same number waits 15 seconds", async () => {
  const before_ = await stand.credits();
  for (const [mobile, errorCode] of [
    ["99950000003", "GATEWAY_AUTH"],
    ["99950000010", "GATEWAY_CREDIT"],
    ["99950000025", "INVALID_NUMBER"],
    ["99950000026", "UNREACHABLE_NUMBER"],
    ["99950000013", "GATEWAY_RATE_LIMITED"],
  ] as const) {
    const answer = await stand.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, errorCode], mobile);
  }
  const long = await stand.send("99950001240", "م".repeat(403));
  assert.deepEqual([long.sent, long.errorCode], [false, "REJECTED"]);
  assert.equal(await stand.credits(), before_);
  assert.equal((await stand.send("99950001241")).sent, true);
  assert.equal((await stand.send("99950001241")).errorCode, "GATEWAY_RATE_LIMITED");
  await gateway.advance(15_000);
  assert.equal((await stand.send("99950001241")).sent, true);
});

test("nothing may call in", async () => {
  const url = `${stand.base}/hooks/sms/${stand.providerId}`;
  assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 401);
});

test("the text is nowhere, and neither are the account's secrets", async () => {
  const { sent, results } = await canaries(stand, gateway, [3, 25, 28, 31]);
  await minutes(5);
  const stored = await dumpDatabase(stand.t.databaseUrl);
  assert.ok(stored.includes(stand.workspaceId) && sent.length === 9);
  for (const canary of [...sent, "s3cret"])
    for (const [place, text] of Object.entries({ stored, results, logged: stand.log() }))
      assert.ok(!text.includes(canary), `${canary} is in what is ${place}`);
});
