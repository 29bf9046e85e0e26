import type { ChannelType } from "../wire/words.ts";
import type { Channel } from "./channel.ts";

const DAY_MS = 86_400_000;
/** A platform that is set up right has called by then: its handshake alone is a call. */
const QUIET_MS = 10 * 60_000;

/** What signs a platform's calls, and where a person finds it; null: nobody calls. */
const SIGNED_BY = {
  WHATSAPP: "the app secret (developers.facebook.com > the app > App settings > Basic)",
  MESSENGER: "the app secret (developers.facebook.com > the app > App settings > Basic)",
  INSTAGRAM: "the app secret (developers.facebook.com > the app > App settings > Basic)",
  TELEGRAM: "the secret token",
  TIKTOK: "the app secret",
  WEB: null,
} as const satisfies Record<ChannelType, string | null>;

type Told = Pick<
  Channel,
  | "type"
  | "status"
  | "statusReason"
  | "syncError"
  | "settings"
  | "sandbox"
  | "createdAt"
  | "lastWebhookAt"
  | "wrongSignatures"
  | "wrongSignaturesSince"
  | "wrongSignatureAt"
  | "wrongVerifyTokenAt"
>;

/** What an operator should know of a channel, a sentence each; none for one that works or was given up. */
export function channelWarnings(channel: Told, now: Date): string[] {
  const { status, statusReason, syncError, lastWebhookAt } = channel;
  if (status === "disconnected") return [];
  const warnings: string[] = [];
  const lately = (at: Date | null): at is Date =>
    at !== null && now.getTime() - at.getTime() < DAY_MS;
  if (status === "error")
    warnings.push(`in error, nothing is sent: ${statusReason ?? "no reason was given"}`);
  if (syncError !== null && syncError !== statusReason)
    warnings.push(`its platform could not be set up or read: ${syncError}`);
  const signedBy = SIGNED_BY[channel.type];
  const since = channel.wrongSignaturesSince;
  if (signedBy !== null && since !== null && lately(channel.wrongSignatureAt)) {
    const calls = channel.wrongSignatures === 1 ? "1 call" : `${channel.wrongSignatures} calls`;
    const others = lastWebhookAt !== null && lastWebhookAt > since;
    const what = others
      ? "calls with the right one come as well, so these are not the platform's"
      : `check ${signedBy}`;
    warnings.push(`${calls} since ${minute(since)} with a wrong signature: ${what}`);
  }
  const asked = channel.wrongVerifyTokenAt;
  if (lately(asked) && (lastWebhookAt === null || lastWebhookAt < asked))
    warnings.push(
      `asked at ${minute(asked)} with another verify token: enter the channel's at the platform (developers.facebook.com > the app > WhatsApp > Configuration > Webhook)`,
    );
  const silent =
    lastWebhookAt === null && warnings.length === 0 && signedBy !== null && !channel.sandbox;
  if (silent && !isPolled(channel) && now.getTime() - channel.createdAt.getTime() > QUIET_MS)
    warnings.push(
      "its platform has not called yet: enter the channel's webhook address there and subscribe to the fields that docs/operations.md names",
    );
  return warnings;
}

const isPolled = ({ settings }: Told): boolean => settings["polling"] === "true";

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
