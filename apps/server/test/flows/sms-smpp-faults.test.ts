import { KEY } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSmppEmulator, type SmppEmulator } from "@parley/emulators";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { createSmppSessions, type SmppSessions } from "../../src/lib/smpp/sessions.ts";
import { sendOtp } from "../../src/otp/send-otp.ts";
import { receiveSmppEvent } from "../../src/otp/receive-smpp-event.ts";
import { startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** A peer that misbehaves, over real TCP: nothing is lost silently, nothing is sent twice. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let smsc: SmppEmulator;
let stand: GatewayStand;

const account = (peer: SmppEmulator, more: object = {}) => ({
  provider: "smpp",
  systemId: "parley",
  password: "s3cret",
  from: "SHOP",
  apiUrl: peer.url,
  ...more,
});
const accounts = [{ systemId: "parley", password: "s3cret" }];

before(async () => {
  stands = await startGatewayStand();
  smsc = await createSmppEmulator({ accounts });
  stand = await stands.shop(() => account(smsc));
});
after(async () => {
  await stands[Symbol.asyncDispose]();
  await smsc.close();
});
beforeEach(() => smsc.clear());

async function until(true_: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 18_000 && !(await true_()); i++) await new Promise((r) => setTimeout(r, 10));
  assert.ok(await true_(), "in time");
}

/** Links of another process on the same account. */
function secondProcess(options?: { readonly partAgainMs: number }): SmppSessions {
  const { app } = stand.t;
  return createSmppSessions((owner, event) => receiveSmppEvent(app, owner, event), options);
}

test("the peer unbinds: the link is bound again, and what is sent then goes once", async () => {
  await stand.t.app.drain();
  const { binds } = smsc;
  smsc.sayGoodbye();
  await until(() => smsc.binds > binds && smsc.links === 1);
  assert.equal((await stand.send("99950002001")).sent, true);
  assert.equal(smsc.ledger.total, 1);
});

test("the peer unbinds while an answer is open: unknown, and not sent again over the new link", async () => {
  const sending = stand.send("99950000913");
  await until(() => smsc.ledger.total === 1);
  smsc.sayGoodbye();
  const { requestId, sent } = await sending;
  assert.equal(sent, false);
  assert.equal((await stand.statusOf(requestId))?.status, "unknown");
  assert.equal((await stand.send("99950002002")).sent, true);
  assert.deepEqual([smsc.ledger.total, smsc.ledger.repeated()], [2, []]);
  // The word that comes over the new link settles what the old one left open: by its id it is known to nobody, so
  // it stays unknown rather than taken for another message's.
  await smsc.flush();
  assert.equal((await stand.statusOf(requestId))?.status, "unknown");
});

test("a link that is cut as soon as it is bound is told as a failure, and the next one sends", async () => {
  await stand.t.app.drain();
  smsc.cutAfterBind(2);
  smsc.cut();
  await until(() => smsc.links === 0);
  const first = await stand.send("99950002003");
  if (first.sent) assert.equal(smsc.ledger.total, 1);
  else assert.equal(first.errorCode, "GATEWAY_UNAVAILABLE");
  await until(() => smsc.links === 1);
  assert.equal((await stand.send("99950002004")).sent, true);
  assert.deepEqual(smsc.ledger.repeated(), []);
});

test("throttled by ESME_RTHROTTLED and by a full queue: told as such, paid back, and sent when it is asked again", async () => {
  const before_ = await stand.credits();
  for (const status of [0x58, 0x14]) {
    smsc.refuseNext(status);
    const refused = await stand.send("99950002005");
    assert.deepEqual([refused.sent, refused.errorCode], [false, "GATEWAY_RATE_LIMITED"]);
  }
  assert.deepEqual([await stand.credits(), smsc.ledger.total], [before_, 0]);
  assert.equal((await stand.send("99950002005")).sent, true);
  assert.equal(smsc.ledger.total, 1);
});

test("a part that is refused ends a long text: the parts after it never leave, and nothing is sent again", async () => {
  const text = "a".repeat(400);
  const smpp = secondProcess({ partAgainMs: 1 });
  const otp = { mobile: "99950000921", message: text, lang: "E" } as const;
  const refused = await sendOtp(KEY, { ...stand.t.app, smpp }, stand.workspaceId, otp);
  await smpp.close();
  assert.deepEqual([refused.sent, refused.errorCode], [false, "GATEWAY_RATE_LIMITED"]);
  assert.equal((await stand.statusOf(refused.requestId))?.status, "failed");
  const cut = await stand.send("99950000922", text);
  assert.deepEqual([cut.sent, cut.errorCode], [false, "GATEWAY_UNAVAILABLE"]);
  assert.equal((await stand.statusOf(cut.requestId))?.status, "unknown");
  // No whole text came together, and the next long one is not mixed with what is left of them.
  assert.equal(smsc.messages().length, 0);
  assert.equal((await stand.send("99950002006", text)).sent, true);
  assert.deepEqual(
    smsc.messages().map((message) => [message.text, message.parts]),
    [[text, 3]],
  );
});

/** A process that waits for an answer shorter than an SMSC takes, and longer than a busy machine needs to ask. */
function hasty(): SmppSessions {
  const { app } = stand.t;
  return createSmppSessions((owner, event) => receiveSmppEvent(app, owner, event), {
    submitMs: 2_000,
  });
}
const slow = { mobile: "99950000913", message: "Your code is 482913", lang: "E" } as const;

test("a part that is taken only after its time makes no message of a text whose other parts never left", async () => {
  const { t, workspaceId } = stand;
  const smpp = hasty();
  try {
    const long = { ...slow, message: "a".repeat(400) };
    const before_ = (await stand.credits()) ?? 0;
    const { requestId, sent } = await sendOtp(KEY, { ...t.app, smpp }, workspaceId, long);
    assert.deepEqual([sent, (await stand.statusOf(requestId))?.status], [false, "unknown"]);
    smsc.release();
    // Answered behind it, over the same link.
    const next = await sendOtp(KEY, { ...t.app, smpp }, workspaceId, {
      ...slow,
      mobile: "99950002010",
    });
    assert.equal(next.sent, true);
    assert.deepEqual([smsc.messages().length, smsc.ledger.total], [1, 1]);
    // Now it is known what went, and what is charged: one part of three, and the next passcode.
    await until(async () => (await stand.statusOf(requestId))?.status === "failed");
    assert.equal(await stand.credits(), before_ - 2);
  } finally {
    await smpp.close();
  }
});

test("a refusal that comes after its time is paid back, once", async () => {
  const { t, workspaceId } = stand;
  const smpp = hasty();
  try {
    const before_ = await stand.credits();
    smsc.refuseNext(0x58);
    const { requestId } = await sendOtp(KEY, { ...t.app, smpp }, workspaceId, slow);
    assert.equal((await stand.statusOf(requestId))?.status, "unknown");
    smsc.release();
    await until(async () => (await stand.statusOf(requestId))?.status === "failed");
    assert.equal(await stand.credits(), before_);
  } finally {
    await smpp.close();
  }
});

test("two processes hold a link each; a receipt that comes over the other one is known", async () => {
  const { t, workspaceId } = stand;
  await t.app.drain();
  const other = secondProcess();
  try {
    const otp = { mobile: "99950002007", message: "Your code is 482913", lang: "E" } as const;
    const { requestId, sent } = await sendOtp(KEY, { ...t.app, smpp: other }, workspaceId, otp);
    assert.equal(sent, true);
    assert.equal(smsc.links, 2);
    // Sent over the second link, told over the first.
    assert.equal(await smsc.flush(), 1);
    assert.equal((await stand.statusOf(requestId))?.status, "delivered");
    const back = await stand.send("99950002008");
    smsc.deliverOver = "last";
    assert.equal(await smsc.flush(), 1);
    assert.equal((await stand.statusOf(back.requestId))?.status, "delivered");
  } finally {
    smsc.deliverOver = "first";
    await other.close();
  }
});

test("ids that are hexadecimal in the answer and decimal in the receipt are known over another link, when the account says so", async () => {
  await using odd = await createSmppEmulator({ accounts, receipts: "text", ids: "hex" });
  const shop = await stands.shop(() => account(odd, { receiptIds: "decimal" }));
  await shop.t.app.drain();
  odd.clear();
  const other = secondProcess();
  try {
    const otp = { mobile: "99950002009", message: "Your code is 482913", lang: "E" } as const;
    const { requestId } = await sendOtp(KEY, { ...shop.t.app, smpp: other }, shop.workspaceId, otp);
    assert.equal(odd.links, 2);
    assert.equal(await odd.flush(), 1);
    assert.equal((await shop.statusOf(requestId))?.status, "delivered");
  } finally {
    await other.close();
  }
});

test("a campaign over a peer that throttles and cuts its links reaches everybody it can, nobody twice", async () => {
  const { t, workspaceId } = stand;
  const { app } = t;
  const numbers = Array.from({ length: 12 }, (_, index) => `9655000${4_000 + index}`);
  for (const phone of [...numbers, "99950000911", "99950000912"])
    await createContact(OPERATOR, app, workspaceId, { name: phone, phone });
  const input = { name: "Sale", kind: "SMS", body: "hello", rateLimitPerMinute: 600 } as const;
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, input);
  smsc.refuseNext(0x58, 3);
  await startBroadcast(OPERATOR, app, workspaceId, id);
  for (let round = 0; round < 90; round++) {
    await app.drain();
    if (round === 1) smsc.cut();
    if (round === 3) smsc.sayGoodbye();
    t.clock.advance(15_000);
  }
  const done = await findBroadcast(app, workspaceId, id);
  // Those whose answer was lost: one was taken, one was not, and nobody can tell which.
  assert.deepEqual([done.status, done.failedCount], ["COMPLETED", 2]);
  assert.deepEqual(smsc.ledger.repeated(), []);
  const reached = new Set(smsc.messages().map(({ to }) => to));
  assert.deepEqual(
    numbers.filter((number) => !reached.has(number)),
    [],
  );
  assert.ok(reached.has("99950000911") && !reached.has("99950000912"));
});
