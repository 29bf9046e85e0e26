import { OPERATOR } from "../../src/actor.ts";
import { KEY } from "../actors.ts";
import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { ChannelAccount, InboundEvent } from "../../src/channels/adapter.ts";
import { telegram } from "../../src/channels/adapters/telegram/adapter.ts";
import { callBot } from "../../src/channels/adapters/telegram/api.ts";
import { telegramUpdates } from "../../src/channels/adapters/telegram/updates.ts";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { claimPolls } from "../../src/channels/poll-leases.ts";
import { sql } from "../../src/db/sql.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { pollOnce } from "../../src/messages/receive/poll-channel.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { freePort } from "../free-port.ts";
import { telegramAccount } from "../telegram-bench.ts";

/**
 * Our adapter and a whole flow against `telegram-test-api`, an emulated Bot API that we did not write. Its bot is
 * number 666. It knows neither `getWebhookInfo` (a door in front answers that) nor files, throttles, blocks or the
 * secret of a webhook: those are for our own emulator.
 */
interface Client {
  makeMessage(text: string): object;
  sendMessage(message: object): Promise<unknown>;
  makeCallbackQuery(data: string, options: object): object;
  sendCallback(query: object): Promise<unknown>;
  getUpdates(): Promise<{ result: { message: Record<string, unknown> }[] }>;
}
interface Server {
  readonly config: { readonly apiURL: string };
  start(): Promise<void>;
  stop(): Promise<boolean>;
  getClient(token: string, options: object): Client;
}
const TestServer = createRequire(import.meta.url)("telegram-test-api") as new (options: {
  port: number;
  host: string;
}) => Server;

const TOKEN = "666:AAtest_token-1";
const SARA = 5_000_000_001;
let t: TestApp;
let theirs: Server;
let front: string;
let account: ChannelAccount;
const door = createServer((request, response) => {
  if (request.url?.endsWith("/getWebhookInfo")) {
    const result = { url: "", has_custom_certificate: false, pending_update_count: 0 };
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ ok: true, result }));
    return;
  }
  void read(request).then(async (body) => {
    const { method = "GET", url = "/" } = request;
    const type = request.headers["content-type"];
    const answer = await fetch(theirs.config.apiURL + url, {
      method,
      headers: type === undefined ? {} : { "content-type": type },
      ...(method === "POST" && { body }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
});

async function read(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

before(async () => {
  t = await startTestApp();
  theirs = new TestServer({ port: await freePort(), host: "127.0.0.1" });
  await theirs.start();
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  front = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  account = {
    channelId: "c1",
    workspaceId: "w1",
    type: "TELEGRAM",
    externalId: "666",
    apiUrl: front,
    settings: { polling: "true" },
    secrets: { botToken: TOKEN, secretToken: "s3cret" },
  };
});
after(async () => {
  door.closeAllConnections();
  await new Promise((resolve) => door.close(resolve));
  await theirs.stop();
  await t[Symbol.asyncDispose]();
});

const customer = (id = SARA, token = TOKEN): Client =>
  theirs.getClient(token, { userId: id, chatId: id, firstName: "Sara", userName: "sara" });

test("the adapter's own calls: getMe, a text out, updates in, a webhook set and deleted", async () => {
  const http = t.app.providerHttp;
  assert.equal(await telegram.check?.(http, account), null);
  // It answers every token with one bot.
  assert.equal(await telegram.check?.(http, { ...account, externalId: "667" }), null);

  const sent = await telegram.send(http, account, {
    id: "m1",
    to: String(SARA),
    content: { kind: "text", text: "أهلا <b>Sara</b> 😀" },
  });
  assert.ok(sent.ok && sent.externalId.startsWith(`${SARA}:`));
  const sara = customer();
  const { result } = await sara.getUpdates();
  assert.deepEqual(
    [result[0]?.message["chat_id"], result[0]?.message["text"], result[0]?.message["parse_mode"]],
    [SARA, "أهلا <b>Sara</b> 😀", undefined],
  );

  await sara.sendMessage(sara.makeMessage("مرحبا 😀"));
  const polled = await telegramUpdates.poll(http, account, 0, {
    waitMs: 0,
    receivedAt: new Date(),
    signal: new AbortController().signal,
  });
  assert.ok(polled.ok);
  const [event] = polled.events;
  assert.ok(event?.kind === "message");
  assert.deepEqual(
    [event.from.externalId, event.from.name, event.content.text],
    [String(SARA), "Sara", "مرحبا 😀"],
  );

  const pushed = Promise.withResolvers<InboundEvent[]>();
  const hook = createServer((request, response) => {
    void read(request).then((body) => {
      const raw = { body: Buffer.from(body), headers: {}, query: {}, receivedAt: new Date() };
      pushed.resolve(telegram.parse(raw, account));
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const set = await callBot(http, account, "setWebhook", { url }, { timeoutMs: 5_000 });
  assert.equal(set.status, 200);
  await sara.sendMessage(sara.makeMessage("pushed"));
  const [delivered] = await pushed.promise;
  assert.ok(delivered?.kind === "message");
  assert.equal(delivered.content.text, "pushed");
  const deleted = await callBot(http, account, "deleteWebhook", {}, { timeoutMs: 5_000 });
  assert.equal(deleted.status, 200);
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

test("a whole flow by polling: the customer writes, we answer, the customer reads it there", async () => {
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const token = "666:AAanother_token";
  const input = { ...telegramAccount({ url: front }, token), polling: true };
  const channel = await connectAccount(OPERATOR, t.app, workspaceId, input);
  assert.deepEqual([channel.status, channel.statusReason], ["connected", null]);
  const sara = customer(SARA + 1, token);
  await sara.sendMessage(sara.makeMessage("hello"));
  const [lease] = await claimPolls(t.app, 10);
  assert.ok(lease);
  const { signal } = new AbortController();
  assert.ok(await pollOnce(t.app, lease, { waitMs: 0, signal }));
  const rows = await t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${workspaceId}`,
  );
  const conversationId = rows[0]?.id ?? "";
  await acceptMessage(KEY, t.app, workspaceId, { conversationId, text: "أهلا 🌷" });
  await t.app.drain();
  const { result } = await sara.getUpdates();
  assert.deepEqual(
    result.map(({ message }) => [message["chat_id"], message["text"]]),
    [[SARA + 1, "أهلا 🌷"]],
  );
  const stored = await t.app.db.query<{
    line: string;
  }>(sql`select direction || ' ' || status || ' ' || text as line
    from message where workspace_id = ${workspaceId} order by id`);
  assert.deepEqual(
    stored.map(({ line }) => line),
    ["inbound received hello", "outbound sent أهلا 🌷"],
  );
});
