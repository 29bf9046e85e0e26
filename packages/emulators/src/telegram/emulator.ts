import { randomInt } from "node:crypto";
import type { ControlTable } from "../core/control.ts";
import { Emulator, type Callbacks } from "../core/emulator.ts";
import { createOutgoing, type Outgoing } from "../core/outgoing.ts";
import { BoundedMap, Ring } from "../core/ring.ts";
import type { Call, Handled } from "../core/server.ts";
import { Bot, chatJson, membershipChange, userJson, type StoredFile } from "./bot.ts";
import { handleBotApi, invoke } from "./bot-api.ts";
import { telegramControl } from "./control.ts";
import { inboundContent } from "./inbound-file.ts";
import { BotLimits } from "./limits.ts";
import type {
  BotOptions,
  SeenBotCall,
  SeenUpdate,
  SentMessage,
  TelegramInbound,
  TelegramOptions,
  TelegramUser,
} from "./options.ts";

/**
 * An emulated Telegram Bot API. The control surface offers these methods over HTTP. There is no correlation id:
 * its ledger counts by chat and text.
 */
export class TelegramEmulator extends Emulator<TelegramOptions, SentMessage, SeenBotCall> {
  protected readonly name = "telegram";
  protected readonly maxBodyBytes = 55 * 1024 * 1024;
  protected readonly line: Callbacks;
  readonly limits: BotLimits;
  readonly #bots = new Map<string, Bot>();
  readonly #users = new BoundedMap<number, TelegramUser>(200_000);
  readonly #outgoing: Outgoing;
  readonly #seen: Ring<SeenUpdate>;
  /** Called for every accepted send, so that a customer can answer. */
  onAccepted: ((message: SentMessage) => void) | undefined;
  /** Called for `sendChatAction`: the bot is typing. */
  onAction: ((action: { botId: string; chatId: string; action: string }) => void) | undefined;

  constructor(options: TelegramOptions) {
    super(options);
    this.limits = new BotLimits(this.clock, {
      messagesPerSecond: 30,
      chatIntervalMs: 1000,
      chatBurst: 5,
      ...options.limits,
    });
    this.#outgoing = createOutgoing(options.webhookTimeoutMs ?? 10_000);
    this.#seen = new Ring(options.journalSize ?? 500);
    const bots = () => [...this.#bots.values()];
    const attempt = async (dueOnly: boolean) => {
      const taken = await Promise.all(bots().map((bot) => bot.updates.flush(dueOnly)));
      return taken.reduce((sum, one) => sum + one, 0);
    };
    // Chat by chat in order.
    this.line = {
      flush: () => attempt(false),
      deliverDue: () => attempt(true),
      clear: () => bots().forEach((bot) => bot.updates.clear()),
      close: async () => {
        await Promise.all(bots().map((bot) => bot.updates.close()));
        this.#outgoing.close();
      },
    };
    for (const bot of options.bots ?? []) this.addBot(bot);
    for (const user of options.users ?? []) this.#users.set(user.id, user);
  }

  protected control(): ControlTable {
    return telegramControl(this);
  }
  protected handle(call: Call): Promise<Handled> {
    return handleBotApi(this, call);
  }

  addBot(options: BotOptions): Bot {
    const bot = new Bot(options, {
      clock: this.clock,
      mode: this.options.delivery ?? "timed",
      outgoing: this.#outgoing,
      onCall: (webhook, update, attempt, headers, result) => {
        const at = this.clock.now();
        const body = JSON.stringify(update);
        this.#seen.push({ at, url: webhook.url, attempt, body, headers, status: result.status });
        // An answer may be the call of a method (channels.md §5.3).
        if (result.status !== null && result.status >= 200 && result.status < 300)
          void invoke(this, bot, result.body);
      },
    });
    this.#bots.set(bot.id, bot);
    return bot;
  }
  bot(id: string): Bot {
    const bot = this.#bots.get(id);
    if (!bot) throw new Error(`no bot ${id}`);
    return bot;
  }
  botByToken(token: string): Bot | undefined {
    return [...this.#bots.values()].find((bot) => bot.token === token);
  }
  /** The owner gets a new token: the old one is Unauthorized from now on. */
  revokeToken(id: string, token: string): void {
    this.bot(id).token = token;
  }

  /** The customer writes. Gives the message's id; the update waits for the webhook or for `getUpdates`. */
  inbound(options: TelegramInbound): number {
    const bot = this.bot(options.botId);
    const user = this.#user(options.from, options.name);
    const chatId = String(user.id);
    bot.openChat(user);
    const due = this.clock.now() + (options.afterMs ?? 0);
    const quoted = options.replyTo === undefined ? undefined : bot.quoted(chatId, options.replyTo);
    const message = {
      message_id: bot.nextMessageId(),
      from: userJson(user),
      chat: chatJson(user),
      date: Math.floor((options.at ?? due) / 1000),
      ...(quoted && { reply_to_message: quoted }),
      ...inboundContent(bot, options),
    };
    bot.noteMessage(chatId, message);
    bot.updates.push("message", chatId, message, due, options.times);
    return message.message_id;
  }

  /** The customer changes a message. */
  edit(botId: string, from: number, messageId: number, text: string): void {
    const bot = this.bot(botId);
    const message = bot.message(String(from), messageId);
    if (!message) throw new Error(`no message ${messageId}`);
    const now = this.clock.now();
    const edited = { ...message, text, edit_date: Math.floor(now / 1000) };
    bot.noteMessage(String(from), edited);
    bot.updates.push("edited_message", String(from), edited, now);
  }

  /** The customer presses a button below a message of the bot. Gives the id that must be answered. */
  press(botId: string, from: number, messageId: number, data: string): string {
    const bot = this.bot(botId);
    const message = bot.message(String(from), messageId);
    // Also after a restart no press has the id of an earlier one: whoever receives both would take it for a repetition.
    const id = `4382${randomInt(2 ** 47)}`;
    bot.presses.set(id, true);
    const query = {
      id,
      from: userJson(this.#user(from)),
      message: message ?? { message_id: messageId },
      chat_instance: "-1",
      data,
    };
    bot.updates.push("callback_query", String(from), query, this.clock.now());
    return id;
  }

  /** The customer blocks the bot: sends get 403 from now on, and the bot is told. */
  block(botId: string, from: number): void {
    this.#setBlocked(botId, from, true);
  }
  unblock(botId: string, from: number): void {
    this.#setBlocked(botId, from, false);
  }

  /** The customer wrote to the bot before: for a restarted emulator. */
  restoreChat(botId: string, from: number, name?: string): void {
    this.bot(botId).openChat(this.#user(from, name));
  }

  /** Queues a given update. */
  push(botId: string, kind: string, chat: string, content: object): number | null {
    return this.bot(botId).updates.push(kind, chat, content, this.clock.now());
  }

  /** A customer's file; use its id in `inbound({ message })`. */
  addFile(botId: string, bytes: Buffer, type: string, name = "file.bin"): StoredFile {
    return this.bot(botId).addFile({ name, type, bytes }, "documents");
  }

  webhooks(): readonly SeenUpdate[] {
    return this.#seen.all();
  }
  accept(message: SentMessage): void {
    const { botId, chatId, messageId, text, file } = message;
    this.noteMessage(`${botId} ${chatId} ${messageId}`, message);
    this.ledger.accept(botId, chatId, [file?.sha256 ?? [], text ?? []].flat().join(" "));
    this.onAccepted?.(message);
  }

  override clear(): void {
    super.clear();
    this.#seen.clear();
  }

  #user(id: number, name?: string): TelegramUser {
    const known = this.#users.get(id);
    if (known && (name === undefined || name === known.firstName)) return known;
    const user = { ...known, id, firstName: name ?? "Customer" };
    this.#users.set(id, user);
    return user;
  }

  #setBlocked(botId: string, from: number, blocked: boolean): void {
    const bot = this.bot(botId);
    const user = this.#user(from);
    bot.openChat(user).blocked = blocked;
    const change = membershipChange(bot, user, blocked, this.clock.now());
    bot.updates.push("my_chat_member", String(from), change, this.clock.now());
  }
}

/** Starts an emulated Telegram Bot API on a loopback port. */
export function createTelegramEmulator(options: TelegramOptions = {}): Promise<TelegramEmulator> {
  return new TelegramEmulator(options).listen();
}
