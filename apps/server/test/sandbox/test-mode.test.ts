import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { after, before, test } from "node:test";
import { Readable } from "node:stream";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { listChannels } from "../../src/channels/list-channels.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { sql } from "../../src/db/sql.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createTestWorkspace } from "../../src/sandbox/create-test-workspace.ts";
import { openPhone } from "../../src/sandbox/open-phone.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { TEST_CHANNELS } from "../../src/wire/testing.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { FILES } from "../files.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

type Json = Readonly<Record<string, unknown>>;

let stand: SandboxStand;
let workspaceId = "";
let bearer = "";
before(async () => {
  stand = await startSandboxStand();
  const { app } = stand.t;
  workspaceId = (await createTestWorkspace(OPERATOR, app, { name: "Shop test" })).id;
  bearer = (await createKey(OPERATOR, app, workspaceId)).bearer;
  await stand.look();
});
after(() => stand[Symbol.asyncDispose]());

async function call(path: string, json?: object, { key = "", by = bearer } = {}) {
  const response = await fetch(`${stand.base}/api/v1${path}`, {
    method: json ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${by}`,
      ...(json && { "content-type": "application/json" }),
      ...(key && { "idempotency-key": key }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}
const inbound = (json: object, options = {}) => call("/test/inbound", json, options);
const stored = async ({ body }: { readonly body: Json }): Promise<Json> =>
  (await call(`/messages/${String(body["messageId"])}`)).body;

test("a customer's number may be written as people write it", async () => {
  const plain = await inbound({ channel: "WHATSAPP", from: "96550004411", text: "Hi" });
  const marked = await inbound({ channel: "WHATSAPP", from: "+965 5000 4411", text: "Again" });
  assert.deepEqual(
    [marked.status, marked.body["from"], marked.body["contactId"]],
    [201, "96550004411", plain.body["contactId"]],
  );
});

test("a key of a test workspace says so, and opens no workspace that is live", async () => {
  assert.match(bearer, /^pk_test_/);
  assert.equal((await call("/me")).body["workspaceKind"], "test");
  const live = await createWorkspace(OPERATOR, stand.t.app, { name: "Shop", plan: "business" });
  const key = await createKey(OPERATOR, stand.t.app, live.id);
  assert.doesNotMatch(key.bearer, /^pk_test_/);
  const refused = await inbound({ text: "Hi" }, { by: key.bearer });
  assert.deepEqual([refused.status, refused.body["message"]], [409, "NOT_ALLOWED_IN_STATE"]);
  // As if somebody had moved the keys' rows in the database.
  const moved = await createKey(OPERATOR, stand.t.app, workspaceId);
  const away = (to: string, id: string) =>
    stand.t.app.db.query(sql`update api_key set workspace_id = ${to} where id = ${id}`);
  await away(live.id, moved.id);
  await away(workspaceId, key.id);
  assert.equal((await call("/me", undefined, { by: moved.bearer })).status, 401);
});

for (const channel of TEST_CHANNELS)
  test(`${channel}: a customer writes once, however often the call is repeated`, async () => {
    const json = { channel, text: "Where is my order?", name: "Sara" };
    const key = `ci-${channel}`;
    const [first, again] = [await inbound(json, { key }), await inbound(json, { key })];
    assert.deepEqual([first.status, again.body], [201, first.body], JSON.stringify(first.body));
    if (channel === "SMS") return assert.equal(first.body["state"], "sent");
    assert.equal((await stored(first))["text"], json.text);
    const path = `/conversations/${String(first.body["conversationId"])}/messages`;
    const { items } = (await call(path)).body as { items: Json[] };
    assert.equal(items.length, 1);
  });

test("a customer sends a file, quotes an answer and presses a button of it", async () => {
  const from = "201001234567";
  const asked = await inbound({ channel: "WHATSAPP", from, text: "Hello" });
  const at = `/conversations/${String(asked.body["conversationId"])}/messages`;
  const choices = [{ text: "Yes", payload: "order/yes" }];
  const answer = await call(at, { text: "Shall we send it?", choices });
  await stand.settle();
  const quote = { channel: "WHATSAPP", from, text: "This?", replyTo: answer.body["id"] };
  assert.equal((await stored(await inbound(quote)))["replyTo"], answer.body["id"]);
  const press = { messageId: answer.body["id"], button: "Yes" };
  for (const [other, path] of [
    [{ ...press, button: "No" }, "press.button"],
    [{ messageId: asked.body["messageId"], button: "Yes" }, "press.messageId"],
  ] as const) {
    const refused = await inbound({ channel: "WHATSAPP", press: other });
    const details = refused.body["details"] as { path: string; message: string }[];
    assert.deepEqual([refused.status, details[0]?.path], [400, path]);
  }
  const pressed = inbound({ channel: "WHATSAPP", press });
  let ended = false;
  void pressed.finally(() => (ended = true));
  while (!ended) await stand.settle();
  const { attachments } = await stored(await pressed);
  assert.match(JSON.stringify(attachments), /order\/yes/);
  const file = { fileName: "a.png", mimeType: "image/png", body: Readable.from([FILES.png]) };
  const { id: mediaId } = await uploadMedia(OPERATOR, stand.t.app, workspaceId, file);
  assert.equal(
    (await stored(await inbound({ channel: "WHATSAPP", from, mediaId })))["type"],
    "image",
  );
});

test("a code goes by WhatsApp, and the phone of the customer shows it", async () => {
  for (const [locale, to] of [
    ["en", "201001234598"],
    ["ar", "201001234599"],
  ] as const) {
    const begun = await call("/otp/verifications", {
      to,
      channel: "whatsapp",
      locale,
      purpose: locale,
    });
    assert.equal(begun.status, 201, JSON.stringify(begun.body));
    const [line] = await stand.t.app.db.query<{ id: string }>(
      sql`select id from channel where workspace_id = ${workspaceId} and type = 'WHATSAPP'`,
    );
    const shown = await (await openPhone(stand.t.app, workspaceId, line?.id ?? "")).show(to);
    const code = [...JSON.stringify(shown).matchAll(/sign_in_code: (\d{6})/g)].at(-1)?.[1] ?? "";
    const check = `/otp/verifications/${String(begun.body["id"])}/check`;
    assert.equal((await call(check, { code })).body["status"], "approved", JSON.stringify(shown));
  }
});

test("what a customer cannot do is refused with its reason, and nothing is stored", async () => {
  for (const [json, status, code] of [
    [{ text: "x" }, 400, "CHANNEL_NEEDED"],
    [{ channel: "WHATSAPP" }, 400, "VALIDATION_FAILED"],
    [{ channel: "WHATSAPP", text: "x", replyTo: "none" }, 400, "VALIDATION_FAILED"],
    [{ channel: "WEB", text: "x", replyTo: "none" }, 400, "NOT_SUPPORTED_HERE"],
    [{ channel: "TIKTOK", press: { messageId: "x", button: "y" } }, 400, "NOT_SUPPORTED_HERE"],
    [{ channelId: "none", text: "x" }, 404, "NOT_FOUND"],
    [{ channel: "WHATSAPP", words: "x" }, 400, "VALIDATION_FAILED"],
  ] as const) {
    const refused = await inbound(json);
    assert.deepEqual([refused.status, refused.body["message"]], [status, code]);
  }
});

test("a channel that is disconnected is named as such", async () => {
  const { app } = stand.t;
  const other = (await createTestWorkspace(OPERATOR, app, { name: "Closed" })).id;
  const by = (await createKey(OPERATOR, app, other)).bearer;
  const line = (await listChannels(app, other)).find(({ type }) => type === "TELEGRAM");
  await disconnectChannel(OPERATOR, app, other, line?.id ?? "");
  const refused = await inbound({ channel: "TELEGRAM", text: "Hi" }, { by });
  assert.deepEqual([refused.status, refused.body["message"]], [409, "NOT_ALLOWED_IN_STATE"]);
  assert.match(JSON.stringify(refused.body["details"]), /is disconnected/);
});

test("no account of a real platform or gateway is connected, and no platform is asked", async () => {
  const { app } = stand.t;
  const real = {
    type: "TELEGRAM",
    name: "Shop",
    botToken: `1234567890:AA${"x".repeat(33)}`,
  } as const;
  const refusal = "NOT_ALLOWED_IN_STATE";
  await assert.rejects(connectAccount(OPERATOR, app, workspaceId, real), { code: refusal });
  const gateway = { provider: "twilio", accountSid: "AC1", authToken: "t", from: "15551234567" };
  await assert.rejects(setProvider(OPERATOR, app, workspaceId, gateway), { code: refusal });
});

test("the document's test of a bot passes when it is pasted", async () => {
  const document = readFileSync(
    path.resolve(import.meta.dirname, "../../../../docs/sandbox.md"),
    "utf8",
  );
  const [, script] = /^```js\n([\s\S]*?)^```$/m.exec(document) ?? [];
  assert.ok(script);
  const folder = mkdtempSync(path.join(tmpdir(), "parley-ci-"));
  try {
    const file = path.join(folder, "bot.test.mjs");
    writeFileSync(file, script);
    const env = { PARLEY_URL: `${stand.base}/api`, PARLEY_KEY: bearer, PATH: process.env["PATH"] };
    let ended = false;
    const pasted = promisify(execFile)(process.execPath, ["--test", file], { env }).finally(
      () => (ended = true),
    );
    const answered = new Set<string>();
    while (!ended) {
      await stand.settle();
      const open = await stand.t.app.db.query<{ id: string }>(
        sql`select id from conversation where workspace_id = ${workspaceId}`,
      );
      for (const { id: conversationId } of open.filter(({ id }) => !answered.has(id))) {
        answered.add(conversationId);
        const reply = { conversationId, text: "We open at nine." };
        await acceptMessage(OPERATOR, stand.t.app, workspaceId, reply);
      }
    }
    assert.match((await pasted).stdout, /pass 1/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
