import { SimClock } from "../core/clock.ts";
import { Faults, type Fault } from "../core/fault.ts";
import { Ledger } from "../core/ledger.ts";
import { createOutgoing, type Outgoing } from "../core/outgoing.ts";
import { Random } from "../core/random.ts";
import { BoundedMap, Ring } from "../core/ring.ts";
import { listen, loopback, type EmulatorServer } from "../core/server.ts";
import { Bot, chatJson, membershipChange, userJson, type StoredFile } from "./bot.ts";
import { handleBotApi, invoke } from "./bot-api.ts";
import { telegramControl } from "./control.ts";
import { withControl } from "../core/control.ts";
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

/** A Telegram Bot API of our own. The methods are what the control surface does over HTTP. */
export class TelegramEmulator implements AsyncDisposable {
  readonly options: TelegramOptions;
  /** Whether magic addresses have their meaning; may be turned on and off. */
  magic: boolean;
  readonly clock: SimClock;
  readonly faults: Faults;
  readonly limits: BotLimits;
  /** How often each text went to each chat: the proof that nothing was sent twice. There is no correlation id. */
  readonly ledger: Ledger;
  readonly #bots = new Map<string, Bot>();
  readonly #users = new BoundedMap<number, TelegramUser>(200_000);
  readonly #outgoing: Outgoing;
  readonly #requests: Ring<SeenBotCall>;
  readonly #sent: Ring<SentMessage>;
  readonly #seen: Ring<SeenUpdate>;
  #server: EmulatorServer | undefined;
  #nextPress = 1;
  /** Called for every accepted send: a customer that answers. */
  onAccepted: ((message: SentMessage) => void) | undefined;
  /** Called for `sendChatAction`: the bot is typing. */
  onAction: ((action: { botId: string; chatId: string; action: string }) => void) | undefined;

  constructor(options: TelegramOptions) {
    this.options = options;
    this.magic = options.magic ?? true;
    this.clock = new SimClock(options.clock);
    this.faults = new Faults(new Random(options.seed ?? 1));
    this.limits = new BotLimits({
      messagesPerSecond: 30,
      chatIntervalMs: 1000,
      chatBurst: 5,
      ...options.limits,
    });
    this.ledger = new Ledger(options.ledgerSize ?? 1_000_000);
    this.#outgoing = createOutgoing(options.webhookTimeoutMs ?? 10_000);
    const journal = options.journalSize ?? 500;
    this.#requests = new Ring(journal);
    this.#sent = new Ring(journal);
    this.#seen = new Ring(journal);
    for (const bot of options.bots ?? []) this.addBot(bot);
    for (const user of options.users ?? []) this.#users.set(user.id, user);
  }

  /** Where it listens, without a trailing slash: what a channel's `apiUrl` should be. */
  get url(): string {
    return this.#server?.url ?? "";
  }

  async listen(): Promise<this> {
    this.#server = await listen({
      host: loopback(this.options.host),
      port: this.options.port ?? 0,
      maxBodyBytes: 55 * 1024 * 1024,
      handle: withControl(this, "telegram", telegramControl(this), (call) =>
        handleBotApi(this, call),
      ),
    });
    return this;
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
        // An answer may be a call of a method (channels.md §5.3).
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
  /** The owner takes a new token: the old one is Unauthorized from now on. */
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
    const id = `4382${this.#nextPress++}`;
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

  /** The customer wrote to the bot before: what a restarted emulator is told. */
  restoreChat(botId: string, from: number, name?: string): void {
    this.bot(botId).openChat(this.#user(from, name));
  }

  /** Any update of the test's own making. */
  push(botId: string, kind: string, chat: string, content: object): number | null {
    return this.bot(botId).updates.push(kind, chat, content, this.clock.now());
  }

  /** A customer's file; use its id in `inbound({ message })`. */
  addFile(botId: string, bytes: Buffer, type: string, name = "file.bin"): StoredFile {
    return this.bot(botId).addFile({ name, type, bytes }, "documents");
  }

  fault(fault: Fault): void {
    this.faults.add(fault);
  }

  /** One attempt for what waits, chat by chat in order. Gives how many updates were taken. */
  async flush(): Promise<number> {
    const taken = await Promise.all([...this.#bots.values()].map((bot) => bot.updates.flush()));
    return taken.reduce((sum, one) => sum + one, 0);
  }
  /** Moves the emulator's clock and delivers what became due. */
  async advance(ms: number): Promise<number> {
    this.clock.advance(ms);
    const taken = await Promise.all([...this.#bots.values()].map((bot) => bot.updates.flush(true)));
    return taken.reduce((sum, one) => sum + one, 0);
  }

  requests(): readonly SeenBotCall[] {
    return this.#requests.all();
  }
  messages(): readonly SentMessage[] {
    return this.#sent.all();
  }
  webhooks(): readonly SeenUpdate[] {
    return this.#seen.all();
  }
  noteRequest(request: SeenBotCall): void {
    this.#requests.push(request);
  }
  accept(message: SentMessage): void {
    this.#sent.push(message);
    const { botId, chatId, text, file } = message;
    this.ledger.accept(botId, chatId, [file?.sha256 ?? [], text ?? []].flat().join(" "));
    this.onAccepted?.(message);
  }

  /** Answers every delayed call now and cuts every hanging one. */
  release(): void {
    this.#server?.release();
  }
  /** Forgets journals, faults and what waits; keeps bots, webhooks and chats. */
  clear(): void {
    this.#requests.clear();
    this.#sent.clear();
    this.#seen.clear();
    this.ledger.clear();
    this.faults.clear();
    for (const bot of this.#bots.values()) bot.updates.clear();
  }
  async close(): Promise<void> {
    for (const bot of this.#bots.values()) await bot.updates.close();
    await this.#server?.close();
    this.#outgoing.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
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

/** Starts a Telegram Bot API of our own on a loopback port. */
export function createTelegramEmulator(options: TelegramOptions = {}): Promise<TelegramEmulator> {
  return new TelegramEmulator(options).listen();
}
