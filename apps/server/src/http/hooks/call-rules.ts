import type { ChannelType } from "../../wire/words.ts";

const KIB = 1024;

/** The channels whose platform calls us. */
export type CallingType = Exclude<ChannelType, "WEB">;

interface CallRules {
  /** The size of this platform's largest body, in bytes. */
  readonly mostBytes: number;
  /** The header without which no call of this platform can be genuine. */
  readonly proof: string;
  /** The account's secret from which that header is made. */
  readonly secret: "appSecret" | "secretToken";
}

/**
 * How many accounts and businesses one call may name. Meta puts at most 1,000 updates into a batch
 * (developers.facebook.com/docs/graph-api/webhooks/getting-started); the other platforms name one.
 */
export const MOST_ACCOUNTS = 1_000;

/**
 * Meta: "Webhooks payloads can be up to 3MB" (developers.facebook.com/docs/whatsapp/cloud-api/webhooks), a batch
 * of at most 1,000 updates (…/docs/graph-api/webhooks/getting-started). That figure is not
 * confirmed, so 4 MB are taken (channels.md §11, 10).
 */
const META: CallRules = {
  mostBytes: 4 * KIB * KIB,
  proof: "x-hub-signature-256",
  secret: "appSecret",
};

/**
 * The size and signature of each platform's calls. Telegram and TikTok document no size, but both send one event
 * per call: a Telegram update holds at most a message of 4,096 characters with 100 entities and the one that it
 * answers (core.telegram.org/bots/api#update), a TikTok event one text of 6,000 characters (channels.md §6).
 * Written entirely as `\uXXXX`, neither comes near 256 KiB.
 */
export const CALL_RULES = {
  WHATSAPP: META,
  MESSENGER: META,
  INSTAGRAM: META,
  TELEGRAM: {
    mostBytes: 256 * KIB,
    proof: "x-telegram-bot-api-secret-token",
    secret: "secretToken",
  },
  TIKTOK: { mostBytes: 256 * KIB, proof: "tiktok-signature", secret: "appSecret" },
} as const satisfies Record<CallingType, CallRules>;
