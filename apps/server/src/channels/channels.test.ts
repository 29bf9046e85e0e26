import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import type { ConnectWhatsApp } from "./account-form.ts";
import { connectChannel, type ConnectInput } from "./connect-channel.ts";
import { disconnectChannel } from "./disconnect-channel.ts";
import { failChannel, throttleChannel } from "./fail-channel.ts";
import { findChannel, listChannels } from "./list-channels.ts";
import { accountOfHook, accountsByExternalId, loadAccounts } from "./load-accounts.ts";
import { updateCredentials } from "./update-credentials.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

const workspace = async (plan: "free" | "business" = "business"): Promise<string> =>
  (await createWorkspace(OPERATOR, t.app, { name: "W", plan })).id;

const input = (phoneNumberId: string, more: Partial<ConnectWhatsApp> = {}): ConnectInput => ({
  type: "WHATSAPP",
  name: "Main",
  phoneNumberId,
  wabaId: "102290129340398",
  accessToken: "EAAB-token",
  appSecret: "app-secret",
  verifyToken: "verify",
  ...more,
});

async function statusEvents(workspaceId: string): Promise<string[]> {
  const rows = await t.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${workspaceId} and type = 'channel.status' order by sequence`,
  );
  return rows.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: { previousStatus: string; status: string } };
    return `${data.previousStatus}>${data.status}`;
  });
}

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;

test("a connected account opens for its adapter at the default address, and its secrets are sealed", async () => {
  const workspaceId = await workspace();
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, input("1001"));
  assert.equal(channel.status, "connected");
  assert.equal(JSON.stringify(channel).includes("EAAB-token"), false);
  const accounts = await loadAccounts(t.app, [{ workspaceId, channelId: channel.id }]);
  assert.deepEqual(accounts.get(channel.id), {
    channelId: channel.id,
    workspaceId,
    type: "WHATSAPP",
    externalId: "1001",
    apiUrl: "https://graph.facebook.com/v25.0",
    settings: { wabaId: "102290129340398" },
    secrets: { accessToken: "EAAB-token", appSecret: "app-secret", verifyToken: "verify" },
    name: "Main",
    status: "connected",
    throttledUntil: null,
    secretsSince: t.clock.now(),
    sandbox: false,
  });
  const rows = await t.app.db.query<{ row: string }>(
    sql`select channel::text as row from channel where workspace_id = ${workspaceId}`,
  );
  const stored = Buffer.from(/\\x([0-9a-f]+)/.exec(rows[0]?.row ?? "")?.[1] ?? "", "hex");
  assert.ok(stored.length > 29);
  for (const secret of ["EAAB-token", "app-secret"]) assert.equal(stored.includes(secret), false);
  assert.deepEqual(await statusEvents(workspaceId), ["null>connected"]);
});

test("sealed secrets that are moved to another channel do not open there", async () => {
  const workspaceId = await workspace();
  const one = await connectChannel(OPERATOR, t.app, workspaceId, input("1101"));
  const two = await connectChannel(
    OPERATOR,
    t.app,
    workspaceId,
    input("1102", { accessToken: "other" }),
  );
  await t.app.db.query(sql`update channel set secrets_sealed = (select secrets_sealed from channel
    where workspace_id = ${workspaceId} and id = ${one.id}) where workspace_id = ${workspaceId} and id = ${two.id}`);
  const keys = [one, two].map(({ id }) => ({ workspaceId, channelId: id }));
  assert.deepEqual([...(await loadAccounts(t.app, keys)).keys()], [one.id]);
});

test("a key with another workspace's id opens nothing", async () => {
  const channel = await connectChannel(OPERATOR, t.app, await workspace(), input("1201"));
  const foreign = [{ workspaceId: await workspace(), channelId: channel.id }];
  assert.equal((await loadAccounts(t.app, foreign)).size, 0);
  await assert.rejects(findChannel(t.app, await workspace(), channel.id), refusedWith("NOT_FOUND"));
});

const FAULTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["name", { name: "  " }],
  ["name", { name: "x".repeat(201) }],
  ["phoneNumberId", { phoneNumberId: "+965 1" }],
  ["phoneNumberId", { phoneNumberId: "1".repeat(65) }],
  ["phoneNumberId", { phoneNumberId: "../me" }],
  ["phoneNumberId", { phoneNumberId: undefined }],
  ["wabaId", { wabaId: "" }],
  ["accessToken", { accessToken: "two\nlines" }],
  ["accessToken", { accessToken: "" }],
  ["appSecret", { appSecret: undefined }],
  ["verifyToken", { verifyToken: "a b" }],
  ["apiUrl", { apiUrl: "graph.facebook.com" }],
  ["apiUrl", { apiUrl: "file:///etc/passwd" }],
  ["type", { type: "CARRIER_PIGEON" }],
];
for (const [path, fault] of FAULTS) {
  test(`${path} is refused by name when it is ${JSON.stringify(Object.values(fault)[0])?.slice(0, 30)}`, async () => {
    const wrong = { ...input("1301"), ...fault } as ConnectInput;
    await assert.rejects(connectChannel(OPERATOR, t.app, await workspace(), wrong), (error) => {
      assert.ok(error instanceof AppError && error.code === "VALIDATION_FAILED");
      assert.deepEqual(
        error.facts.details?.map((detail) => detail.path),
        [path],
      );
      return true;
    });
  });
}

test("a platform's id is kept as the platform writes it: an emulator may use letters, _ and -", async () => {
  const workspaceId = await workspace();
  const wabaId = "waba-main";
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, input("pn_1-A", { wabaId }));
  assert.deepEqual([channel.externalId, channel.settings], ["pn_1-A", { wabaId }]);
});

test("connecting a number again in its workspace replaces its credentials and creates no second channel", async () => {
  const workspaceId = await workspace();
  const first = await connectChannel(OPERATOR, t.app, workspaceId, input("1401"));
  const again = { accessToken: "EAAB-new", name: "Renamed", apiUrl: "http://127.0.0.1:4010/" };
  const second = await connectChannel(OPERATOR, t.app, workspaceId, input("1401", again));
  assert.equal(second.id, first.id);
  const channels = await listChannels(t.app, workspaceId);
  assert.deepEqual(
    channels.map(({ name, apiUrl }) => [name, apiUrl]),
    [["Renamed", "http://127.0.0.1:4010/v25.0"]],
  );
  const account = (await loadAccounts(t.app, [{ workspaceId, channelId: first.id }])).get(first.id);
  assert.equal(account?.secrets["accessToken"], "EAAB-new");
  assert.deepEqual(await statusEvents(workspaceId), ["null>connected"]);
});

test("one number may be connected in several workspaces", async () => {
  const [a, b] = [await workspace(), await workspace()];
  const one = await connectChannel(OPERATOR, t.app, a, input("1501"));
  const two = await connectChannel(OPERATOR, t.app, b, input("1501"));
  const found = await accountsByExternalId(t.app, "WHATSAPP", "1501");
  assert.deepEqual(found.map(({ channelId }) => channelId).sort(), [one.id, two.id].sort());
});

test("the plan's channels are the limit, also for twenty connects at once", async () => {
  const workspaceId = await workspace("free");
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      connectChannel(OPERATOR, t.app, workspaceId, input(`16${index}00`)),
    ),
  );
  assert.equal(results.filter((result) => result.status === "fulfilled").length, 2);
  await assert.rejects(connectChannel(OPERATOR, t.app, workspaceId, input("169999")), (error) => {
    assert.ok(error instanceof AppError && error.code === "CHANNEL_LIMIT_REACHED");
    assert.deepEqual([error.facts.limit, error.facts.usage], [2, 2]);
    return true;
  });
  const [channel] = await listChannels(t.app, workspaceId);
  assert.ok(channel);
  // Replacing credentials uses no place of the plan; a disconnected channel frees its place.
  await connectChannel(OPERATOR, t.app, workspaceId, input(channel.externalId));
  await disconnectChannel(OPERATOR, t.app, workspaceId, channel.id);
  await connectChannel(OPERATOR, t.app, workspaceId, input("169999"));
  await assert.rejects(
    connectChannel(OPERATOR, t.app, workspaceId, input(channel.externalId)),
    refusedWith("CHANNEL_LIMIT_REACHED"),
  );
});

test("a disconnected channel has no secrets, no hook, and comes back under its id", async () => {
  const workspaceId = await workspace();
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, input("1701"));
  const gone = await disconnectChannel(OPERATOR, t.app, workspaceId, channel.id);
  assert.equal(gone.status, "disconnected");
  await disconnectChannel(OPERATOR, t.app, workspaceId, channel.id);
  const entries = await t.app.db.query(sql`select facts from audit_entry
    where workspace_id = ${workspaceId} and action = 'channel.disconnected'`);
  assert.deepEqual(entries, [{ facts: { type: "WHATSAPP", name: channel.name } }]);
  assert.equal(await accountOfHook(t.app, "WHATSAPP", channel.id), null);
  await assert.rejects(
    updateCredentials(OPERATOR, t.app, workspaceId, channel.id, { accessToken: "x" }),
    refusedWith("NOT_ALLOWED_IN_STATE"),
  );
  const back = await connectChannel(OPERATOR, t.app, workspaceId, input("1701"));
  assert.equal(back.id, channel.id);
  assert.deepEqual(await statusEvents(workspaceId), [
    "null>connected",
    "connected>disconnected",
    "disconnected>connected",
  ]);
});

test("a channel fails once per episode and tells the admins once; new credentials heal it", async () => {
  const workspaceId = await workspace();
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, input("1801"));
  const fail = () =>
    t.app.db.transaction(async (tx) => {
      const fault = { code: "190", detail: "expired" };
      const events = await failChannel(t.app, tx, workspaceId, channel.id, fault);
      await emitEvents(t.app, tx, events);
    });
  const notices = async () =>
    (await t.app.db.query(sql`select 1 from notice where workspace_id = ${workspaceId}`)).length;
  await Promise.all([fail(), fail(), fail()]);
  assert.equal(await notices(), 1);
  const failed = await findChannel(t.app, workspaceId, channel.id);
  assert.deepEqual([failed.status, failed.statusReason], ["error", "190: expired"]);
  // Inbound calls are still accepted: the app secret is not what was refused.
  assert.equal((await accountOfHook(t.app, "WHATSAPP", channel.id))?.status, "error");
  t.clock.advance(1000);
  const healed = await updateCredentials(OPERATOR, t.app, workspaceId, channel.id, {
    accessToken: "EAAB-2",
  });
  assert.deepEqual([healed.status, healed.statusReason], ["connected", null]);
  const accounts = await loadAccounts(t.app, [{ workspaceId, channelId: channel.id }]);
  assert.deepEqual(accounts.get(channel.id)?.secrets, {
    accessToken: "EAAB-2",
    appSecret: "app-secret",
    verifyToken: "verify",
  });
  await fail();
  assert.equal(await notices(), 2);
  assert.deepEqual(await statusEvents(workspaceId), [
    "null>connected",
    "connected>error",
    "error>connected",
    "connected>error",
  ]);
});

test("credentials can only be replaced by name", async () => {
  const workspaceId = await workspace();
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, input("1901"));
  const wrong = { phoneNumberId: "5" } as Parameters<typeof updateCredentials>[4];
  for (const changes of [wrong, { accessToken: "a b" }, { apiUrl: "x" }])
    await assert.rejects(
      updateCredentials(OPERATOR, t.app, workspaceId, channel.id, changes),
      refusedWith("VALIDATION_FAILED"),
    );
});

test("a longer wait that the platform asked for is not shortened", async () => {
  const workspaceId = await workspace();
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, input("2001"));
  const at = (ms: number) => new Date(t.clock.now().getTime() + ms);
  for (const ms of [60_000, 1000])
    await t.app.db.transaction((tx) => throttleChannel(tx, workspaceId, channel.id, at(ms)));
  const { throttledUntil } = await findChannel(t.app, workspaceId, channel.id);
  assert.deepEqual(throttledUntil, at(60_000));
});
