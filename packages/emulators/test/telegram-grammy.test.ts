import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Bot, GrammyError, InlineKeyboard, webhookCallback } from "grammy";
import { createTelegramEmulator, type TelegramOptions } from "../src/index.ts";

// A client that we did not write: it receives our updates, by webhook and by long polling, and calls our methods.
const TOKEN = "123456789:AAtest_token-1";
const BOT = "123456789";
const SARA = 5_000_000_001;

async function start(options: TelegramOptions = {}) {
  const emulator = await createTelegramEmulator({
    bots: [{ token: TOKEN, username: "shop_bot" }],
    ...options,
  });
  const bot = new Bot(TOKEN, { client: { apiRoot: emulator.url } });
  const errors: unknown[] = [];
  bot.catch(({ error }) => void errors.push(error));
  return { emulator, bot, errors, [Symbol.asyncDispose]: () => emulator.close() };
}

async function refusal(call: Promise<unknown>): Promise<GrammyError> {
  const error = await call.then(
    () => assert.fail("expected a refusal"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GrammyError, String(error));
  return error;
}

test("a press after a restart has another id than those before it", async () => {
  const pressed = async () => {
    await using t = await start();
    const id = t.emulator.inbound({ botId: BOT, from: SARA, name: "Sara", text: "hello" });
    return t.emulator.press(BOT, SARA, id, "YES");
  };
  assert.notEqual(await pressed(), await pressed());
});

test("grammy polls: texts, edits, buttons, blocks come in order, and it answers through our methods", async () => {
  await using t = await start();
  const { bot, emulator } = t;
  const seen: string[] = [];
  const done = Promise.withResolvers<void>();
  bot.command("start", async (ctx) => {
    seen.push(`start ${ctx.match} ${ctx.from?.first_name ?? ""}`);
    const keyboard = new InlineKeyboard().text("Yes", "YES");
    const { message_id } = await ctx.reply("أهلا 👋", { reply_markup: keyboard });
    emulator.press(BOT, SARA, message_id, "YES");
  });
  bot.on("message:text", (ctx) => void seen.push(`text ${ctx.message.text}`));
  bot.on("edited_message:text", (ctx) => void seen.push(`edited ${ctx.editedMessage.text}`));
  bot.on("callback_query:data", async (ctx) => {
    seen.push(`press ${ctx.callbackQuery.data} on ${ctx.callbackQuery.message?.text ?? ""}`);
    await ctx.answerCallbackQuery();
    const again = await refusal(ctx.answerCallbackQuery());
    assert.match(again.description, /query is too old/);
    emulator.block(BOT, SARA);
  });
  bot.on("my_chat_member", async (ctx) => {
    seen.push(`member ${ctx.myChatMember.new_chat_member.status}`);
    const blocked = await refusal(ctx.api.sendMessage(SARA, "there?"));
    assert.equal(blocked.error_code, 403);
    assert.equal(blocked.description, "Forbidden: bot was blocked by the user");
    done.resolve();
  });
  const id = emulator.inbound({ botId: BOT, from: SARA, name: "Sara", text: "hello 😀" });
  emulator.edit(BOT, SARA, id, "hello!");
  emulator.inbound({
    botId: BOT,
    from: SARA,
    message: { text: "/start promo42", entities: [{ type: "bot_command", offset: 0, length: 6 }] },
  });
  const running = bot.start({ timeout: 1 });
  await done.promise;
  await bot.stop();
  await running;
  assert.deepEqual(seen, [
    "text hello 😀",
    "edited hello!",
    "start promo42 Sara",
    "press YES on أهلا 👋",
    "member kicked",
  ]);
  assert.deepEqual(t.errors, []);
  assert.equal(emulator.messages()[0]?.text, "أهلا 👋");
  assert.equal(emulator.bot(BOT).updates.count, 0);
});

test("grammy's webhook accepts our calls with the secret header and refuses those with another secret", async () => {
  await using t = await start({ delivery: "manual" });
  const { bot, emulator } = t;
  await bot.init();
  assert.equal(bot.botInfo.username, "shop_bot");
  const seen: string[] = [];
  bot.on("message:text", async (ctx) => {
    seen.push(ctx.message.text);
    await ctx.reply(`echo ${ctx.message.text}`);
  });
  const handle = webhookCallback(bot, "http", { secretToken: "s3cret" });
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
  await bot.api.setWebhook(url, { secret_token: "another" });
  emulator.inbound({ botId: BOT, from: SARA, text: "one" });
  assert.equal(await emulator.flush(), 0);
  const info = await bot.api.getWebhookInfo();
  assert.deepEqual([info.url, info.pending_update_count], [url, 1]);
  assert.match(info.last_error_message ?? "", /401/);
  await bot.api.setWebhook(url, { secret_token: "s3cret" });
  assert.equal(await emulator.flush(), 1);
  assert.deepEqual(seen, ["one"]);
  assert.equal(emulator.messages()[0]?.text, "echo one");
  assert.equal(await bot.api.deleteWebhook(), true);
  assert.equal((await bot.api.getWebhookInfo()).url, "");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("grammy gets the platform's refusals in the platform's words", async () => {
  await using t = await start({ limits: { chatIntervalMs: null } });
  const { api } = t.bot;
  const from = (id: number) => t.emulator.restoreChat(BOT, id);
  const rows: readonly (readonly [call: () => Promise<unknown>, code: number, words: RegExp])[] = [
    [() => api.sendMessage(777, "x"), 400, /^Bad Request: chat not found$/],
    [() => api.sendMessage(SARA, " "), 400, /message text is empty/],
    [() => api.sendMessage(SARA, "x".repeat(4097)), 400, /message is too long/],
    [() => api.sendMessage(SARA, "<b>x", { parse_mode: "HTML" }), 400, /can't parse entities/],
    [
      () => api.sendMessage(SARA, "x", { reply_parameters: { message_id: 9 } }),
      400,
      /message to be replied not found/,
    ],
    [
      () =>
        api.sendMessage(SARA, "x", {
          reply_markup: new InlineKeyboard().text("a", "d".repeat(65)),
        }),
      400,
      /BUTTON_DATA_INVALID/,
    ],
    [() => api.sendMessage(9_990_402, "x"), 403, /^Forbidden: user is deactivated$/],
    [() => api.sendMessage(9_990_403, "x"), 403, /^Forbidden: bot was blocked by the user$/],
    [() => api.sendMessage(9_990_401, "x"), 401, /^Unauthorized$/],
    [() => api.sendMessage(9_990_500, "x"), 500, /^Internal Server Error$/],
    [() => api.setWebhook("ftp://x"), 400, /HTTPS URL must be provided/],
    [
      () => api.setWebhook("http://127.0.0.1:1/", { secret_token: "not allowed" }),
      400,
      /secret token contains unallowed/,
    ],
  ];
  for (const id of [SARA, 9_990_402, 9_990_403, 9_990_401, 9_990_500, 9_990_430]) from(id);
  for (const [call, code, words] of rows) {
    const error = await refusal(call());
    assert.equal(error.error_code, code);
    assert.match(error.description, words);
  }
  const slow = await refusal(api.sendMessage(9_990_430, "x"));
  assert.deepEqual([slow.error_code, slow.parameters.retry_after], [429, 10_072]);
  const other = new Bot("123456789:AAother", { client: { apiRoot: t.emulator.url } });
  assert.equal((await refusal(other.api.getMe())).error_code, 401);
  const malformed = new Bot("nonsense", { client: { apiRoot: t.emulator.url } });
  assert.equal((await refusal(malformed.api.getMe())).error_code, 404);
  assert.equal(t.emulator.messages().length, 0);
});

test("a chat gets five at once and then one a second, and the answer names the wait", async () => {
  let at = 1_770_000_000_000;
  await using t = await start({ clock: { now: () => new Date(at) } });
  t.emulator.restoreChat(BOT, SARA);
  for (let i = 0; i < 5; i++) await t.bot.api.sendMessage(SARA, `m${i}`);
  const error = await refusal(t.bot.api.sendMessage(SARA, "m5"));
  assert.deepEqual([error.error_code, error.parameters.retry_after], [429, 1]);
  at += 1000;
  await t.bot.api.sendMessage(SARA, "m5");
  for (let i = 0; i < 29; i++) {
    t.emulator.restoreChat(BOT, 6_000 + i);
    await t.bot.api.sendMessage(6_000 + i, "hi");
  }
  t.emulator.restoreChat(BOT, 7_000);
  assert.equal((await refusal(t.bot.api.sendMessage(7_000, "hi"))).error_code, 429);
});

test("getUpdates is refused while a webhook is set, and a second poller ends the first", async () => {
  await using t = await start({ delivery: "manual" });
  const { api } = t.bot;
  await api.setWebhook("http://127.0.0.1:9/");
  assert.match((await refusal(api.getUpdates())).description, /webhook is active/);
  await api.deleteWebhook();
  const first = api.getUpdates({ timeout: 5 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.emulator.inbound({ botId: BOT, from: SARA, text: "a" });
  const [update] = await first;
  assert.equal(update?.message?.text, "a");
  // It removed nothing: an update stays until an offset confirms it.
  assert.equal((await api.getUpdates())[0]?.update_id, update.update_id);
  const offset = update.update_id + 1;
  let over = false;
  const waiting = refusal(api.getUpdates({ offset, timeout: 30 })).finally(() => (over = true));
  // The first ones may be asked before it.
  while (!over) assert.deepEqual(await api.getUpdates({ offset }), []);
  assert.match((await waiting).description, /terminated by other getUpdates request/);
});
