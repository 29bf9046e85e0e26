import { KEY } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSmppEmulator, type SmppEmulator } from "@parley/emulators";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { findContact } from "../../src/contacts/identity/find-contact.ts";
import { sql } from "../../src/db/sql.ts";
import { createSmppSessions } from "../../src/lib/smpp/sessions.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { dumpDatabase } from "../dump-database.ts";
import { startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** Our API over real HTTP, SMPP over real TCP: two SMSCs, one that tells by TLV, one by text and with other ids. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let plain: SmppEmulator;
let odd: SmppEmulator;
let stand: GatewayStand;
let other: GatewayStand;

const account = (smsc: SmppEmulator) => ({
  provider: "smpp",
  systemId: "parley",
  password: "s3cret",
  from: "SHOP",
  apiUrl: smsc.url,
});

before(async () => {
  stands = await startGatewayStand();
  const accounts = [{ systemId: "parley", password: "s3cret" }];
  plain = await createSmppEmulator({ accounts });
  odd = await createSmppEmulator({ accounts, receipts: "text", ids: "hex" });
  stand = await stands.shop(() => account(plain));
  other = await stands.shop(() => account(odd));
});
after(async () => {
  await stands[Symbol.asyncDispose]();
  await plain.close();
  await odd.close();
});
beforeEach(() => {
  plain.clear();
  odd.clear();
});

async function until(true_: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 18_000 && !(await true_()); i++) await new Promise((r) => setTimeout(r, 10));
  assert.ok(await true_(), "in time");
}

test("a passcode goes over the one link, and its receipt carries it to delivered", async () => {
  for (const [one, smsc] of [
    [stand, plain],
    [other, odd],
  ] as const) {
    const { requestId, sent } = await one.send("+965 5000 1234");
    assert.equal(sent, true);
    const [message] = smsc.messages();
    assert.equal(message?.text, "Your code is 482913");
    assert.deepEqual([message.dataCoding, message.wantsReceipt], [0, true]);
    assert.equal(await smsc.flush(), 1);
    assert.deepEqual(await one.moves(requestId), [
      [null, "sent"],
      ["sent", "delivered"],
    ]);
    assert.equal(smsc.links, 1);
  }
});

test("long texts arrive whole, in GSM-7 and in UCS-2, and lang A asks for UCS-2", async () => {
  const texts: [text: string, lang: "E" | "A", parts: number, coding: number][] = [
    [`${"a".repeat(152)}€${"b".repeat(152)}`, "E", 3, 0],
    ["{[~]} é Ω ".repeat(40), "E", 4, 0],
    [`${"م".repeat(66)}😀${"م".repeat(66)}`, "E", 3, 8],
    ["plain", "A", 1, 8],
  ];
  for (const [text, lang, parts, coding] of texts) {
    plain.clear();
    const { requestId } = await stand.send("99950001235", text, lang);
    const [message] = plain.messages();
    assert.deepEqual([message?.text, message?.parts, message?.dataCoding], [text, parts, coding]);
    await plain.flush();
    assert.equal((await stand.statusOf(requestId))?.status, "delivered");
  }
});

test("what the SMSC refuses has its normal word and costs nothing; throttling is one of them", async () => {
  const before_ = await stand.credits();
  for (const [mobile, errorCode] of [
    ["99950000011", "INVALID_NUMBER"],
    ["99950000014", "GATEWAY_RATE_LIMITED"],
    ["99950000058", "GATEWAY_RATE_LIMITED"],
    ["99950000008", "GATEWAY_UNAVAILABLE"],
    ["99950000045", "GATEWAY_UNAVAILABLE"],
  ] as const) {
    const answer = await stand.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, errorCode], mobile);
  }
  const long = await stand.send("99950001236", "م".repeat(1_000));
  assert.deepEqual([long.sent, long.errorCode], [false, "REJECTED"]);
  assert.equal(await stand.credits(), before_);
  assert.equal(plain.ledger.total, 0);
});

test("failures are told by the receipt", async () => {
  for (const [mobile, code] of [
    ["99950000101", "UNREACHABLE_NUMBER"],
    ["99950000102", "GATEWAY_UNAVAILABLE"],
    ["99950000103", "REJECTED"],
  ] as const) {
    const { requestId } = await other.send(mobile);
    await odd.flush();
    assert.deepEqual(await other.statusOf(requestId), { status: "failed", code }, mobile);
  }
});

test("the peer drops the link in mid-send: unknown, never sent twice, and the link is bound again", async () => {
  const before_ = await stand.credits();
  const { binds } = plain;
  for (const mobile of ["99950000911", "99950000912"]) {
    const answer = await stand.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, "GATEWAY_UNAVAILABLE"]);
    assert.equal((await stand.statusOf(answer.requestId))?.status, "unknown");
  }
  assert.equal((await stand.send("99950001237")).sent, true);
  assert.ok(plain.binds >= binds + 2);
  assert.deepEqual(plain.ledger.repeated(), []);
  // It was taken, so what it cost stays spent.
  assert.equal(await stand.credits(), (before_ ?? 0) - 3);
});

test("an idle link that breaks is bound again by itself, and waiting receipts come in", async () => {
  await stand.t.app.drain();
  const { requestId } = await stand.send("99950001238");
  plain.cut();
  await until(() => plain.links === 0);
  assert.equal(await plain.flush(), 0);
  await until(() => plain.links === 1);
  assert.equal(await plain.flush(), 1);
  assert.equal((await stand.statusOf(requestId))?.status, "delivered");
});

test("a receipt that overtakes the answer's storing is known, and repeated ones change nothing", async () => {
  const { requestId, sent } = await stand.send("99950000918");
  assert.equal(sent, true);
  await until(async () => (await stand.statusOf(requestId))?.status === "delivered");
  const [message] = plain.messages();
  assert.ok(message);
  plain.status(message, "DELIVRD", 2);
  plain.status(message, "ENROUTE", 1);
  await plain.flush();
  assert.equal((await stand.statusOf(requestId))?.status, "delivered");
});

test("an answer that comes late ends as sent, once, and its receipt is known", async () => {
  const { t, workspaceId } = stand;
  const { app } = t;
  const { receiveSmppEvent } = await import("../../src/otp/receive-smpp-event.ts");
  const { sendOtp } = await import("../../src/otp/send-otp.ts");
  const smpp = createSmppSessions((owner, event) => receiveSmppEvent(app, owner, event), {
    submitMs: 2_000,
  });
  try {
    const otp = { mobile: "99950000913", message: "Your code is 482913", lang: "E" } as const;
    const result = await sendOtp(KEY, { ...app, smpp }, workspaceId, otp);
    assert.deepEqual([result.sent, result.errorCode], [false, "GATEWAY_TIMEOUT"]);
    plain.release();
    await until(async () => (await stand.statusOf(result.requestId))?.status === "sent");
    assert.equal(plain.ledger.total, 1);
    await plain.flush();
    await until(async () => (await stand.statusOf(result.requestId))?.status === "delivered");
  } finally {
    await smpp.close();
  }
});

test("a peer that no longer answers keep-alives is left and bound again", async () => {
  const smsc = await createSmppEmulator({ accounts: [{ systemId: "a", password: "b" }] });
  const smpp = createSmppSessions(() => Promise.resolve(), {
    times: { enquireMs: 50, answerMs: 2_000, rebindMs: 20, bindMs: 60_000 },
  });
  try {
    const url = new URL(smsc.url);
    const peer = { host: url.hostname, port: Number(url.port), tls: false, systemType: "" };
    smpp.keep([{ ...peer, key: "k", systemId: "a", password: "b", owner: {} }]);
    await until(() => smsc.enquiries >= 2);
    const { binds } = smsc;
    smsc.mute();
    await until(() => smsc.links === 0);
    smsc.mute(false);
    await until(() => smsc.binds > binds && smsc.links === 1);
  } finally {
    await smpp.close();
    await smsc.close();
  }
});

test("many at once stay within the window and each goes once", async () => {
  await stand.t.app.db.query(sql`delete from otp_record where workspace_id = ${stand.workspaceId}`);
  stand.t.clock.advance(61_000);
  const numbers = Array.from({ length: 40 }, (_, index) => `965510020${String(index + 20)}`);
  const answers = await Promise.all(numbers.map((mobile) => stand.send(mobile)));
  assert.ok(answers.every(({ sent }) => sent));
  assert.deepEqual([plain.ledger.total, plain.ledger.repeated()], [40, []]);
  assert.equal(plain.links, 1);
});

test("wrong credentials and a dead address are told apart and verify nothing", async () => {
  const { app } = stand.t;
  const { id } = await createWorkspace(OPERATOR, app, { name: "Wrong" });
  await setProvider(OPERATOR, app, id, { ...account(plain), password: "wrong" });
  const refused = await testProvider(OPERATOR, app, id, "99950000001");
  assert.ok(!refused.sent && refused.errorCode === "GATEWAY_AUTH");
  await setProvider(OPERATOR, app, id, { ...account(plain), apiUrl: "smpp://127.0.0.1:1" });
  const dead = await testProvider(OPERATOR, app, id, "99950000001");
  assert.ok(!dead.sent && dead.errorCode === "GATEWAY_UNAVAILABLE");
  await assert.rejects(
    setProvider(OPERATOR, app, id, { ...account(plain), apiUrl: "https://x.example" }),
  );
});

test("a stop word over the link opts its sender out", async () => {
  const { app } = stand.t;
  const { id } = await createContact(OPERATOR, app, stand.workspaceId, {
    name: "A",
    phone: "99950009999",
  });
  assert.equal(await plain.inbound("parley", "99950009999", "SHOP", "إلغاء"), true);
  assert.equal((await findContact(app.db, stand.workspaceId, id))?.optedOut, true);
});

test("the text and the password are nowhere", async () => {
  const canaries = ["CANARYa1x7719", "CANARYb2x8820", "CANARYc3x9931"];
  for (const [index, mobile] of ["99950001239", "99950000011", "99950000911"].entries())
    await stand.send(mobile, `Your code is ${canaries[index]}`);
  await plain.flush();
  const stored = await dumpDatabase(stand.t.databaseUrl);
  assert.ok(stored.includes(stand.workspaceId));
  for (const canary of [...canaries, "s3cret"])
    for (const text of [stored, stand.log()]) assert.ok(!text.includes(canary), canary);
});
