import type { EmulatorOptions } from "../core/emulator.ts";
import type { LimitOptions } from "./limits.ts";

/** A business number of the platform and the address of its webhooks. */
export interface NumberOptions {
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** Digits. Default: made from the phone number id. */
  readonly displayPhoneNumber?: string;
  readonly accessToken: string;
  readonly appSecret: string;
  /** Without one, nothing is called back. */
  readonly webhook?: { readonly url: string; readonly verifyToken?: string };
}

/** A customer of the platform. A send to an unknown number creates one. */
export interface UserOptions {
  /** Digits; null when only the user id is known. */
  readonly phone: string | null;
  readonly name?: string;
  /** Other forms of the number that reach the same person: the answer to a send names `phone` (Brazil, Mexico). */
  readonly dialled?: readonly string[];
  /** Business-scoped user id, e.g. US.13491208655302741918. Default: made from the phone. */
  readonly userId?: string;
}

type Delay = readonly [least: number, most: number];

export interface StatusOptions {
  /** false: no statuses by themselves; `status()` sends them. Default true. */
  readonly auto?: boolean;
  /** After the acceptance, milliseconds. Defaults 20–60, 60–150, 150–400. */
  readonly sentMs?: Delay;
  readonly deliveredMs?: Delay;
  readonly readMs?: Delay;
  /** Share of the delivered messages that are read. Default 1. */
  readonly readChance?: number;
  /** Share of messages whose statuses come in any order. Default 0. */
  readonly shuffleChance?: number;
  /** Share of statuses that come twice. Default 0. */
  readonly duplicateChance?: number;
  /** Share of statuses that never come. Default 0. */
  readonly lossChance?: number;
  /** Statuses come before the answer to the send. Default false. */
  readonly beforeAnswer?: boolean;
}

export interface WhatsAppOptions extends EmulatorOptions {
  readonly numbers?: readonly NumberOptions[];
  readonly users?: readonly UserOptions[];
  readonly statuses?: StatusOptions;
  readonly limits?: Partial<LimitOptions>;
  /** How free text outside the 24 hours fails: by webhook, in the answer, or not at all. Default async. */
  readonly window?: "async" | "sync" | "off";
  /** HTTP status of 130429 and 131056; with 429 the usage headers show 100 %. Default 400. */
  readonly throttleStatus?: 400 | 403 | 429;
  /** How long after its submission a template is judged, in ms. Without it: when `setTemplateStatus` says so. */
  readonly reviewMs?: number;
  /** `estimated_time_to_regain_access` while throttled, minutes. Default 0. */
  readonly regainMinutes?: number;
  readonly webhook?: {
    readonly timeoutMs?: number;
    /** Default 1 s, 5 s, 30 s, 2 min, 10 min. */
    readonly retryDelaysMs?: readonly number[];
    /** Changes in one call, several numbers of one address included. Default 1. */
    readonly batchSize?: number;
    /** Calls at a time. Default 8. */
    readonly concurrency?: number;
  };
}

export interface AcceptedMessage {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly to: string;
  readonly type: string;
  /** The text, or the template's body parameters. */
  readonly text: string | null;
  readonly template: string | null;
  /** The file, if there is one: `id` or `link`, caption and name as they were sent. */
  readonly media: Readonly<Record<string, unknown>> | null;
  /** The buttons, or the rows of the list, of an interactive message. */
  readonly buttons: readonly { readonly text: string; readonly payload: string }[];
  readonly correlation: string | null;
  /** The id of the message that it quotes. */
  readonly quoted: string | null;
  readonly acceptedAt: number;
  /** The statuses told so far, in the order in which they were queued. */
  readonly statuses: string[];
}

/** A file that the customer sends. */
export interface InboundFile {
  readonly type: "image" | "audio" | "video" | "document" | "sticker";
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly fileName?: string;
  readonly caption?: string;
  readonly voice?: boolean;
  readonly animated?: boolean;
}

/** What the customer sends, in the platform's own words. */
export interface InboundOptions {
  readonly phoneNumberId: string;
  /** The customer's phone, digits. */
  readonly from?: string;
  /** A customer without a phone number. */
  readonly userId?: string;
  readonly name?: string;
  readonly text?: string;
  readonly file?: InboundFile;
  /** Any other message: `{ type: "button", button: {…} }`. */
  readonly message?: Readonly<Record<string, unknown>>;
  readonly replyTo?: string;
  /** Default: generated. Give the same again for a repeated webhook. */
  readonly id?: string;
  /** Milliseconds; default now. */
  readonly at?: number;
  /** How often the webhook is delivered. Default 1. */
  readonly times?: number;
  /** The customer writes this much later. */
  readonly afterMs?: number;
}

export interface StatusPush {
  readonly id: string;
  readonly status: string;
  readonly code?: number;
  readonly details?: string;
  readonly at?: number;
  readonly times?: number;
}
