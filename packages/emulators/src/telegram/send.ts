import { magicKey, type Fault } from "../core/fault.ts";
import { chatJson, type Bot } from "./bot.ts";
import type { TelegramEmulator } from "./emulator.ts";
import { badRequest, BotRefusal, tooMany } from "./errors.ts";
import { magicOf } from "./magic.ts";
import type { SentMessage } from "./options.ts";
import type { Params } from "./params.ts";

type Loose = Readonly<Record<string, unknown>>;

const MAX_TEXT = 4096;

/** The effect of a send beside its answer: a connection that breaks. */
export interface SendOutcome {
  fault: Fault | null;
}

/** `sendMessage`: strict about every parameter that it knows; others are ignored, as the platform does. */
export function sendMessage(
  emulator: TelegramEmulator,
  bot: Bot,
  params: Params,
  outcome: SendOutcome,
): unknown {
  const chatId = readChatId(params);
  const text = params.text("text");
  if (text === null || text.trim() === "") throw badRequest("message text is empty");
  checkMarkup(text, params.text("parse_mode"));
  if (Array.from(text).length > MAX_TEXT) throw badRequest("message is too long");
  params.object("link_preview_options");
  return deliver(emulator, bot, chatId, { method: "sendMessage", text }, { text }, params, outcome);
}

/** The rules that every send shares: chat, block, magic, limits; then the message is accepted. */
export function deliver(
  emulator: TelegramEmulator,
  bot: Bot,
  chatId: string,
  sent: Pick<SentMessage, "method" | "text" | "file">,
  content: Loose,
  params: Params,
  outcome: SendOutcome,
): unknown {
  const chat = bot.chat(chatId);
  if (chat === undefined) throw new BotRefusal(400);
  const key = magicKey(outcome.fault, emulator.magic, chatId);
  const magic = key === null ? null : magicOf(key);
  if (magic?.kind === "refuse") throw magic.refusal;
  if (chat.blocked) throw new BotRefusal(403);
  const reply = readReply(bot, chatId, params);
  const markup = params.object("reply_markup");
  checkButtons(markup);
  const wait = emulator.limits.take(bot.id, chatId);
  if (wait !== null) throw tooMany(wait);
  if (magic?.kind === "connection") {
    outcome.fault = { kind: magic.hang === true ? "hang" : "drop", accepted: magic.accepted };
    if (!magic.accepted) return {};
  }
  if (magic?.kind === "slow") outcome.fault = { kind: "delay", delayMs: magic.delayMs };
  const message = {
    message_id: bot.nextMessageId(),
    from: bot.self,
    chat: chatJson(chat.user),
    date: Math.floor(emulator.clock.now() / 1000),
    ...(reply && { reply_to_message: reply }),
    ...content,
    ...(markup && "inline_keyboard" in markup && { reply_markup: markup }),
  };
  bot.noteMessage(chatId, message);
  emulator.accept({
    botId: bot.id,
    chatId,
    messageId: message.message_id,
    ...sent,
    buttons: buttonsOf(markup),
    quoted: typeof reply?.["message_id"] === "number" ? reply["message_id"] : null,
    acceptedAt: emulator.clock.now(),
  });
  return message;
}

export function readChatId(params: Params): string {
  if (!params.has("chat_id")) throw badRequest("chat_id is empty");
  const chatId = params.integer("chat_id");
  if (chatId === null) throw badRequest("chat_id is empty");
  return String(chatId);
}

function readReply(bot: Bot, chatId: string, params: Params): Loose | null {
  const parameters = params.object("reply_parameters");
  if (parameters === null) return null;
  const id = parameters["message_id"];
  if (typeof id !== "number") throw badRequest('field "message_id" must be of type Number');
  const quoted = bot.quoted(chatId, id);
  if (quoted !== undefined) return quoted;
  if (parameters["allow_sending_without_reply"] === true) return null;
  throw badRequest("message to be replied not found");
}

function checkButtons(markup: Loose | null): void {
  const rows = markup?.["inline_keyboard"];
  if (rows === undefined || rows === null) return;
  if (!Array.isArray(rows) || !rows.every(Array.isArray))
    throw badRequest("object expected as reply markup");
  for (const button of rows.flat() as Loose[]) {
    if (typeof button["text"] !== "string")
      throw badRequest("can't parse inline keyboard button: Text is empty");
    const data = button["callback_data"];
    if (data !== undefined && !(typeof data === "string" && inRange(Buffer.byteLength(data))))
      throw badRequest("BUTTON_DATA_INVALID");
  }
}
function buttonsOf(markup: Loose | null): { text: string; payload: string }[] {
  const rows = markup?.["inline_keyboard"];
  const buttons: unknown[] = Array.isArray(rows) ? rows.flat() : [];
  return buttons.flatMap((button) => {
    const { text, callback_data: payload } = button as Loose;
    return typeof payload === "string" ? [{ text: String(text), payload }] : [];
  });
}

const inRange = (bytes: number): boolean => bytes >= 1 && bytes <= 64;

const TAGS = /^(b|strong|i|em|u|ins|s|strike|del|a|code|pre|tg-spoiler|tg-emoji|span|blockquote)$/;

/**
 * Markup that the platform cannot parse: enough of its rules to show that a sender used `parse_mode` on foreign
 * text.
 */
export function checkMarkup(text: string, mode: string | null): void {
  if (mode === null || mode === "") return;
  const name = mode.toLowerCase();
  if (!["html", "markdown", "markdownv2"].includes(name))
    throw badRequest("unsupported parse_mode");
  if (name === "html") {
    const open: string[] = [];
    for (const [, slash, tag = ""] of text.matchAll(/<(\/?)([^\s>]*)[^>]*>?/g)) {
      if (!TAGS.test(tag.toLowerCase()))
        throw badRequest(`can't parse entities: Unsupported start tag "${tag}"`);
      if (slash === "") open.push(tag.toLowerCase());
      else if (open.pop() !== tag.toLowerCase())
        throw badRequest("can't parse entities: Unexpected end tag");
    }
    if (open.length > 0)
      throw badRequest(
        `can't parse entities: Can't find end tag corresponding to start tag "${open[0]}"`,
      );
    return;
  }
  for (const mark of ["*", "_", "`"])
    if (text.split(mark).length % 2 === 0)
      throw badRequest("can't parse entities: Can't find end of the entity");
}
