import type { EmulatorOptions } from "../core/emulator.ts";
import type { SeenRequest } from "../core/server.ts";
import type { LimitOptions } from "./limits.ts";

/** A bot of the platform. Its webhook is set by `setWebhook`, as on the platform. */
export interface BotOptions {
  /** `123456789:AA…`; the digits are the bot's id. */
  readonly token: string;
  readonly username?: string;
  readonly firstName?: string;
  /** The first message's id; after a restart, one that was not used before. Default 100. */
  readonly firstMessageId?: number;
}

/** A customer. For an unknown one who writes to a bot, the details are made up. */
export interface TelegramUser {
  readonly id: number;
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly languageCode?: string;
}

export interface TelegramOptions extends EmulatorOptions {
  readonly bots?: readonly BotOptions[];
  readonly users?: readonly TelegramUser[];
  readonly limits?: Partial<LimitOptions>;
  /** Webhooks only at https addresses, as the public servers require. Default false: as a self-hosted server. */
  readonly httpsOnly?: boolean;
  /** As one's own server with --local: files are named by their path on its disk, and have no limit. */
  readonly local?: boolean;
  readonly webhookTimeoutMs?: number;
}

/** A file as the platform keeps it. */
interface SentFile {
  /** For `bot(id).file(fileId)`, which has the bytes. */
  readonly fileId: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

export const FILE_KINDS = [
  "photo",
  "document",
  "video",
  "animation",
  "audio",
  "voice",
  "video_note",
  "sticker",
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A file that the customer sends. */
export interface InboundFile {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly mimeType?: string;
  readonly name?: string;
  readonly caption?: string;
}

export interface SentMessage {
  readonly botId: string;
  readonly chatId: string;
  readonly messageId: number;
  /** The method: sendMessage, sendPhoto … */
  readonly method: string;
  /** The text or the caption. */
  readonly text: string | null;
  readonly file?: SentFile;
  /** The buttons of its inline keyboard that return something. */
  readonly buttons: readonly { readonly text: string; readonly payload: string }[];
  /** The message that it quotes. */
  readonly quoted: number | null;
  readonly acceptedAt: number;
}

/** A call of a method with its parameters, however they were written: query, JSON or form. */
export interface SeenBotCall extends SeenRequest {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly files: readonly {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly size: number;
  }[];
}

export interface SeenUpdate {
  readonly at: number;
  readonly url: string;
  readonly attempt: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | null;
}

/** What the customer sends, in the platform's own words. */
export interface TelegramInbound {
  readonly botId: string;
  /** The customer's id, which is the chat's id too. */
  readonly from: number;
  readonly name?: string;
  readonly text?: string;
  /** A file with its caption; the platform's description of it is generated. */
  readonly file?: InboundFile;
  /** Any other content: `{ photo: […], caption: "…" }`. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** The message that it answers. */
  readonly replyTo?: number;
  /** Milliseconds; default now. */
  readonly at?: number;
  /** How often the same update is delivered. Default 1. */
  readonly times?: number;
  /** The customer writes this much later. */
  readonly afterMs?: number;
}
