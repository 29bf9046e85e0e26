import type { Http, StreamingHttp } from "../lib/http.ts";
import type { InboundEvent, InboundMedia, RawWebhook } from "./inbound-event.ts";
import type { ChannelType } from "../wire/words.ts";
import type { MediaKind } from "./media-kind.ts";
import type { TemplateDraft } from "./template-draft.ts";

export type * from "./inbound-event.ts";
export * from "./media-kind.ts";
export * from "./template-limits.ts";
export * from "./template-draft.ts";

/** A connected account as an adapter sees it: its secrets opened, nothing of the database. */
export interface ChannelAccount {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly type: ChannelType;
  /** The account's id at the platform: WhatsApp phone_number_id, page id, bot id … */
  readonly externalId: string;
  /** The provider's base address, version path included, without a trailing slash. */
  readonly apiUrl: string;
  /** True when a workspace set `apiUrl`: it is called through the address guard (`httpFor`). */
  readonly guarded?: boolean;
  /** Not secret: e.g. WhatsApp `{ wabaId }`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Opened secrets: e.g. WhatsApp `{ accessToken, appSecret, verifyToken }`. Never logged. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The variable of a template's text header, or the file of its media header, which the platform has by this id. */
export type TemplateHeader =
  | { readonly kind: "text"; readonly text: string; readonly name?: string }
  | {
      readonly kind: "image" | "video" | "document";
      readonly id: string;
      readonly fileName: string;
    };

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
 * - rejected: this message or address will never go (`scope` says what it concerns)
 * - throttled: not sent, try again after `retryAfterMs`; `scope: "recipient"` delays only that pair
 * - unreachable: proven not sent (connection refused, documented transient refusal); may be tried again
 * - opted_out: the customer stopped us; the caller records it
 * - misconfigured: token, account or payment trouble: nothing on this channel will go; the channel turns to `error`
 * - unknown: the request left and no answer came; never sent again by itself
 */
export type SendOutcome =
  | {
      readonly ok: true;
      readonly externalId: string;
      /** The id by which the platform names the customer; it may be another than the one written to. */
      readonly recipientId?: string;
      /** A second id of the same person on this channel (WhatsApp user id beside the phone). */
      readonly alternateId?: string;
    }
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
      /** Of `rejected`: the platform says that the same may pass when it is tried once more. */
      readonly onceMore?: true;
      /** What the refusal concerns; a campaign stops for `template` and `account`. Default `recipient`. */
      readonly scope?: "recipient" | "template" | "account";
      /**
       * Of a text in several parts, those that were taken before one was not: they are charged, and whatever the reason
       * is, this recipient is not sent to again.
       */
      readonly partsTaken?: number;
    };

export type FailedOutcome = Extract<SendOutcome, { ok: false }>;

/** What is wrong with an account; `field` names the value of the connect, where the platform's answer tells which. */
export type AccountFault = FailedOutcome & {
  readonly field?: string;
  /** A second value that may be the wrong one of the two. */
  readonly orField?: string;
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
  /** Set where one send takes less than the API does: a longer text goes in parts (`split-text.ts`). */
  readonly partLimit?: TextLimit;
  /** Set where a message goes as it is stored, all its files with it: it is never cut into several sends. */
  readonly sendsWhole?: true;
  /** The files it takes; a kind that is not there is refused before anything is stored. Without it: none. */
  readonly media?: Readonly<Partial<Record<MediaKind, MediaRule>>>;
  send(http: Http, account: ChannelAccount, message: OutboundMessage): Promise<SendOutcome>;
  /**
   * Gives the platform a file ahead of sends that name it by the id it gets (a template's header). Sends nothing, so no
   * failure is `unknown`. A send fails when the platform has lost its file:  `MEDIA_GONE`, scope `template`.
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
  /** Whether the platform takes the account's values, asked before anything is stored. Null: it does. */
  check?(http: Http, account: ChannelAccount): Promise<AccountFault | null>;
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
  /** A setting that accounts with one address share: when this account goes, the others' value takes its place. */
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
  /** What all ids of one message have in common, where the platform has several for it; null: the id says nothing. */
  messageToken?(externalMessageId: string): string | null;
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
interface CustomerProfile {
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
  /** Of a rejected one: the platform's word for why. */
  readonly rejectedReason: string | null;
  /** How customers take it: GREEN, YELLOW, RED; null while nobody knows. */
  readonly quality: string | null;
}

/** Why the platform did not take a template; `field` as in `DraftFault.path`, where its answer tells which. */
export type TemplateFault = FailedOutcome & { readonly field?: string };

/** A draft whose header's file the platform has as an example, by this handle. */
export interface TemplateSubmission extends TemplateDraft {
  readonly sample: string | null;
}

/** A small capability beside the adapter: only WhatsApp has templates. */
export interface TemplateSource {
  /** Every page. A failed call is a value with the same reasons as a send. */
  list(
    http: Http,
    account: ChannelAccount,
  ): Promise<{ ok: true; templates: PlatformTemplate[] } | FailedOutcome>;
  /** Gives the platform a file as the example of a header. Nothing is sent, so no failure is `unknown`. */
  giveSample(
    http: Http,
    account: ChannelAccount,
    media: OutboundMedia,
  ): Promise<{ readonly ok: true; readonly handle: string } | FailedOutcome>;
  /** Hands in a new template for review. `unknown`: it may be there; the list tells. */
  submit(
    http: Http,
    account: ChannelAccount,
    template: TemplateSubmission,
  ): Promise<
    | {
        readonly ok: true;
        readonly metaId: string;
        readonly status: string;
        /** The platform may choose another than was asked for. */
        readonly category: string;
        readonly components: PlatformTemplate["components"];
      }
    | TemplateFault
  >;
  /** Hands in other words for a template that exists; its name and language stay. */
  resubmit(
    http: Http,
    account: ChannelAccount,
    metaId: string,
    template: TemplateSubmission,
  ): Promise<
    { readonly ok: true; readonly components: PlatformTemplate["components"] } | TemplateFault
  >;
}
