import type { Conversation } from "./conversation.ts";
import type { TikTokOptions } from "./options.ts";

const HOUR = 3_600_000;

/** Why the customer's window takes no message, or null. */
export function closedBy(
  window: TikTokOptions["window"],
  { lastInboundAt, replies }: Conversation,
  now: number,
): string | null {
  if (window === "off") return null;
  const hours = window?.hours ?? 48;
  const most = window?.messages ?? 10;
  if (lastInboundAt === null || now - lastInboundAt >= hours * HOUR)
    return `The ${hours}-hour messaging window is closed.`;
  return replies >= most
    ? `The limit of ${most} messages in the ${hours}-hour window is reached.`
    : null;
}

/** Calls of each business in the last second. */
export class Turns {
  readonly #most: number | null;
  readonly #taken = new Map<string, number[]>();
  constructor(most: number | null) {
    this.#most = most;
  }

  /** False when the second is full; counts the call otherwise. */
  take(businessId: string, now: number): boolean {
    if (this.#most === null) return true;
    const taken = (this.#taken.get(businessId) ?? []).filter((at) => at > now - 1000 && at <= now);
    this.#taken.set(businessId, taken);
    if (taken.length >= this.#most) return false;
    taken.push(now);
    return true;
  }
}
