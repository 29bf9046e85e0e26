import { KEY } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createKwtSmsEmulator, createSmppEmulator, createVonageEmulator } from "@parley/emulators";
import { beginBatch } from "../../src/broadcasts/send/begin-batch.ts";
import { cancelBroadcast } from "../../src/broadcasts/record/change-broadcast.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { estimateBroadcast } from "../../src/broadcasts/audience/estimate-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { makeCalls } from "../../src/broadcasts/send/make-calls.ts";
import { planBroadcast } from "../../src/broadcasts/send/plan-sending.ts";
import { settleBatch } from "../../src/broadcasts/send/settle-batch.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { sweepRecipients } from "../../src/broadcasts/send/sweep-recipients.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { setConsent } from "../../src/contacts/consent/set-consent.ts";
import { sql } from "../../src/db/sql.ts";
import { sendOtp } from "../../src/otp/send-otp.ts";
import { runErasureBatch } from "../../src/persons/run-erasures.ts";
import { startErasure } from "../../src/persons/start-erasure.ts";
import { startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** Sends a campaign to three numbers and gives it as it stands when no work is left. */
async function campaign({ t, workspaceId }: GatewayStand, numbers: readonly string[]) {
  const { app } = t;
  for (const phone of numbers)
    await createContact(OPERATOR, app, workspaceId, { name: phone, phone });
  const input = { name: "Sale", kind: "SMS", body: "مرحبا {{name}}" } as const;
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, input);
  await startBroadcast(OPERATOR, app, workspaceId, id);
  for (let round = 0; round < 5; round++) {
    await app.drain();
    t.clock.advance(1_000);
  }
  return () => findBroadcast(app, workspaceId, id);
}

const HUNDREDS = Array.from({ length: 300 }, (_, n) => `96550001${String(n).padStart(3, "0")}`);

const startKwtSms = () =>
  createKwtSmsEmulator({
    delivery: "manual",
    accounts: [{ username: "api-user", password: "s3cret", senders: ["KWT-SMS"] }],
  });
const accountAt = (apiUrl: string) => ({
  provider: "kwtsms" as const,
  username: "api-user",
  password: "s3cret",
  from: "KWT-SMS",
  apiUrl,
});

test("an SMS campaign runs over Vonage and over SMPP as over Twilio: each once, receipts move it", async () => {
  await using stands = await startGatewayStand();
  await using vonage = await createVonageEmulator({
    delivery: "manual",
    accounts: [{ apiKey: "k", apiSecret: "s3cret" }],
  });
  await using smsc = await createSmppEmulator({
    accounts: [{ systemId: "parley", password: "s3cret" }],
  });
  const shops: [
    GatewayStand,
    { readonly ledger: typeof vonage.ledger; flush(): Promise<number> },
  ][] = [
    [
      await stands.shop(() => ({
        provider: "vonage",
        apiKey: "k",
        apiSecret: "s3cret",
        from: "SHOP",
        apiUrl: vonage.url,
      })),
      vonage,
    ],
    [
      await stands.shop(() => ({
        provider: "smpp",
        systemId: "parley",
        password: "s3cret",
        from: "SHOP",
        apiUrl: smsc.url,
      })),
      smsc,
    ],
  ];
  for (const [stand, gateway] of shops) {
    const before = gateway.ledger.total;
    const look = await campaign(stand, ["99950003001", "99950003002", "99950000101"]);
    const sent = await look();
    assert.deepEqual([sent.status, sent.sentCount], ["COMPLETED", 3]);
    assert.equal(gateway.ledger.total, before + 3);
    assert.deepEqual(gateway.ledger.repeated(), []);
    await gateway.flush();
    assert.ok((await look()).deliveredCount >= 2);
  }
});

test("a gateway's word for too fast halves the campaign's pace once, and everybody is reached: ERR028, Vonage's 1", async () => {
  await using stands = await startGatewayStand();
  await using kwtsms = await startKwtSms();
  await using vonage = await createVonageEmulator({
    delivery: "manual",
    accounts: [{ apiKey: "k", apiSecret: "s3cret" }],
  });
  const account = { apiKey: "k", apiSecret: "s3cret", from: "SHOP", apiUrl: vonage.url };
  const shops = [
    [await stands.shop(() => accountAt(kwtsms.url)), kwtsms, 28],
    [await stands.shop(() => ({ provider: "vonage", ...account })), vonage, 1],
  ] as const;
  for (const [{ t, workspaceId }, gateway, code] of shops) {
    const { app } = t;
    gateway.clear();
    for (const phone of ["99950003101", "99950003102", "99950003103"])
      await createContact(OPERATOR, app, workspaceId, { phone });
    const input = { name: "Sale", kind: "SMS", body: "Sale", rateLimitPerMinute: 600 } as const;
    const { id } = await createBroadcast(OPERATOR, app, workspaceId, input);
    gateway.fault({ kind: "code", code });
    await startBroadcast(OPERATOR, app, workspaceId, id);
    for (let round = 0; round < 4; round++) {
      await app.drain();
      t.clock.advance(20_000);
    }
    const done = await findBroadcast(app, workspaceId, id);
    assert.deepEqual([done.status, done.sentCount, done.rateLimitPerMinute], ["COMPLETED", 3, 300]);
    assert.deepEqual(gateway.ledger.repeated(), []);
  }
});

test("kwtSMS calls nobody back: a campaign's receipts are asked for, each until it is known", async () => {
  await using stands = await startGatewayStand();
  await using kwtsms = await startKwtSms();
  const stand = await stands.shop(() => accountAt(kwtsms.url));
  const { app } = stand.t;
  const asked = () => kwtsms.requests().filter(({ path }) => path === "/API/dlr/");
  const waiting = async () =>
    (await app.db.query(sql`select 1 from sms_look_up where workspace_id = ${stand.workspaceId}`))
      .length;
  // Delivered, stopped by its recipient, no report for a long time, refused in the answer, answer lost.
  const numbers = ["99950003001", "99950000101", "99950000907", "99950000025", "99950000911"];
  const look = await campaign(stand, numbers);
  assert.equal(kwtsms.ledger.total, 1 + 4);
  assert.deepEqual(kwtsms.ledger.repeated(), []);
  assert.deepEqual([asked().length, await waiting()], [0, 5]);
  const minutes = async (count: number) => {
    stand.t.clock.advance(count * 60_000);
    await app.drain();
  };
  await minutes(1);
  assert.equal(asked().length, 3);
  const known = await look();
  assert.deepEqual([known.deliveredCount, known.failedCount], [1, 2]);
  // Each is asked for by the id that kwtSMS gave it, never by another.
  const ids = new Set(kwtsms.messages().map(({ id }) => id));
  for (const { body } of asked()) assert.ok(ids.has((JSON.parse(body) as { msgid: string }).msgid));
  for (let hour = 0; hour < 40; hour++) await minutes(60);
  const { length } = asked();
  assert.ok(length > 5 && length < 16, `${length}`);
  assert.equal(await waiting(), 0);
  assert.equal(asked().length, length);
  assert.equal(kwtsms.ledger.total, 1 + 4);
});

test("the answer of a gateway that is stored twice, because nobody heard that it was, gives its credits back once", async () => {
  await using stands = await startGatewayStand();
  await using kwtsms = await startKwtSms();
  const stand = await stands.shop(() => accountAt(kwtsms.url));
  const { app } = stand.t;
  const { workspaceId } = stand;
  // Taken, refused in the answer.
  for (const phone of ["99950003001", "99950000025"])
    await createContact(OPERATOR, app, workspaceId, { name: phone, phone });
  const input = { name: "Sale", kind: "SMS", body: "Sale" } as const;
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, input);
  const before = (await stand.credits()) ?? 0;
  await startBroadcast(OPERATOR, app, workspaceId, id);
  await storeChunk(app, { workspaceId, id });
  const plan = await planBroadcast(app, await findBroadcast(app, workspaceId, id));
  assert.ok("send" in plan);
  const begun = await beginBatch(app, { workspaceId, id }, plan, 2);
  assert.ok(begun.kind === "begun");
  assert.equal(await stand.credits(), before - 2);
  await makeCalls(app, plan, begun.calls, async (answers) => {
    for (let time = 0; time < 2; time++) await settleBatch(app, begun.broadcast, answers, plan);
  });
  assert.equal(await stand.credits(), before - 1);
  const { sentCount, failedCount } = await findBroadcast(app, workspaceId, id);
  assert.deepEqual([sentCount, failedCount], [1, 1]);
});

test("credits for messages that will not be sent are returned: of recipients skipped or erased between tries, and of a cancelled campaign", async () => {
  await using stands = await startGatewayStand();
  await using kwtsms = await startKwtSms();
  const stand = await stands.shop(() => accountAt(kwtsms.url));
  const { t, workspaceId } = stand;
  const { app } = t;
  const people = [];
  for (const phone of ["99950003001", "99950003002", "99950003003"])
    people.push(await createContact(OPERATOR, app, workspaceId, { name: phone, phone }));
  // Two parts as it stands, one as the gateway is sent it.
  const body = `Sale ${"\u0665\u0660"} ${"x".repeat(71)}\u{1f600}`;
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, {
    name: "Sale",
    kind: "SMS",
    body,
  });
  const key = { workspaceId, id };
  const before = (await stand.credits()) ?? 0;
  await startBroadcast(OPERATOR, app, workspaceId, id);
  await storeChunk(app, key);
  const unreached = async () => {
    const planned = await planBroadcast(app, await findBroadcast(app, workspaceId, id));
    assert.ok("send" in planned);
    // All three at once, which this gateway's pace would not allow.
    const { most: _, ...plan } = planned;
    const begun = await beginBatch(app, key, plan, 3);
    assert.ok(begun.kind === "begun");
    const outcome = { ok: false, reason: "unreachable", code: "DOWN", detail: "no way" } as const;
    const answers = begun.calls.map((call) => ({ call, outcome }));
    const end = { flightId: begun.flightId, certain: false };
    await settleBatch(app, begun.broadcast, answers, plan, { end });
    t.clock.advance(60_000);
    return stand.credits();
  };
  // Tried again: not given back, nor taken a second time.
  assert.equal(await unreached(), before - 3);
  const [first, second, third] = people;
  await app.db.transaction((tx) =>
    setConsent(app, tx, [
      {
        workspaceId,
        contactId: first?.id ?? "",
        optedOut: true,
        source: "test",
        at: t.clock.now(),
      },
    ]),
  );
  assert.equal(await unreached(), before - 2);
  const erase = async (contactId = "") => {
    await startErasure(OPERATOR, app, workspaceId, contactId);
    while (await runErasureBatch(app));
  };
  await erase(third?.id);
  assert.equal(await stand.credits(), before - 1);
  await cancelBroadcast(OPERATOR, app, workspaceId, id);
  for (let round = 0; round < 2; round++) await sweepRecipients(app);
  assert.equal(await stand.credits(), before);
  const { skippedCount, totalCount } = await findBroadcast(app, workspaceId, id);
  assert.deepEqual([skippedCount, totalCount], [2, 3]);
  await erase(second?.id);
  assert.equal(await stand.credits(), before, "once");
});

test("kwtSMS cleans a text before it sends it: the campaign and the passcode cost what is sent, and go as what it is", async () => {
  await using stands = await startGatewayStand();
  await using kwtsms = await startKwtSms();
  const stand = await stands.shop(() => accountAt(kwtsms.url));
  const { app } = stand.t;
  const { workspaceId } = stand;
  await createContact(OPERATOR, app, workspaceId, { name: "Mona", phone: "99950003001" });
  // 80 characters: as UCS-2, for the digits and the picture, they were two parts.
  const body = `Sale ${"\u0665\u0660"} ${"x".repeat(71)}\u{1f600}`;
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, {
    name: "Sale",
    kind: "SMS",
    body,
  });
  const before = (await stand.credits()) ?? 0;
  const estimate = await estimateBroadcast(app, workspaceId, id);
  assert.equal(estimate.credits?.needed, 1);
  await startBroadcast(OPERATOR, app, workspaceId, id);
  await app.drain();
  assert.equal(await stand.credits(), before - 1);
  const sent = () => JSON.parse(kwtsms.requests().at(-1)?.body ?? "{}") as Record<string, string>;
  assert.deepEqual([sent()["message"], sent()["lang"]], [`Sale 50 ${"x".repeat(71)}`, "1"]);
  await sendOtp(KEY, app, workspaceId, { mobile: "99950003002", message: body, lang: "E" });
  assert.deepEqual([await stand.credits(), sent()["lang"]], [before - 2, "1"]);
});

test("a gateway that shuts out fast senders sets the pace: no recipient is claimed to stand in line for long", async () => {
  await using stands = await startGatewayStand();
  await using gateway = await startKwtSms();
  const { t, workspaceId } = await stands.shop(() => accountAt(gateway.url));
  const { app } = t;
  for (const phone of HUNDREDS)
    await createContact(OPERATOR, app, workspaceId, { name: "A", phone });
  const input = { name: "Sale", kind: "SMS", body: "Hi", rateLimitPerMinute: 6_000 } as const;
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, input);
  // 60,000 ms of 350 each, and not at the campaign's 100 a second.
  assert.equal((await estimateBroadcast(app, workspaceId, id)).seconds, 106);
  await startBroadcast(OPERATOR, app, workspaceId, id);
  const key = { workspaceId, id };
  while ((await findBroadcast(app, workspaceId, id)).status === "QUEUED")
    await storeChunk(app, key);
  const plan = await planBroadcast(app, await findBroadcast(app, workspaceId, id));
  assert.ok("fill" in plan);
  const begun = await beginBatch(app, key, plan, 256);
  assert.equal(begun.kind === "begun" && begun.calls.length, 2);
  t.clock.advance(60_000);
  const next = await beginBatch(app, key, plan, 256);
  assert.ok(next.kind === "begun");
  assert.equal(next.calls.length, 2);
  // Refused, it is called at half of what it was, which is not half of what the campaign is set to.
  const outcome = { ok: false, reason: "throttled", code: "ERR013", detail: "full" } as const;
  const answers = next.calls.map((call) => ({ call, outcome }));
  await settleBatch(app, next.broadcast, answers, plan);
  const ceilings = sql`select ceiling from number_pace where account = ${`SMS ${workspaceId}`}`;
  assert.deepEqual(await app.db.query(ceilings), [{ ceiling: 85 }]);
});
