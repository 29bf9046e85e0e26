import type { Http, StreamingHttp } from "../lib/http.ts";

/** The channel types of the contract. SMS is not one: it has its own `SmsProvider`. */
export const CHANNEL_TYPES = [
  "WHATSAPP",
  "MESSENGER",
  "INSTAGRAM",
  "TELEGRAM",
  "TIKTOK",
  "WEB",
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** A connected account as an adapter sees it: its secrets opened, nothing of the database. */
export interface ChannelAccount {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly type: ChannelType;
  /** The account's id at the platform: WhatsApp phone_number_id, page id, bot id … */
  readonly externalId: string;
  /** The provider's base address, version path included, without a trailing slash. */
  readonly apiUrl: string;
  /** Not secret: e.g. WhatsApp `{ wabaId }`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Opened secrets: e.g. WhatsApp `{ accessToken, appSecret, verifyToken }`. Never logged. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The variable of a template's text header, or the file of its media header, which the platform has by this id. */
export type TemplateHeader =
  | { readonly kind: "text"; readonly text: string; readonly name?: string }
  | { readonly kind: "image" | "video" | "document"; readonly id: string; readonly fileName: string };

/** What a button gets: the end of its address, the payload that a press sends back, the code to copy. */
export interface TemplateButton {
  /** Its place in the template, from 0. */
  readonly index: number;
  readonly kind: "url" | "quick_reply" | "copy_code";
  readonly text: string;
}

/** A template send as the platform wants it, placeholders already rendered. */
export interface TemplateContent {
  readonly name: string;
  readonly language: string;
  /** Body parameters in the order of {{1}}, {{2}} … */
  readonly bodyParameters: readonly string[];
  /** Names in the same order when the template uses named parameters. */
  readonly bodyParameterNames?: readonly string[];
  readonly header?: TemplateHeader;
  readonly buttons?: readonly TemplateButton[];
  /** What the template needs and was not given (`header.media`, `buttons[0]`): refused by name. */
  readonly unmetParameters?: readonly string[];
}

export const MEDIA_KINDS = ["image", "audio", "video", "document", "sticker"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** A file of ours on its way out. */
export interface OutboundMedia {
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /** Where anybody who has the link can fetch it; only of use to a platform when we have a public address. */
  readonly url: string;
  /** The bytes, from the start at each call. */
  open(): AsyncIterable<Uint8Array>;
}

/** What a channel takes of one kind of file. */
export interface MediaRule {
  readonly mimeTypes: readonly string[];
  readonly maxBytes: number;
  /** Characters of text that can go with the file in the same send; 0: the text goes in a send of its own. */
  readonly captionLength: number;
}

export interface OutboundMessage {
  /** Our message id: the correlation the platform hands back where it can (`biz_opaque_callback_data`). */
  readonly id: string;
  /** The customer's id on this channel, or the thread's where replies go to that. */
  readonly to: string;
  /** A person answers after the reply window has closed: the platform's tag for that is needed (`HUMAN_AGENT`). */
  readonly afterWindow?: true;
  readonly content:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "template"; readonly template: TemplateContent }
    | { readonly kind: "media"; readonly media: OutboundMedia; readonly caption: string | null };
}

/**
 * What a send came to, as a value: every caller must handle every reason and nothing above the adapter sees HTTP.
 * - rejected: this message or address will never go (`scope` says whom it concerns)
 * - throttled: not sent, try again after `retryAfterMs`; `scope: "recipient"` delays only that pair
 * - unreachable: proven not sent (connection refused, documented transient refusal); may be tried again
 * - opted_out: the customer stopped us; the caller records it
 * - misconfigured: token, account or payment trouble: nothing on this channel will go; the channel turns to `error`
 * - unknown: the request left and no answer came; never sent again by itself
 */
export type SendOutcome =
  | { readonly ok: true; readonly externalId: string; readonly recipientId?: string }
  | {
      readonly ok: false;
      readonly reason:
        | "rejected"
        | "throttled"
        | "unreachable"
        | "opted_out"
        | "misconfigured"
        | "unknown";
      /** The platform's own code, else an upper-case word of ours. */
      readonly code: string;
      readonly detail: string;
      readonly retryAfterMs?: number;
      /** Whom the refusal concerns; a campaign stops for `template` and `account`. Default `recipient`. */
      readonly scope?: "recipient" | "template" | "account";
    };

export type FailedOutcome = Extract<SendOutcome, { ok: false }>;

/** A platform's call as it came in: raw bytes, before any parsing. Header names are lower-case. */
export interface RawWebhook {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string>>;
  /** When it came in: the time of what carries none, and the latest that anything in it can be. */
  readonly receivedAt?: Date;
}

/** Where the bytes of an attachment are; fetched once, right after the message is stored, and kept by us. */
export interface InboundMedia {
  /** Which of `attachments` it belongs to. */
  readonly attachment: number;
  readonly kind: MediaKind;
  /** The platform's id of the file, or the address it gave; both are the adapter's `MediaSource` to read. */
  readonly source: { readonly id: string } | { readonly url: string };
  readonly mimeType: string | null;
  readonly fileName: string | null;
  readonly size: number | null;
}

/** What of an inbound message the inbox can show; `media` names the files to fetch. */
export interface InboundContent {
  /** text, image, audio, video, document, sticker, location, contacts, reaction, button, interactive, unsupported … */
  readonly type: string;
  readonly text: string | null;
  /** Free-form descriptions of media, locations and the like, as JSON. */
  readonly attachments: readonly Readonly<Record<string, unknown>>[];
  readonly media?: readonly InboundMedia[];
}

/** A status word of the one message machine. */
export type PlatformStatus = "sent" | "delivered" | "read" | "failed";

/** What a platform told us, one fact each, naming its own account (a call may carry several). */
export type InboundEvent =
  | {
      readonly kind: "message";
      /** The account at the platform, to be looked up as `ChannelAccount.externalId`. */
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      /** Where replies go, when that is not the customer's id (TikTok: the conversation). */
      readonly threadId?: string;
      readonly from: {
        /** The key of the customer on this channel: phone digits, PSID, BSUID … */
        readonly externalId: string;
        /** Digits, when the platform vouches for a phone number. */
        readonly phone: string | null;
        readonly name: string | null;
        /** A second id of the same person on this channel (WhatsApp user id beside the phone). */
        readonly alternateId?: string;
      };
      readonly occurredAt: Date;
      readonly content: InboundContent;
      /** False for what does not open the reply window: reactions, system notes, unsupported-only (channels.md §11). */
      readonly opensWindow: boolean;
    }
  | {
      readonly kind: "status";
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      /** Our message id, when the platform handed it back. */
      readonly correlationId: string | null;
      readonly status: PlatformStatus;
      readonly occurredAt: Date;
      readonly errorCode: string | null;
      readonly errorDetail: string | null;
      /** Set when a failure says that the customer opted out. */
      readonly optedOut?: boolean;
      /** Set when a failure concerns more than this recipient. */
      readonly scope?: "recipient" | "template" | "account";
    }
  | {
      /** A message sent from the platform's own app. Some platforms echo our own sends too. */
      readonly kind: "echo";
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      readonly to: { readonly externalId: string; readonly phone: string | null };
      /** As of a message. */
      readonly threadId?: string;
      readonly occurredAt: Date;
      readonly content: InboundContent;
      /** True where the platform echoes our own sends, so that this may be one: before its answer, or in place of it. */
      readonly maybeOurs?: true;
      /** Our message id, when the platform handed it back. */
      readonly correlationId?: string | null;
    }
  | {
      /**
       * Everything that we sent to this customer up to a point was delivered or read: up to `externalMessageId` when it
       * is given, else up to `occurredAt`.
       */
      readonly kind: "watermark";
      readonly accountExternalId: string;
      readonly customerExternalId: string;
      readonly status: "delivered" | "read";
      readonly occurredAt: Date;
      readonly externalMessageId: string | null;
    }
  | {
      /** The customer changed or withdrew an earlier message. */
      readonly kind: "edited" | "deleted";
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      readonly text: string | null;
      readonly occurredAt: Date;
    }
  | {
      readonly kind: "preference";
      readonly accountExternalId: string;
      readonly customerExternalId: string;
      readonly optedOut: boolean;
      readonly occurredAt: Date;
    }
  | {
      readonly kind: "number_changed";
      readonly accountExternalId: string;
      readonly fromExternalId: string;
      readonly toExternalId: string;
      readonly occurredAt: Date;
    }
  | {
      /** A template's status at the platform; `businessId` is the account that owns it (WhatsApp: WABA id). */
      readonly kind: "template_status";
      readonly businessId: string;
      readonly externalTemplateId: string;
      readonly name: string;
      readonly language: string;
      readonly status: string;
      readonly reason: string | null;
    }
  | {
      /** Trouble of the whole account: restriction, ban, quality. */
      readonly kind: "account_alert";
      readonly accountExternalId: string | null;
      readonly businessId: string | null;
      readonly code: string;
      readonly detail: string;
      /** True when nothing can be sent any more. */
      readonly blocking: boolean;
    };

/** What one send of a channel takes. Characters are UTF-16 units, the strictest of the readings; bytes are UTF-8. */
export interface TextLimit {
  readonly unit: "characters" | "bytes";
  readonly most: number;
}

/** New secrets of an account, by name; those that are not named stay. `expiresInMs` null: they do not end. */
export interface RefreshedCredentials {
  readonly ok: true;
  readonly secrets: Readonly<Record<string, string>>;
  readonly expiresInMs: number | null;
}

/** One platform. Pure of database and clock: the caller gives http, account and, inbound, the raw bytes. */
export interface ChannelAdapter {
  readonly type: ChannelType;
  readonly defaultApiUrl: string;
  /** Characters, as the API counts them (code points). */
  readonly maxTextLength: number;
  /** Set where one send takes less than the API does: a longer text goes in parts (`split-text.ts`). */
  readonly partLimit?: TextLimit;
  /** Set where a message goes as it is stored, all its files with it: it is never cut into several sends. */
  readonly sendsWhole?: true;
  /** The files it takes; a kind that is not there is refused before anything is stored. Without it: none. */
  readonly media?: Readonly<Partial<Record<MediaKind, MediaRule>>>;
  /** 24 for WhatsApp, Messenger, Instagram; 48 for TikTok; null where there is none. */
  readonly replyWindowHours: number | null;
  send(http: Http, account: ChannelAccount, message: OutboundMessage): Promise<SendOutcome>;
  /**
   * Gives the platform a file ahead of sends that name it by the id it gets (a template's header). Sends nothing, so no
   * failure is `unknown`. A send whose file the platform has no more ends as `MEDIA_GONE`, scope `template`.
   */
  uploadMedia?(
    http: Http,
    account: ChannelAccount,
    media: OutboundMedia,
  ): Promise<{ readonly ok: true; readonly id: string } | FailedOutcome>;
  /** Constant time; false, never a throw, for any header. */
  verify(request: RawWebhook, account: ChannelAccount): boolean;
  /**
   * Every entry of the envelope; what is not understood is left out. Throws only when the body is not the platform's
   * JSON. `account` is the one that was called: Telegram's calls do not name it.
   */
  parse(request: RawWebhook, account: Pick<ChannelAccount, "externalId">): InboundEvent[];
  /** The answer to the platform's GET handshake, or null when it must be refused. */
  challenge?(query: Readonly<Record<string, string>>, account: ChannelAccount): string | null;
  /** Whether the platform takes the account's token, asked before anything is stored. Null: it does. */
  check?(http: Http, account: ChannelAccount): Promise<FailedOutcome | null>;
  /**
   * Asks the platform to call us for this account, which also proves the token. Null: done. May be repeated at any
   * time: it is, every hour. `hookUrl` is where we are called, `takeOver` that somebody else's claim ends, for
   * platforms that have one address per account (Telegram).
   */
  subscribe?(
    http: Http,
    account: ChannelAccount,
    hookUrl: string,
    takeOver: boolean,
  ): Promise<FailedOutcome | null>;
  /** True when one subscription serves every workspace that holds the account: it ends with the last of them. */
  readonly sharesSubscription?: true;
  /** A setting whose value accounts share together with one address: the others enter theirs when this one is gone. */
  readonly addressSharedBy?: string;
  /** Takes that back when the account is given up. */
  unsubscribe?(http: Http, account: ChannelAccount, hookUrl: string): Promise<FailedOutcome | null>;
  /**
   * Renews credentials that end by themselves: gives the secrets to keep in place of the old ones of the same name,
   * and how long they hold. Null: this account's credentials do not end. Asked once half of their time is over.
   */
  refreshCredentials?(
    http: Http,
    account: ChannelAccount,
  ): Promise<RefreshedCredentials | FailedOutcome | null>;
  /** How old credentials must be before they can be renewed; what they then hold is not known before. Default 0. */
  readonly refreshAfterMs?: number;
  /**
   * Tells the platform that these facts were taken in, where it waits for that (a pressed button). Called after the
   * commit, outside any transaction; takes a few seconds at most, and what went wrong is only logged.
   */
  acknowledge?(
    http: Http,
    account: ChannelAccount,
    events: readonly InboundEvent[],
  ): Promise<FailedOutcome[]>;
}

/** A small capability: a platform that can be asked for what happened, where it cannot call us. */
export interface UpdateSource {
  /** Whether this account is asked instead of called. */
  isPolled(account: Pick<ChannelAccount, "settings">): boolean;
  /**
   * What happened since `position` (the platform's own number; 0: all that it still has), waiting up to `waitMs` for
   * something to happen. Asking with a position tells the platform to forget what was before it.
   */
  poll(
    http: Http,
    account: ChannelAccount,
    position: number,
    options: { readonly waitMs: number; readonly receivedAt: Date; readonly signal: AbortSignal },
  ): Promise<
    | { readonly ok: true; readonly events: InboundEvent[]; readonly position: number }
    | FailedOutcome
  >;
}

/** A small capability: a platform whose customers send files. */
export interface MediaSource {
  /**
   * Opens one file. `http` reaches the account's own `apiUrl` and otherwise public https hosts only. The caller
   * bounds size and time, checks the type, and closes the body by ending its loop.
   */
  open(
    http: StreamingHttp,
    account: ChannelAccount,
    media: InboundMedia,
  ): Promise<
    | {
        readonly ok: true;
        readonly body: AsyncIterable<Uint8Array>;
        readonly mimeType: string | null;
        readonly fileName: string | null;
        readonly size: number | null;
      }
    | FailedOutcome
  >;
}

/** What a platform shows of a customer; null for what it does not. */
export interface CustomerProfile {
  readonly name: string | null;
}

/** A small capability: a platform that names its customers only when it is asked. */
export interface ProfileSource {
  /** Asks once. `rejected`: it will not say, ever; anything else may be asked again. */
  fetchProfile(
    http: Http,
    account: ChannelAccount,
    customerExternalId: string,
  ): Promise<{ readonly ok: true; readonly profile: CustomerProfile } | FailedOutcome>;
}

/** A template as the platform lists it. */
export interface PlatformTemplate {
  readonly metaId: string;
  readonly name: string;
  readonly language: string;
  readonly category: string | null;
  readonly status: string;
  /** The platform's own component array, verbatim. */
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly parameterFormat: "POSITIONAL" | "NAMED";
}

/** A small capability beside the adapter: only WhatsApp has templates. */
export interface TemplateSource {
  /** Every page. A failed call is a value with the same reasons as a send. */
  list(
    http: Http,
    account: ChannelAccount,
  ): Promise<{ ok: true; templates: PlatformTemplate[] } | FailedOutcome>;
}
