import { BoundedMap } from "../core/ring.ts";

export interface LimitOptions {
  /** Messages a second of one bot. Null: no limit. Default 30. */
  readonly messagesPerSecond: number | null;
  /** Time in which a chat earns one message. Null: no limit. Default 1,000. */
  readonly chatIntervalMs: number | null;
  /** Messages that a rested chat may get at once. Default 5: the platform allows short bursts. */
  readonly chatBurst: number;
}

/** Throughput of a bot and of a chat, by the emulator's clock. */
export class BotLimits {
  readonly #options: LimitOptions;
  readonly #stamps = new Map<string, number[]>();
  readonly #chats = new BoundedMap<string, { tokens: number; at: number }>(200_000);
  constructor(options: LimitOptions) {
    this.#options = options;
  }

  /** The seconds to wait, or null when the send may pass and is counted. */
  take(botId: string, chatId: string, now: number): number | null {
    const { messagesPerSecond, chatIntervalMs, chatBurst } = this.#options;
    let stamps: number[] | undefined;
    if (messagesPerSecond !== null) {
      stamps = (this.#stamps.get(botId) ?? []).filter((at) => at > now - 1000 && at <= now);
      this.#stamps.set(botId, stamps);
      if (stamps.length >= messagesPerSecond) return 1;
    }
    if (chatIntervalMs !== null) {
      const key = `${botId} ${chatId}`;
      const chat = this.#chats.get(key) ?? { tokens: chatBurst, at: now };
      const tokens = Math.min(chatBurst, chat.tokens + Math.max(0, now - chat.at) / chatIntervalMs);
      if (tokens < 1) return Math.max(1, Math.ceil(((1 - tokens) * chatIntervalMs) / 1000));
      this.#chats.set(key, { tokens: tokens - 1, at: now });
    }
    stamps?.push(now);
    return null;
  }
}
