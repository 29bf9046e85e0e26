import type { ChannelType } from "../../wire/words.ts";

/**
 * Where a customer is reached on a channel, as a person reads it: a phone number with its plus, or what the platform
 * calls the customer. Empty for visitors of web chat, whose ids say nothing.
 */
export function customerAddress({
  phone,
  externalId,
  channelType,
}: {
  readonly phone: string | null;
  readonly externalId: string;
  readonly channelType: ChannelType;
}): string {
  if (phone !== null) return `+${phone}`;
  if (channelType === "WEB") return "";
  // WhatsApp also knows people by ids that are no numbers.
  return channelType === "WHATSAPP" && /^\d+$/.test(externalId) ? `+${externalId}` : externalId;
}
