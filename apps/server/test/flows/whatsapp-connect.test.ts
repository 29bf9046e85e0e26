import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import type { ConnectWhatsApp } from "../../src/channels/account-form.ts";
import { channelWarnings } from "../../src/channels/channel-warnings.ts";
import { changeAccount } from "../../src/channels/change-account.ts";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { findChannel, listChannels } from "../../src/channels/list-channels.ts";
import { recordHookCalls } from "../../src/channels/record-hook-calls.ts";
import { describeChannelFaults } from "../../src/channels/describe-channel-faults.ts";
import { testChannel } from "../../src/channels/test-channel.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { listTemplates } from "../../src/templates/list-templates.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** A WhatsApp account with each of its values wrong in turn, at a connect and later, against the emulated Graph API. */
let t: TestApp;
let server: FastifyInstance;
let base: string;
let meta: WhatsAppEmulator;
before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  base = await server.listen({ host: "127.0.0.1", port: 0 });
  meta = await createWhatsAppEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await meta.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});

let numbers = 0;
/** A number at the platform, a workspace, and what connects the one to the other. */
async function openShop() {
  const phoneNumberId = String(206540352242000 + ++numbers);
  const wabaId = String(302290129340000 + numbers);
  const account = { phoneNumberId, wabaId, accessToken: `EAAB${numbers}`, appSecret: "secret-1" };
  meta.addNumber(account);
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const input: ConnectWhatsApp = {
    type: "WHATSAPP",
    name: "Shop",
    verifyToken: "verify-1",
    apiUrl: meta.url,
    ...account,
  };
  return { account, workspaceId, input };
}

const WRONG = [
  ["accessToken", "EAAB-of-nobody", "accessToken", /System users/],
  ["phoneNumberId", "99887766", "phoneNumberId", /API Setup > Phone number ID/],
  ["wabaId", "99887766", "wabaId", /WhatsApp Business Account ID/],
  ["appSecret", "secret-of-another-app", "appSecret", /App settings > Basic > App secret/],
] as const;

for (const [field, value, named, where] of WRONG) {
  test(`a connect with a wrong ${field} is refused by that name, with the place at Meta`, async () => {
    const { workspaceId, input } = await openShop();
    await assert.rejects(
      connectAccount(OPERATOR, t.app, workspaceId, { ...input, [field]: value }),
      (error: Error) => {
        assert.match(error.message, new RegExp(`^${named}: is refused by the platform`));
        assert.match(error.message, where);
        return true;
      },
    );
    assert.deepEqual(await listChannels(t.app, workspaceId), []);
  });
}

test("a WABA id in the place of the phone number id, and another business account, are named", async () => {
  const { workspaceId, input } = await openShop();
  const swapped = { ...input, phoneNumberId: input.wabaId };
  await assert.rejects(
    connectAccount(OPERATOR, t.app, workspaceId, swapped),
    /^AppError: phoneNumberId: /,
  );
  // The same token opens both accounts.
  meta.addNumber({
    phoneNumberId: "777",
    wabaId: "888",
    accessToken: input.accessToken,
    appSecret: input.appSecret,
  });
  const other = { ...input, wabaId: "888" };
  await assert.rejects(
    connectAccount(OPERATOR, t.app, workspaceId, other),
    /wabaId: .*WRONG_WABA_ID.*lists no number/,
  );
});

test("a connect subscribes the app; what goes wrong later at Meta turns the channel to error by name, and back", async () => {
  const { account, workspaceId, input } = await openShop();
  meta.setSubscribed(account.wabaId, false);
  const channel = await connectAccount(OPERATOR, t.app, workspaceId, input);
  assert.deepEqual([channel.status, channel.syncError], ["connected", null]);
  assert.equal(meta.isSubscribed(account.wabaId), true);
  const later = async () => {
    t.clock.advance(3_600_000);
    await t.app.drain();
    return findChannel(t.app, workspaceId, channel.id);
  };
  // Somebody makes a new app secret.
  meta.addNumber({ ...account, appSecret: "secret-2" });
  const wrong = await later();
  assert.equal(wrong.status, "error");
  assert.match(
    wrong.statusReason ?? "",
    /^100: the app secret is not that of the token's app\. It/,
  );
  const [told] = await describeChannelFaults(t.app);
  assert.match(
    told ?? "",
    new RegExp(`^channel WHATSAPP ${channel.id}: in error, nothing is sent: `),
  );
  // It stays so though its templates can be read.
  assert.equal((await later()).status, "error");
  meta.addNumber(account);
  const mended = await later();
  assert.deepEqual([mended.status, mended.syncError], ["connected", null]);
  assert.deepEqual(await describeChannelFaults(t.app), [
    `channel WHATSAPP ${channel.id}: its platform has not called yet: enter the channel's webhook address there and subscribe to the fields that docs/operations.md names`,
  ]);
  await updateCredentials(OPERATOR, t.app, workspaceId, channel.id, {});
});

test("templates are read at once after a connect, a new token and the end of an error, and a test puts them off by no hour", async () => {
  const { account, workspaceId, input } = await openShop();
  const add = (name: string) =>
    meta.addTemplate(account.wabaId, {
      name,
      language: "en",
      category: "UTILITY",
      components: [{ type: "BODY", text: "Your order has been shipped." }],
    });
  add("shipped");
  const { id } = await connectAccount(OPERATOR, t.app, workspaceId, input);
  // The clock does not move: what is due is due now.
  const names = async () => {
    await t.app.drain();
    return (await listTemplates(t.app, workspaceId)).map(({ name }) => name);
  };
  assert.deepEqual(await names(), ["shipped"]);
  add("arrived");
  assert.deepEqual(await names(), ["shipped"], "read again without a reason");
  t.clock.advance(1_000);
  await changeAccount(OPERATOR, t.app, workspaceId, id, { accessToken: account.accessToken });
  assert.deepEqual(await names(), ["arrived", "shipped"]);
  add("delayed");
  t.clock.advance(3_500_000);
  await testChannel(OPERATOR, t.app, workspaceId, id);
  t.clock.advance(100_000);
  assert.deepEqual(await names(), ["arrived", "delayed", "shipped"]);
  meta.addNumber({ ...account, appSecret: "secret-2" });
  await testChannel(OPERATOR, t.app, workspaceId, id);
  assert.equal((await findChannel(t.app, workspaceId, id)).status, "error");
  meta.addNumber(account);
  add("late");
  await testChannel(OPERATOR, t.app, workspaceId, id);
  assert.deepEqual(await names(), ["arrived", "delayed", "late", "shipped"]);
});

test("calls with a wrong signature and a wrong verify token are counted, told and logged, and cost one write a minute", async () => {
  const { account, workspaceId, input } = await openShop();
  const { id } = await connectAccount(OPERATOR, t.app, workspaceId, input);
  const webhook = { url: `${base}/hooks/whatsapp/${id}`, verifyToken: "verify-1" };
  meta.addNumber({ ...account, webhook });
  const logged: string[] = [];
  const log = Object.assign(createLogger("silent"), {
    warn: (facts: object, words: string) => logged.push(`${words} ${JSON.stringify(facts)}`),
  });
  const record = () => recordHookCalls({ ...t.app, log });
  const look = () => findChannel(t.app, workspaceId, id);
  await record();
  assert.equal(await meta.subscribe(account.phoneNumberId, "verify-2"), false);
  await record();
  const [asked] = channelWarnings(await look(), t.clock.now());
  assert.match(asked ?? "", /^asked at .* UTC with another verify token: /);
  t.clock.advance(60_000);
  const since = t.clock.now();
  for (let call = 0; call < 40; call++)
    await meta.post(account.phoneNumberId, { object: "whatsapp_business_account" }, "wrong");
  assert.equal(await record(), 1);
  for (let call = 0; call < 60; call++)
    await meta.post(account.phoneNumberId, { object: "whatsapp_business_account" }, "wrong");
  const version = () =>
    t.app.db.query<{ xmin: string }>(sql`select xmin::text from channel where id = ${id}`);
  const before = await version();
  assert.equal(await record(), 0, "a second write within the minute");
  assert.deepEqual(await version(), before);
  t.clock.advance(60_000);
  assert.equal(await record(), 1);
  const forged = await look();
  assert.equal(forged.lastWebhookAt, null);
  const at = since.toISOString().slice(0, 16).replace("T", " ");
  assert.ok(
    channelWarnings(forged, t.clock.now())[0]?.startsWith(
      `100 calls since ${at} UTC with a wrong signature: check the app secret (`,
    ),
  );
  assert.ok(
    (await describeChannelFaults(t.app)).some((line) => line.includes(`${id}: 100 calls since`)),
  );
  const lines = logged.filter((line) => line.includes("wrong signature"));
  assert.deepEqual(lines.length, 2);
  assert.ok(lines.every((line) => line.includes(id)));
  // A right one beside them: then they are somebody else's.
  meta.inbound({ phoneNumberId: account.phoneNumberId, from: "96550001234", text: "hello" });
  await meta.flush();
  t.clock.advance(60_000);
  await record();
  const taken = await look();
  assert.ok(taken.lastWebhookAt !== null);
  assert.match(channelWarnings(taken, t.clock.now())[0] ?? "", /are not the platform's$/);
  // A connect with the right secret begins anew.
  await connectAccount(OPERATOR, t.app, workspaceId, input);
  assert.deepEqual(channelWarnings(await look(), t.clock.now()), []);
});
