import { KEY } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSmppEmulator, createVonageEmulator, type SmppEmulator } from "@parley/emulators";
import { broadcastTimeline } from "../../src/broadcasts/record/broadcast-timeline.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { createSmppSessions, type SmppSessions } from "../../src/lib/smpp/sessions.ts";
import { sendOtp } from "../../src/otp/send-otp.ts";
import { receiveSmppEvent } from "../../src/otp/receive-smpp-event.ts";
import { startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** Texts of several parts: a gateway takes the first and refuses a later one. Sent parts are paid for, the rest is not. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let smsc: SmppEmulator;
let stand: GatewayStand;

const overSmpp = () => ({
  provider: "smpp",
  systemId: "parley",
  password: "s3cret",
  from: "SHOP",
  apiUrl: smsc.url,
});

before(async () => {
  stands = await startGatewayStand();
  smsc = await createSmppEmulator({ accounts: [{ systemId: "parley", password: "s3cret" }] });
  stand = await stands.shop(overSmpp);
});
after(async () => {
  await stands[Symbol.asyncDispose]();
  await smsc.close();
});
beforeEach(() => smsc.clear());

/** The links of a process that is in a hurry. */
function hasty(shop: GatewayStand, submitMs = 60_000): SmppSessions {
  const { app } = shop.t;
  return createSmppSessions((owner, event) => receiveSmppEvent(app, owner, event), {
    submitMs,
    partAgainMs: 1,
  });
}
async function spentBy(shop: GatewayStand, work: () => Promise<void>): Promise<number> {
  const had = (await shop.credits()) ?? 0;
  await work();
  return had - ((await shop.credits()) ?? 0);
}
async function until(true_: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 18_000 && !(await true_()); i++) await new Promise((r) => setTimeout(r, 10));
  assert.ok(await true_(), "in time");
}
/** Three parts. */
const LONG = "a".repeat(400);

test("of a passcode whose second part is refused the first part alone is charged", async () => {
  const smpp = hasty(stand);
  try {
    const spent = await spentBy(stand, async () => {
      const otp = { mobile: "99950000921", message: LONG, lang: "E" } as const;
      const { sent, errorCode } = await sendOtp(
        KEY,
        { ...stand.t.app, smpp },
        stand.workspaceId,
        otp,
      );
      assert.deepEqual([sent, errorCode], [false, "GATEWAY_RATE_LIMITED"]);
    });
    assert.equal(spent, 1);
  } finally {
    await smpp.close();
  }
});

test("so it is when the refusal of the second part comes after its time", async () => {
  const smpp = hasty(stand, 2_000);
  try {
    const spent = await spentBy(stand, async () => {
      const otp = { mobile: "99950000923", message: LONG, lang: "E" } as const;
      const { requestId } = await sendOtp(KEY, { ...stand.t.app, smpp }, stand.workspaceId, otp);
      assert.equal((await stand.statusOf(requestId))?.status, "unknown");
      smsc.release();
      await until(async () => (await stand.statusOf(requestId))?.status === "failed");
    });
    assert.equal(spent, 1);
  } finally {
    await smpp.close();
  }
});

test("a part that is refused because the gateway is busy is handed over again, and the text arrives whole", async () => {
  const smpp = hasty(stand);
  try {
    for (const status of [0x58, 0x14]) {
      smsc.clear();
      smsc.refuseLaterParts(status, 2);
      const otp = { mobile: "99950003100", message: LONG, lang: "E" } as const;
      const spent = await spentBy(stand, async () => {
        assert.ok((await sendOtp(KEY, { ...stand.t.app, smpp }, stand.workspaceId, otp)).sent);
      });
      assert.deepEqual([spent, smsc.messages().map(({ text }) => text)], [3, [LONG]]);
    }
  } finally {
    await smpp.close();
  }
});

test("a campaign whose later parts go on being refused is slowed down, and charged for what was taken", async () => {
  const shop = await stands.shop(overSmpp);
  smsc.clear();
  const { clock } = shop.t;
  const smpp = hasty(shop);
  const app = { ...shop.t.app, smpp };
  for (const phone of ["99950003201", "99950003202", "99950003203"])
    await createContact(OPERATOR, app, shop.workspaceId, { phone });
  const input = { name: "Sale", kind: "SMS", body: LONG, rateLimitPerMinute: 600 } as const;
  const key = await createBroadcast(OPERATOR, app, shop.workspaceId, input);
  try {
    const spent = await spentBy(shop, async () => {
      smsc.refuseLaterParts(0x58, 1_000);
      await startBroadcast(OPERATOR, app, shop.workspaceId, key.id);
      await storeChunk(app, key);
      for (let round = 0; round < 3; round++) {
        await sendBatch(app, key, 1);
        clock.advance(15_000);
      }
    });
    assert.equal(spent, 3);
  } finally {
    await smpp.close();
  }
  const done = await findBroadcast(app, shop.workspaceId, key.id);
  assert.deepEqual([done.failedCount, smsc.messages().length], [3, 0]);
  const { entries } = await broadcastTimeline(app, shop.workspaceId, key.id);
  const rates = entries.flatMap((entry) => (entry.kind === "halved" ? [entry.rateTo] : []));
  assert.deepEqual(rates, [300, 150, 75]);
});

test("Vonage charges the parts that it took, and so do we", async () => {
  await using vonage = await createVonageEmulator({
    delivery: "manual",
    accounts: [{ apiKey: "k", apiSecret: "s3cret" }],
  });
  const account = { apiKey: "k", apiSecret: "s3cret", from: "SHOP", apiUrl: vonage.url };
  const shop = await stands.shop(() => ({ provider: "vonage", ...account }));
  const spent = await spentBy(shop, async () => {
    vonage.refuseLaterParts("1");
    assert.equal((await shop.send("99950001236", LONG)).sent, false);
  });
  assert.equal(spent, 1);
});
