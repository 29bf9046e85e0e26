import type { Dialect } from "./options.ts";

/** The webhook field of an event, by which apps subscribe to it. */
export function fieldOf(dialect: Dialect, item: Readonly<Record<string, unknown>>): string {
  const isMessenger = dialect.name === "messenger";
  const { message } = item;
  if (typeof message === "object" && message !== null)
    return isMessenger && "is_echo" in message && message.is_echo === true
      ? "message_echoes"
      : "messages";
  if ("delivery" in item) return "message_deliveries";
  if ("read" in item) return isMessenger ? "message_reads" : "messaging_seen";
  if ("postback" in item) return "messaging_postbacks";
  if ("reaction" in item) return "message_reactions";
  if ("message_edit" in item) return isMessenger ? "message_edits" : "message_edit";
  if ("referral" in item) return isMessenger ? "messaging_referrals" : "messaging_referral";
  return "messages";
}
