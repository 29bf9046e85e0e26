import type { SimClock } from "../core/clock.ts";
import { Earnings, Throttle } from "../core/throttle.ts";

export interface LimitOptions {
  /** Messages a second of one bot. Null: no limit. Default 30. */
  readonly messagesPerSecond: number | null;
  /** How often a chat earns one message, in ms. Null: no limit. Default 1,000. */
  readonly chatIntervalMs: number | null;
  /** How many messages a rested chat may get at once. Default 5: the platform allows short bursts. */
  readonly chatBurst: number;
}

/** Throughput of a bot and of a chat, by the emulator's clock. */
export class BotLimits {
  readonly #options: LimitOptions;
  readonly #bots: Throttle;
  readonly #chats: Earnings;
  constructor(clock: SimClock, options: LimitOptions) {
    this.#options = options;
    this.#bots = new Throttle(clock);
    this.#chats = new Earnings(clock);
  }

  /** The seconds to wait, or null when the send is allowed and counted. */
  take(botId: string, chatId: string): number | null {
    const { messagesPerSecond, chatIntervalMs, chatBurst } = this.#options;
    if (!this.#bots.isFree(botId, messagesPerSecond)) return 1;
    const waitMs =
      chatIntervalMs === null
        ? 0
        : this.#chats.take(`${botId} ${chatId}`, chatIntervalMs, chatBurst);
    if (waitMs > 0) return Math.max(1, Math.ceil(waitMs / 1000));
    this.#bots.count(botId);
    return null;
  }
}
