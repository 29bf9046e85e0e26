import type { Conversation } from "./conversation.ts";
import type { TikTokOptions } from "./options.ts";

const HOUR = 3_600_000;

/** Why the customer's window accepts no message, or null. */
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
