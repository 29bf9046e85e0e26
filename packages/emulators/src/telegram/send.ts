import { magicKey, type Fault } from "../core/fault.ts";
import { chatJson, type Bot, type Chat } from "./bot.ts";
import type { TelegramEmulator } from "./emulator.ts";
import { badRequest, BotRefusal, tooMany } from "./errors.ts";
import { magicOf } from "./magic.ts";
import type { Params } from "./params.ts";

type Loose = Readonly<Record<string, unknown>>;

const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;
const MAX_UPLOAD = { photo: 10, document: 50 } as const;
const MB = 1024 * 1024;

/** What a send comes to beside its answer: a connection that breaks. */
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

/** `sendPhoto`, `sendDocument`: an upload, the id of a known file, or an address. */
export function sendFile(
  emulator: TelegramEmulator,
  bot: Bot,
  kind: "photo" | "document",
  params: Params,
  outcome: SendOutcome,
): unknown {
  const chatId = readChatId(params);
  const caption = params.text("caption");
  checkMarkup(caption ?? "", params.text("parse_mode"));
  if (caption !== null && Array.from(caption).length > MAX_CAPTION)
    throw badRequest("message caption is too long");
  const file = fileOf(bot, kind, params);
  const base = {
    file_id: file.fileId,
    file_unique_id: file.uniqueId,
    file_size: file.bytes.length,
  };
  const own =
    kind === "photo"
      ? { photo: [{ ...base, width: 800, height: 600 }] }
      : { document: { ...base, file_name: file.name, mime_type: file.mimeType } };
  const method = kind === "photo" ? "sendPhoto" : "sendDocument";
  const content = { ...own, ...(caption !== null && { caption }) };
  return deliver(emulator, bot, chatId, { method, text: caption }, content, params, outcome);
}

function fileOf(bot: Bot, kind: "photo" | "document", params: Params) {
  const given = params.text(kind);
  const uploaded = params.files.get(
    given?.startsWith("attach://") === true ? given.slice("attach://".length) : kind,
  );
  if (uploaded !== undefined) {
    if (uploaded.bytes.length === 0) throw badRequest("file must be non-empty");
    if (uploaded.bytes.length > MAX_UPLOAD[kind] * MB) throw new BotRefusal(413);
    return bot.addFile(uploaded, `${kind}s`);
  }
  if (given === null) throw badRequest(`there is no ${kind} in the request`);
  const known = bot.file(given);
  if (known !== undefined) return known;
  if (!/^https?:\/\//.test(given))
    throw badRequest("wrong remote file identifier specified: Wrong character in the string");
  if (!URL.canParse(given)) throw badRequest("wrong HTTP URL specified");
  const name = new URL(given).pathname.split("/").at(-1) ?? "";
  return bot.addFile({ name, type: "", bytes: Buffer.from(given) }, `${kind}s`);
}

/** The rules that every send shares: chat, block, magic, limits; then the message is taken. */
function deliver(
  emulator: TelegramEmulator,
  bot: Bot,
  chatId: string,
  sent: { method: string; text: string | null },
  content: Loose,
  params: Params,
  outcome: SendOutcome,
): unknown {
  const chat = bot.chat(chatId);
  if (chat === undefined) throw new BotRefusal(400);
  const key = magicKey(outcome.fault, emulator.options.magic, chatId);
  const magic = key === null ? null : magicOf(key);
  if (magic?.kind === "refuse") throw magic.refusal;
  if (chat.blocked) throw new BotRefusal(403);
  const reply = readReply(chat, params);
  const markup = params.object("reply_markup");
  checkButtons(markup);
  const wait = emulator.limits.take(bot.id, chatId, emulator.clock.now());
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
  chat.messages.set(message.message_id, message);
  emulator.accept({
    botId: bot.id,
    chatId,
    messageId: message.message_id,
    ...sent,
    acceptedAt: emulator.clock.now(),
  });
  return message;
}

function readChatId(params: Params): string {
  if (!params.has("chat_id")) throw badRequest("chat_id is empty");
  const chatId = params.integer("chat_id");
  if (chatId === null) throw badRequest("chat_id is empty");
  return String(chatId);
}

function readReply(chat: Chat, params: Params): Loose | null {
  const parameters = params.object("reply_parameters");
  if (parameters === null) return null;
  const id = parameters["message_id"];
  if (typeof id !== "number") throw badRequest('field "message_id" must be of type Number');
  const quoted = chat.messages.get(id);
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
const inRange = (bytes: number): boolean => bytes >= 1 && bytes <= 64;

const TAGS = /^(b|strong|i|em|u|ins|s|strike|del|a|code|pre|tg-spoiler|tg-emoji|span|blockquote)$/;

/** Markup that the platform cannot read: enough of its rules to show that a sender used `parse_mode` on foreign text. */
function checkMarkup(text: string, mode: string | null): void {
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
