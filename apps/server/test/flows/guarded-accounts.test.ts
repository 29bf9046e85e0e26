import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server } from "node:net";
import { after, before, test } from "node:test";
import type { ConnectInput } from "../../src/channels/account-form.ts";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { setUpChannel } from "../../src/channels/set-up-channel.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { AppError } from "../../src/errors.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import type { SmsProviderInput } from "../../src/sms/sms-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { syncTemplates } from "../../src/templates/sync-templates.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** Accounts whose address the operator set, a workspace set, or that leads to this machine since it was set. */
let t: TestApp;
let machine: Server;
let port: number;
let reached = 0;

before(async () => {
  t = await startTestApp({ config: { outboundAllow: [] }, overrides: { operator: false } });
  machine = createServer((socket) => {
    reached++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => void machine.listen(0, "127.0.0.1", () => resolve()));
  port = (machine.address() as AddressInfo).port;
});
after(async () => {
  machine.close();
  await t[Symbol.asyncDispose]();
});

const workspace = async () =>
  (await createWorkspace(OPERATOR, t.app, { name: "Shop", plan: "business" })).id;
const meta = { name: "a", accessToken: "t", appSecret: "s", verifyToken: "v" };
/** Every type of channel that is called, at this address. */
const channels = (apiUrl: string): ConnectInput[] => [
  { ...meta, type: "WHATSAPP", phoneNumberId: "1", wabaId: "2", apiUrl },
  { ...meta, type: "MESSENGER", pageId: "3", apiUrl },
  { ...meta, type: "INSTAGRAM", accountId: "4", apiUrl },
  { name: "a", type: "TELEGRAM", botToken: `123456789:AA${"b".repeat(33)}`, apiUrl },
  { name: "a", type: "TIKTOK", businessId: "b", accessToken: "t", appSecret: "s", apiUrl },
];
/** Gateways at addresses of the account's own. */
const gateways = (host: string): SmsProviderInput[] => [
  { provider: "infobip", apiKey: "k", from: "SHOP", apiUrl: `http://${host}` },
  { provider: "smpp", systemId: "s", password: "p", from: "SHOP", apiUrl: `smpp://${host}` },
  { provider: "smpp", systemId: "s", password: "p", from: "SHOP", apiUrl: `smpps://${host}` },
  { provider: "http", url: `http://${host}/?to={{to}}&text={{text}}` },
];

const refusedFor = (field: string) => (error: unknown) =>
  error instanceof AppError && error.facts.details?.[0]?.path === field;

test("a private address that a workspace sets is refused before anything is called", async () => {
  const id = await workspace();
  const before_ = reached;
  const inside = [`127.0.0.1:${port}`, `localhost:${port}`, "169.254.169.254", `[::1]:${port}`];
  for (const host of inside) {
    for (const input of channels(`http://${host}`)) {
      await assert.rejects(
        connectChannel(OPERATOR, t.app, id, input),
        refusedFor("apiUrl"),
        input.type,
      );
      await assert.rejects(
        connectAccount(OPERATOR, t.app, id, input),
        refusedFor("apiUrl"),
        input.type,
      );
    }
    for (const input of gateways(host)) {
      const field = input.provider === "http" ? "url" : "apiUrl";
      await assert.rejects(
        setProvider(OPERATOR, t.app, id, input),
        refusedFor(field),
        input.provider,
      );
    }
  }
  // Public, but in the clear.
  for (const input of channels("http://8.8.8.8"))
    await assert.rejects(connectChannel(OPERATOR, t.app, id, input), refusedFor("apiUrl"));
  assert.equal(reached, before_);
});

test("the operator's addresses are called as they are, and a workspace cannot move them inside", async () => {
  const id = await workspace();
  const operator = { ...t.app, operator: true };
  const apiUrl = `http://127.0.0.1:${port}`;
  const [input] = channels(apiUrl);
  const channel = await connectChannel(OPERATOR, operator, id, input ?? assert.fail());
  assert.equal(channel.apiUrl, `${apiUrl}/v25.0`);
  assert.equal("apiUrlGuarded" in channel, false);
  const before_ = reached;
  assert.equal((await syncTemplates(OPERATOR, t.app, id, channel.id)).ok, false);
  assert.equal(reached, before_ + 1);
  await assert.rejects(
    updateCredentials(OPERATOR, t.app, id, channel.id, { apiUrl: `http://127.0.0.1:${port + 1}` }),
    refusedFor("apiUrl"),
  );
  // A new token leaves the operator's address as it was.
  await updateCredentials(OPERATOR, t.app, id, channel.id, { accessToken: "new" });
  await syncTemplates(OPERATOR, t.app, id, channel.id);
  assert.equal(reached, before_ + 2);
});

test("an address that a workspace set is judged again at every connection", async () => {
  const id = await workspace();
  const operator = { ...t.app, operator: true };
  for (const input of channels(`http://127.0.0.1:${port}`)) {
    const { id: channelId } = await connectChannel(OPERATOR, operator, id, input);
    // As after a public name that a workspace set came to lead here.
    await t.app.db.query(sql`update channel set api_url_guarded = true where id = ${channelId}`);
    const before_ = reached;
    const { syncError, status } = await setUpChannel(t.app, id, channelId, { takeOver: true });
    if (input.type !== "WHATSAPP")
      assert.match(`${status} ${syncError}`, /BLOCKED|blocked|may not be called/i, input.type);
    assert.equal(reached, before_, input.type);
  }
  for (const input of gateways(`127.0.0.1:${port}`)) {
    await setProvider(OPERATOR, operator, id, input);
    await t.app.db.query(sql`update sms_provider set api_url_guarded = true`);
    const before_ = reached;
    const result = await testProvider(OPERATOR, t.app, id, "+96550000001");
    assert.ok(!result.sent);
    assert.match(result.error, /BLOCKED .*may not be called/, input.provider);
    assert.equal(reached, before_, input.provider);
    if (input.provider === "http") continue;
    // The same account, had the operator set it.
    await t.app.db.query(sql`update sms_provider set api_url_guarded = false`);
    await testProvider(OPERATOR, t.app, id, "+96550000001");
    assert.equal(reached, before_ + 1, input.provider);
  }
});
