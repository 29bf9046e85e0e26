import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { createTelegramEmulator } from "../src/index.ts";

const TOKEN = "123456789:AAtest_token-1";
const BOT = "123456789";

/** A receiver with answers set by the test, and an emulator with a clock moved by the test. */
async function start() {
  const texts: string[] = [];
  const headers: unknown[] = [];
  const state: { status: number; retryAfter?: string; body?: string } = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const update = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        message?: { text?: string };
      };
      texts.push(update.message?.text ?? "");
      headers.push(request.headers["x-telegram-bot-api-secret-token"]);
      response.writeHead(
        state.status,
        state.retryAfter === undefined ? {} : { "retry-after": state.retryAfter },
      );
      response.end(state.body ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
  const clock = { now: () => new Date(1_770_000_000_000) };
  const emulator = await createTelegramEmulator({
    bots: [{ token: TOKEN }],
    delivery: "manual",
    clock,
  });
  const call = async (method: string, body: object) => {
    const response = await fetch(`${emulator.url}/bot${TOKEN}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  assert.deepEqual(
    (await call("setWebhook", { url, secret_token: "s3cret", allowed_updates: ["message"] })).body,
    { ok: true, result: true, description: "Webhook was set" },
  );
  return {
    emulator,
    texts,
    headers,
    state,
    call,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("updates of a chat wait behind a refused one, other chats go on, and the gaps double", async () => {
  await using t = await start();
  t.state.status = 500;
  t.emulator.inbound({ botId: BOT, from: 1, text: "a1" });
  t.emulator.inbound({ botId: BOT, from: 1, text: "a2" });
  t.emulator.inbound({ botId: BOT, from: 2, text: "b1" });
  await t.emulator.advance(0);
  assert.deepEqual(t.texts, ["a1", "b1"]);
  await t.emulator.advance(999);
  assert.equal(t.texts.length, 2);
  await t.emulator.advance(1);
  assert.deepEqual(t.texts, ["a1", "b1", "a1", "b1"]);
  t.state.status = 200;
  await t.emulator.advance(1999);
  assert.equal(t.texts.length, 4);
  await t.emulator.advance(1);
  assert.deepEqual(t.texts.slice(4), ["a1", "a2", "b1"]);
  assert.deepEqual([...new Set(t.headers)], ["s3cret"]);
});

test("the receiver's Retry-After is obeyed, and after a day an update is dropped", async () => {
  await using t = await start();
  t.state.status = 503;
  t.state.retryAfter = "120";
  t.emulator.inbound({ botId: BOT, from: 1, text: "a" });
  await t.emulator.advance(0);
  await t.emulator.advance(119_000);
  assert.equal(t.texts.length, 1);
  await t.emulator.advance(1_000);
  assert.equal(t.texts.length, 2);
  await t.emulator.advance(24 * 3_600_000);
  assert.equal(t.texts.length, 2);
  const { body } = await t.call("getWebhookInfo", {});
  const { result } = body as { result: Record<string, unknown> };
  assert.equal(result["pending_update_count"], 0);
  assert.match(String(result["last_error_message"]), /503/);
});

test("kinds without a subscription never come, and an answer that names a method calls it", async () => {
  await using t = await start();
  t.state.body = JSON.stringify({ method: "sendMessage", chat_id: 1, text: "by answer" });
  const id = t.emulator.inbound({ botId: BOT, from: 1, text: "a" });
  t.emulator.edit(BOT, 1, id, "b");
  await t.emulator.flush();
  assert.deepEqual(t.texts, ["a"]);
  // The call is made after the answer was read.
  while (t.emulator.messages().length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual(
    t.emulator.messages().map(({ text }) => text),
    ["by answer"],
  );
});

test("a 429 gives the wait in the body and in Retry-After; faults hit only their group of calls", async () => {
  await using t = await start();
  t.emulator.restoreChat(BOT, 1);
  t.emulator.fault({ kind: "code", code: 429, retryAfter: 7 });
  t.emulator.fault({ kind: "code", code: 401, on: "account" });
  const slow = await t.call("sendMessage", { chat_id: 1, text: "x" });
  assert.deepEqual([slow.status, slow.headers.get("retry-after")], [429, "7"]);
  assert.deepEqual(slow.body, {
    ok: false,
    error_code: 429,
    description: "Too Many Requests: retry after 7",
    parameters: { retry_after: 7 },
  });
  assert.equal((await t.call("sendMessage", { chat_id: "1", text: "x" })).status, 200);
  assert.equal((await t.call("getMe", {})).status, 401);
  assert.equal((await t.call("getMe", {})).status, 200);
});

test("an answered message is shown without the message that it answered, and the last of all chats together are kept", async () => {
  await using t = await start();
  const bot = t.emulator.bot(BOT);
  const write = (text: string, replyTo?: number) =>
    t.emulator.inbound({ botId: BOT, from: 1, text, ...(replyTo !== undefined && { replyTo }) });
  const first = write("first");
  const second = write("second", first);
  const { text, reply_to_message: before } = Object(
    bot.message("1", write("third", second))?.["reply_to_message"],
  ) as Record<string, unknown>;
  assert.deepEqual([text, before], ["second", undefined]);
  for (let n = 0; n < 20_000; n++) bot.noteMessage(String(n), { message_id: n });
  assert.equal(bot.message("1", first), undefined);
});
