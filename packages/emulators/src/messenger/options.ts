import type { EmulatorOptions } from "../core/emulator.ts";
import type { PlatformFile } from "./files.ts";

/** A page or an Instagram account, and the address of its webhooks. */
export interface PageOptions {
  readonly id: string;
  readonly accessToken: string;
  readonly appSecret: string;
  /** When its token was issued, in milliseconds: it ends 60 days later. Without it the token does not end. */
  readonly tokenIssuedAt?: number;
  /** Our app's id, as echoes name it. */
  readonly appId?: string;
  /** Whether the app may use the HUMAN_AGENT tag. Default true. */
  readonly humanAgent?: boolean;
  /** Whether the app gets the page's events before it subscribes. Default true, with all fields. */
  readonly subscribed?: boolean;
  /** Without one, nothing is called back. */
  readonly webhook?: { readonly url: string; readonly verifyToken?: string };
}

type Delay = readonly [least: number, most: number];

interface MarkOptions {
  /** false: no marks by themselves; `delivered()` and `read()` send them. Default true. */
  readonly auto?: boolean;
  /** After the acceptance, milliseconds. Defaults 5–20, 40–120, 150–400. */
  readonly echoMs?: Delay;
  readonly deliveredMs?: Delay;
  readonly readMs?: Delay;
  /** Share of messages that are read. Default 1. */
  readonly readChance?: number;
  /** Share of events that come twice. Default 0. */
  readonly duplicateChance?: number;
  /** Deliveries name their messages; false: only the watermark. Default true. */
  readonly mids?: boolean;
  /** Echo and marks come before the answer to the send. Default false. */
  readonly beforeAnswer?: boolean;
}

export interface PageMessagingOptions extends EmulatorOptions {
  readonly pages?: readonly PageOptions[];
  readonly marks?: MarkOptions;
  /** Sends a second of one page; more get 613. Null: no limit. Default 300. */
  readonly messagesPerSecond?: number | null;
  /** The same for sound and film. Default 10. */
  readonly filmsPerSecond?: number | null;
  /** `estimated_time_to_regain_access` while throttled, minutes. Default 0. */
  readonly regainMinutes?: number;
  /** False: no reply window. Default true. */
  readonly window?: boolean;
  readonly webhook?: {
    readonly timeoutMs?: number;
    readonly retryDelaysMs?: readonly number[];
    /** Events in one call, several pages of one address included. Default 1. */
    readonly batchSize?: number;
    readonly concurrency?: number;
  };
}

export interface PageMessage {
  readonly id: string;
  readonly pageId: string;
  readonly to: string;
  readonly text: string | null;
  readonly attachment: Readonly<Record<string, unknown>> | null;
  /** Its quick replies. */
  readonly buttons: readonly { readonly text: string; readonly payload: string }[];
  /** The id of the message that it quotes. */
  readonly quoted: string | null;
  /** The file that the customer got. */
  readonly file: PlatformFile | null;
  readonly metadata: string | null;
  readonly messagingType: string | null;
  readonly tag: string | null;
  readonly acceptedAt: number;
}

/** What the platform shows of a customer. */
export interface CustomerOptions {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly name?: string | null;
  readonly username?: string | null;
  readonly profilePic?: string | null;
}

/** A file that the customer sends. */
export interface PageInboundFile {
  readonly type: PlatformFile["type"];
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly fileName?: string;
}

/** An act of the customer, in the platform's own words. */
export interface PageInbound {
  readonly pageId: string;
  /** The customer's id, scoped to the page. */
  readonly from: string;
  readonly text?: string;
  readonly files?: readonly PageInboundFile[];
  /** Any other `message` object, without its `mid`: `{ attachments: […] }`. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Default: generated. Give the same again for a repeated webhook. */
  readonly id?: string;
  /** Milliseconds; default now. */
  readonly at?: number;
  /** How often the webhook is delivered. Default 1. */
  readonly times?: number;
  readonly afterMs?: number;
}

/** Which platform is emulated: the page's Messenger or an Instagram account. */
export interface Dialect {
  readonly name: "messenger" | "instagram";
  readonly object: "page" | "instagram";
  readonly unit: "characters" | "bytes";
  readonly most: number;
}
