import { createHash } from "node:crypto";
import { BoundedMap } from "../core/ring.ts";
import type { UploadedFile } from "./params.ts";
import type { BotOptions, TelegramUser } from "./options.ts";
import { Updates, type UpdatesOptions } from "./updates.ts";

type Loose = Readonly<Record<string, unknown>>;
type Message = Loose & { readonly message_id: number };

export interface StoredFile {
  readonly fileId: string;
  readonly uniqueId: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly name: string;
  readonly sha256: string;
}

/** "It is guaranteed that the link will be valid for at least 1 hour": here it is valid for exactly that time. */
const PATH_MS = 3_600_000;

/** A chat of a bot: it exists once the customer has written. */
export interface Chat {
  readonly user: TelegramUser;
  blocked: boolean;
}

/** One bot: its token, chats, files and waiting updates. */
export class Bot {
  token: string;
  readonly id: string;
  readonly username: string;
  readonly firstName: string;
  readonly updates: Updates;
  readonly #chats = new BoundedMap<string, Chat>(200_000);
  /**
   * Messages both ways, in the platform's words, the last of all chats together: it may run beside a server for
   * long.
   */
  readonly #messages = new BoundedMap<string, Message>(20_000);
  readonly #files = new BoundedMap<string, StoredFile>(100, ({ bytes }) => bytes.length);
  readonly #paths = new BoundedMap<string, { file: StoredFile; until: number }>(100);
  /** Button presses that wait for `answerCallbackQuery`. */
  readonly presses = new BoundedMap<string, true>(1000);
  #nextMessage: number;
  #nextFile = 1;

  constructor(options: BotOptions, updates: UpdatesOptions) {
    this.token = options.token;
    this.id = options.token.slice(0, options.token.indexOf(":"));
    this.username = options.username ?? `emulated_${this.id}_bot`;
    this.firstName = options.firstName ?? "Emulated Bot";
    this.#nextMessage = options.firstMessageId ?? 100;
    this.updates = new Updates(updates);
  }

  /** As in `from` of its messages and in the answer to `getMe`. */
  get self(): Loose {
    return {
      id: Number(this.id),
      is_bot: true,
      first_name: this.firstName,
      username: this.username,
    };
  }

  chat(chatId: string): Chat | undefined {
    return this.#chats.get(chatId);
  }
  openChat(user: TelegramUser): Chat {
    const known = this.#chats.get(String(user.id));
    const chat = { user, blocked: known?.blocked ?? false };
    this.#chats.set(String(user.id), chat);
    return chat;
  }

  message(chatId: string, messageId: number): Message | undefined {
    return this.#messages.get(`${chatId} ${messageId}`);
  }
  noteMessage(chatId: string, message: Message): void {
    this.#messages.set(`${chatId} ${message.message_id}`, message);
  }
  /** The message as an answer to it shows it: without the message that it answered itself, as on the platform. */
  quoted(chatId: string, messageId: number): Loose | undefined {
    const message = this.message(chatId, messageId);
    if (message === undefined) return undefined;
    const { reply_to_message: _, ...rest } = message;
    return rest;
  }

  nextMessageId(): number {
    return this.#nextMessage++;
  }

  addFile(file: UploadedFile, folder: string): StoredFile {
    const number = this.#nextFile++;
    const fileId = `AgAD${this.id}-${number}`;
    const extension = /\.[a-z0-9]+$/i.exec(file.name)?.[0] ?? "";
    const stored = {
      fileId,
      uniqueId: `AQAD${number}`,
      path: `${folder}/file_${number}${extension}`,
      bytes: file.bytes,
      mimeType: file.type || "application/octet-stream",
      name: file.name,
      sha256: createHash("sha256").update(file.bytes).digest("hex"),
    };
    this.#files.set(fileId, stored);
    return stored;
  }
  /** By file id. */
  file(fileId: string): StoredFile | undefined {
    return this.#files.get(fileId);
  }
  /** The path where a file can be read from now on, for an hour. */
  issuePath(file: StoredFile, now: number): string {
    this.#paths.set(file.path, { file, until: now + PATH_MS });
    return file.path;
  }
  fileAt(path: string, now: number): StoredFile | undefined {
    const place = this.#paths.get(path);
    return place !== undefined && now < place.until ? place.file : undefined;
  }
}

/** A user as the platform shows it in `from`. */
export function userJson(user: TelegramUser): Loose {
  return {
    id: user.id,
    is_bot: false,
    first_name: user.firstName,
    ...(user.lastName !== undefined && { last_name: user.lastName }),
    ...(user.username !== undefined && { username: user.username }),
    ...(user.languageCode !== undefined && { language_code: user.languageCode }),
  };
}

/** The private chat with that user. */
export function chatJson(user: TelegramUser): Loose {
  const { is_bot: _bot, language_code: _code, ...rest } = userJson(user);
  return { ...rest, type: "private" };
}

/** `my_chat_member` of a private chat: the customer blocked or unblocked the bot. */
export function membershipChange(
  bot: Bot,
  user: TelegramUser,
  blocked: boolean,
  at: number,
): Loose {
  const [old, now] = blocked ? ["member", "kicked"] : ["kicked", "member"];
  return {
    chat: chatJson(user),
    from: userJson(user),
    date: Math.floor(at / 1000),
    old_chat_member: { user: bot.self, status: old, ...(!blocked && { until_date: 0 }) },
    new_chat_member: { user: bot.self, status: now, ...(blocked && { until_date: 0 }) },
  };
}
