import type { EmulatorOptions } from "../core/emulator.ts";

/** A business account of the platform, on an app, and the address of the app's events. */
export interface TikTokBusiness {
  /** Its `open_id`: `business_id` in calls, `user_openid` in events. */
  readonly businessId: string;
  /** The name that its customers see. Default: made from the id. */
  readonly username?: string;
  readonly accessToken: string;
  /** The token expires then (40102). Milliseconds; default never. */
  readonly tokenExpiresAt?: number;
  /** Renews the access token, once; the answer has a new one. */
  readonly refreshToken?: string;
  /** The refresh token expires then (40103). Default never. */
  readonly refreshTokenExpiresAt?: number;
  /** Default 7300000000000000000. */
  readonly appId?: string;
  readonly appSecret: string;
  /** The app's address, which `webhook/update` sets too. Without one, nothing is called back. */
  readonly webhookUrl?: string;
}

type Delay = readonly [least: number, most: number];

export interface TikTokOptions extends EmulatorOptions {
  /** Message ids start above this; after a restart, above all former ones. Default 7430000000000000000. */
  readonly firstId?: bigint;
  readonly businesses?: readonly TikTokBusiness[];
  /** What follows an accepted send: its echo, and the customer's reading. */
  readonly events?: {
    /** false: `echo()` and `read()` send them. Default true. */
    readonly auto?: boolean;
    /** After the acceptance, milliseconds. Defaults 20–60, 150–400. */
    readonly echoMs?: Delay;
    readonly readMs?: Delay;
    /** Share of sends that are read. Default 1. */
    readonly readChance?: number;
    /** Share of the events that come twice. Default 0. */
    readonly duplicateChance?: number;
    /** Share of the events that never come. Default 0. */
    readonly lossChance?: number;
    /** The echo comes before the answer to the send. Default false. */
    readonly beforeAnswer?: boolean;
  };
  /**
   * Hours and messages after the customer's latest message. The refusal is our invention. Default 48 and 10; off:
   * neither applies.
   */
  readonly window?: { readonly hours?: number; readonly messages?: number } | "off";
  /** Calls a second of each business; more get 40100. Default no limit: TikTok documents no figure. */
  readonly callsPerSecond?: number | null;
  readonly webhook?: {
    readonly timeoutMs?: number;
    /** Default from 1 s, four times as long each time, for 72 hours in all. */
    readonly retryDelaysMs?: readonly number[];
    readonly concurrency?: number;
    /** A retry has the time and signature of the first attempt. Default false: signed anew. */
    readonly keepTime?: boolean;
  };
}

/** A send that was accepted. */
export interface TikTokMessage {
  readonly id: string;
  readonly businessId: string;
  readonly conversationId: string;
  /** The customer. */
  readonly to: string;
  /** TEXT, IMAGE, SHARE_POST or TEMPLATE. */
  readonly type: string;
  readonly text: string | null;
  /** Type and content in the words of events. */
  readonly content: Readonly<Record<string, unknown>>;
  /** The id of the message that it quotes. */
  readonly quoted: string | null;
  /** The picture of an IMAGE. */
  readonly file?: { readonly bytes: Buffer; readonly mimeType: string };
  readonly acceptedAt: number;
}

export interface TikTokInbound {
  readonly businessId: string;
  /** The customer's id, opaque. */
  readonly from: string;
  readonly name?: string;
  readonly text?: string;
  /** A file; a sticker comes with a public address, the others with an id. */
  readonly file?: {
    readonly kind: "image" | "video" | "sticker";
    readonly bytes: Buffer;
    readonly mimeType: string;
  };
  /** Any other message in the platform's words: `{ type: "image", image: { media_id: "…" } }`. */
  readonly message?: Readonly<Record<string, unknown>>;
  readonly replyTo?: string;
  /** Default: generated. Give the same again for a repeated event. */
  readonly id?: string;
  /** Milliseconds; default now. */
  readonly at?: number;
  /** How often the event is delivered. Default 1. */
  readonly times?: number;
}
