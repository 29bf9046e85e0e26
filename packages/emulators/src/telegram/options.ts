import type { BaseClock } from "../core/clock.ts";
import type { LimitOptions } from "./limits.ts";

/** A bot of the platform. Its webhook is set by `setWebhook`, as on the platform. */
export interface BotOptions {
  /** `123456789:AA…`; the digits are the bot's id. */
  readonly token: string;
  readonly username?: string;
  readonly firstName?: string;
  /** The first message's id: after a restart, one that was not there before. Default 100. */
  readonly firstMessageId?: number;
}

/** A customer. Whoever writes to a bot is made up when unknown. */
export interface TelegramUser {
  readonly id: number;
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly languageCode?: string;
}

export interface TelegramOptions {
  /** Default 127.0.0.1. Only loopback addresses: the control surface has no password. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly seed?: number;
  readonly clock?: BaseClock;
  /** timed: updates leave when due; manual: only `flush()`, `advance()` and the control surface send them. Default timed. */
  readonly delivery?: "timed" | "manual";
  readonly bots?: readonly BotOptions[];
  readonly users?: readonly TelegramUser[];
  readonly limits?: Partial<LimitOptions>;
  /** Webhooks at https addresses only, as the public servers want it. Default false: as a self-hosted server. */
  readonly httpsOnly?: boolean;
  /** Default true. */
  readonly magic?: boolean;
  readonly webhookTimeoutMs?: number;
  /** Entries of the journals. Default 500. */
  readonly journalSize?: number;
  /** Default 1,000,000. */
  readonly ledgerSize?: number;
}

export interface SentMessage {
  readonly botId: string;
  readonly chatId: string;
  readonly messageId: number;
  /** The method: sendMessage, sendPhoto … */
  readonly method: string;
  /** The text or the caption. */
  readonly text: string | null;
  readonly acceptedAt: number;
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
  /** Any other content: `{ photo: […], caption: "…" }`. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** The message that it answers. */
  readonly replyTo?: number;
  /** Milliseconds; default now. */
  readonly at?: number;
  /** How often the same update is delivered. Default 1. */
  readonly times?: number;
  /** The customer writes that much later. */
  readonly afterMs?: number;
}
