import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTwilioEmulator } from "@parley/emulators";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../src/broadcasts/record/find-broadcast.ts";
import { startBroadcast } from "../../src/broadcasts/record/start-broadcast.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { findContact } from "../../src/contacts/identity/find-contact.ts";
import { sql } from "../../src/db/sql.ts";
import { startGatewayStand } from "../gateway-stand.ts";
import { twilioFaults } from "../oracles/sent-documents.ts";

const ACCOUNT = `AC${"0".repeat(31)}1`;
const FROM = "+15551234567";

test("a campaign over Twilio with every odd recipient: each once, each with its true end", async () => {
  await using stands = await startGatewayStand();
  await using twilio = await createTwilioEmulator({ delivery: "manual" });
  const stand = await stands.shop(() => {
    twilio.addAccount({ accountSid: ACCOUNT, authToken: "s3cret", numbers: [{ number: FROM }] });
    return {
      provider: "twilio",
      accountSid: ACCOUNT,
      authToken: "s3cret",
      from: FROM,
      apiUrl: twilio.url,
    };
  });
  twilio.clear();
  const { app, clock } = stand.t;
  const wanted: [phone: string, end: string, code: string | null][] = [
    ["99950006001", "delivered", null],
    // Stopped us: refused, and opted out from now on.
    ["15005550004", "failed", "21610"],
    // No mobile, and no number: failures of their own.
    ["15005550009", "failed", "21614"],
    ["15005550001", "failed", "21211"],
    // Taken, the answer lost: the receipt proves it.
    ["99950000911", "delivered", null],
    // Receipts before the answer, each twice, backwards.
    ["99950000908", "delivered", null],
    ["99950000904", "delivered", null],
    ["99950000905", "delivered", null],
  ];
  const contacts = new Map<string, string>();
  for (const [phone] of wanted)
    contacts.set(
      phone,
      (await createContact(OPERATOR, app, stand.workspaceId, { name: phone, phone })).id,
    );
  const draft = { name: "Sale", kind: "SMS", body: "مرحبا + 10% & more" } as const;
  const { id } = await createBroadcast(OPERATOR, app, stand.workspaceId, draft);
  await startBroadcast(OPERATOR, app, stand.workspaceId, id);
  for (let round = 0; round < 6; round++) {
    await app.drain();
    clock.advance(10_000);
    await twilio.advance(10_000);
    // Several at once: receipts of one message meet each other.
    await twilio.flush(8);
  }
  const done = await findBroadcast(app, stand.workspaceId, id);
  assert.deepEqual([done.status, done.failedCount], ["COMPLETED", 3]);
  const rows = await app.db.query<{ contact: string; status: string; code: string | null }>(sql`
    select contact_id as contact, status, error_code as code from message where workspace_id = ${stand.workspaceId}`);
  assert.equal(rows.length, wanted.length);
  for (const [phone, end, code] of wanted) {
    const row = rows.find(({ contact }) => contact === contacts.get(phone));
    assert.deepEqual([row?.status, row?.code ?? null], [end, code], phone);
  }
  assert.deepEqual(twilio.ledger.repeated(), []);
  const stopped = await findContact(app.db, stand.workspaceId, contacts.get("15005550004") ?? "");
  assert.equal(stopped?.optedOut, true);
  for (const { body } of twilio.requests()) {
    const form = new URLSearchParams(body);
    assert.deepEqual(twilioFaults(form), []);
    assert.equal(form.get("Body"), draft.body);
  }

  // The next campaign leaves out a contact that sent STOP, without asking Twilio.
  const before = twilio.requests().length;
  const again = await createBroadcast(OPERATOR, app, stand.workspaceId, draft);
  await startBroadcast(OPERATOR, app, stand.workspaceId, again.id);
  await app.drain();
  const asked = twilio.requests().slice(before);
  assert.ok(asked.length > 0);
  assert.ok(asked.every(({ body }) => new URLSearchParams(body).get("To") !== "+15005550004"));
});

test("a receipt that tells of a throttle fails its own message and stops no campaign; one about the sender does", async () => {
  await using stands = await startGatewayStand();
  await using twilio = await createTwilioEmulator({
    delivery: "manual",
    statuses: { auto: false },
  });
  const stand = await stands.shop(() => {
    twilio.addAccount({ accountSid: ACCOUNT, authToken: "s3cret", numbers: [{ number: FROM }] });
    const account = { accountSid: ACCOUNT, authToken: "s3cret", from: FROM, apiUrl: twilio.url };
    return { provider: "twilio", ...account };
  });
  twilio.clear();
  const { app, clock } = stand.t;
  for (let index = 0; index < 20; index++)
    await createContact(OPERATOR, app, stand.workspaceId, { phone: `965500062${10 + index}` });
  const draft = { name: "Sale", kind: "SMS", body: "hello", rateLimitPerMinute: 10 } as const;
  const { id } = await createBroadcast(OPERATOR, app, stand.workspaceId, draft);
  await startBroadcast(OPERATOR, app, stand.workspaceId, id);
  for (let round = 0; round < 3; round++) {
    await app.drain();
    clock.advance(7_000);
  }
  const tell = async (index: number, errorCode: number) => {
    const { sid = "" } = twilio.messages()[index] ?? {};
    twilio.status({ sid, status: "undelivered", errorCode });
    assert.equal(await twilio.flush(), 1);
    const { status, statusReason } = await findBroadcast(app, stand.workspaceId, id);
    return [status, statusReason];
  };
  // 30022 and 63018: rate limits (channels §7.2).
  assert.deepEqual(await tell(0, 30022), ["RUNNING", null]);
  assert.deepEqual(await tell(1, 63018), ["RUNNING", null]);
  assert.equal((await tell(2, 30034))[0], "PAUSED");
});
