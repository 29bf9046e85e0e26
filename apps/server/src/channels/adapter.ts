import type { Http, StreamingHttp } from "../lib/http.ts";
import type { InboundEvent, InboundMedia, RawWebhook } from "./inbound-event.ts";
import type { Choice, ChoicesRule } from "./choices.ts";
import type { ChannelType } from "../wire/words.ts";
import type { MediaKind } from "../wire/words.ts";
import type { TemplateDraft } from "./template-draft.ts";

export type * from "./inbound-event.ts";
export { MEDIA_KINDS, type MediaKind } from "../wire/words.ts";
export * from "./choices.ts";
export * from "./template-limits.ts";
export * from "./template-draft.ts";

/** A connected account as an adapter sees it: its secrets opened, no fields of the database. */
export interface ChannelAccount {
  readonly channelId: string;
  readonly workspaceId: string;
  readonly type: ChannelType;
  /** The account's id at the platform: WhatsApp phone_number_id, page id, bot id … */
  readonly externalId: string;
  /** The provider's base address, version path included, without a trailing slash. */
  readonly apiUrl: string;
  /** True when a workspace set `apiUrl`: the account is then called through the address guard (`httpFor`). */
  readonly guarded?: boolean;
  /** Not secret: e.g. WhatsApp `{ wabaId }`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Opened secrets: e.g. WhatsApp `{ accessToken, appSecret, verifyToken }`. Never logged. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The variable of a template's text header, or the file of its media header, which the platform has under this id. */
export type TemplateHeader =
  | { readonly kind: "text"; readonly text: string; readonly name?: string }
  | {
      readonly kind: "image" | "video" | "document";
      readonly id: string;
      readonly fileName: string;
    };

/** The value for a button: the end of its address, the payload that a press returns, or the code to copy. */
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
  /** Parts that the template needs and that were not given (`header.media`, `buttons[0]`); refused by name. */
  readonly unmetParameters?: readonly string[];
}

/** A file that we send. */
export interface OutboundMedia {
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  /**
   * An address where anybody who has it can fetch the file; of use to a platform only when we have a public
   * address.
   */
  readonly url: string;
  /** The bytes; each call starts again. */
  open(): AsyncIterable<Uint8Array>;
}

/** The files of one kind that a channel accepts. */
export interface MediaRule {
  readonly mimeTypes: readonly string[];
  readonly maxBytes: number;
  /** How many characters of text can be sent with the file; 0: the text is sent separately. */
  readonly captionLength: number;
}

export interface OutboundMessage {
  /** Our message id, which the platform returns if it can (`biz_opaque_callback_data`). */
  readonly id: string;
  /** The customer's id on this channel, or the thread's id where replies go to that. */
  readonly to: string;
  /** The platform's id of the message that it quotes, on channels with `quotes`. */
  readonly quotes?: string;
  /** A person answers after the reply window has closed, which needs the platform's tag (`HUMAN_AGENT`). */
  readonly afterWindow?: true;
  readonly content:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "choices"; readonly text: string; readonly choices: readonly Choice[] }
    | { readonly kind: "template"; readonly template: TemplateContent }
    | { readonly kind: "media"; readonly media: OutboundMedia; readonly caption: string | null };
}

/**
 * What a send came to, as a value: every caller must handle every reason and nothing above the adapter sees HTTP.
 * - rejected: this message or address will never go (`scope` says what it concerns)
 * - throttled: not sent, try again after `retryAfterMs`; `scope: "recipient"` delays only that pair
 * - unreachable: proven not sent (connection refused, documented transient refusal); may be tried again
 * - opted_out: the customer stopped us; the caller records it
 * - misconfigured: trouble of the token or the account: nothing on this channel will go; the channel turns to `error`
 * - unknown: the request left and no answer came; never sent again by itself
 */
export type SendOutcome =
  | {
      readonly ok: true;
      readonly externalId: string;
      /** The id by which the platform names the customer; it may differ from the one we sent to. */
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
      /** Only for `rejected`: the platform says that the same message may succeed when tried once more. */
      readonly onceMore?: true;
      /** What the refusal concerns. A campaign stops for `template` and `account`. Default `recipient`. */
      readonly scope?: "recipient" | "template" | "account";
      /**
       * For a text in several parts: how many were accepted before one was refused. They are charged, and this
       * recipient is not sent to again, whatever the reason.
       */
      readonly partsTaken?: number;
    };

export type FailedOutcome = Extract<SendOutcome, { ok: false }>;

/** Why an account was not set up. `sends`: the account works and messages go out, but the platform does not call us. */
export type SetupFailure = FailedOutcome & { readonly sends?: true };

/** What is wrong with an account. `field` names the value of the connect, if the platform's answer tells which. */
export type AccountFault = FailedOutcome & {
  readonly field?: string;
  /** A second value, when either of two may be wrong. */
  readonly orField?: string;
};

/** The limits of one send of a channel. Characters are UTF-16 units, the strictest reading; bytes are UTF-8. */
export interface TextLimit {
  readonly unit: "characters" | "bytes";
  readonly most: number;
}

/** New secrets of an account, by name; those not named stay. `expiresInMs` null: they do not end. */
export interface RefreshedCredentials {
  readonly ok: true;
  readonly secrets: Readonly<Record<string, string>>;
  readonly expiresInMs: number | null;
}

/**
 * One platform. It uses no database and no clock: the caller gives http, the account and, for inbound calls, the
 * raw bytes.
 */
export interface ChannelAdapter {
  readonly type: ChannelType;
  readonly defaultApiUrl: string;
  /** Set when one send takes less than the API does: a longer text is sent in parts (`split-text.ts`). */
  readonly partLimit?: TextLimit;
  /** Set when a message is sent as it is stored, with all its files, and never cut into several sends. */
  readonly sendsWhole?: true;
  /** The files it accepts. Other kinds are refused before anything is stored. Without it: none. */
  readonly media?: Readonly<Partial<Record<MediaKind, MediaRule>>>;
  /** What it shows as buttons. What does not fit, and everything without this, becomes numbered lines (`choices.ts`). */
  readonly choices?: ChoicesRule;
  /** What may quote an earlier message: texts and files, or texts alone. Without it: nothing. No template quotes. */
  readonly quotes?: "all" | "texts";
  send(http: Http, account: ChannelAccount, message: OutboundMessage): Promise<SendOutcome>;
  /**
   * Uploads a file before sends that name it by the returned id (a template's header). Sends nothing, so no
   * failure is `unknown`. A send fails when the platform has lost its file: `MEDIA_GONE`, scope `template`.
   */
  uploadMedia?(
    http: Http,
    account: ChannelAccount,
    media: OutboundMedia,
  ): Promise<{ readonly ok: true; readonly id: string } | FailedOutcome>;
  /** Takes constant time. False, never a throw, for any header. */
  verify(request: RawWebhook, account: ChannelAccount): boolean;
  /**
   * Every entry of the envelope; unknown entries are left out. Throws only when the body is not the platform's
   * JSON. `account` is the one that was called, because Telegram's calls do not name it.
   */
  parse(request: RawWebhook, account: Pick<ChannelAccount, "externalId">): InboundEvent[];
  /** The answer to the platform's GET handshake, or null when it must be refused. */
  challenge?(query: Readonly<Record<string, string>>, account: ChannelAccount): string | null;
  /** Whether the platform accepts the account's values, asked before anything is stored. Null: it does. */
  check?(http: Http, account: ChannelAccount): Promise<AccountFault | null>;
  /**
   * Asks the platform to call us for this account, which also proves the token. Null: done. May be repeated at any
   * time, and is repeated every hour. `hookUrl` is where we are called. `takeOver` ends somebody else's claim, on
   * platforms with one address per account (Telegram).
   */
  subscribe?(
    http: Http,
    account: ChannelAccount,
    hookUrl: string,
    takeOver: boolean,
  ): Promise<SetupFailure | null>;
  /** True when one subscription serves every workspace with the account: it ends with the last of them. */
  readonly sharesSubscription?: true;
  /** A setting that accounts with one address share: when this account is removed, the others' value replaces it. */
  readonly addressSharedBy?: string;
  /** Undoes the subscription when the account is removed. */
  unsubscribe?(http: Http, account: ChannelAccount, hookUrl: string): Promise<FailedOutcome | null>;
  /**
   * Renews credentials that end by themselves. Gives the secrets that replace those of the same name, and how long
   * they are valid. Null: this account's credentials do not end. Called once half of their time is over.
   */
  refreshCredentials?(
    http: Http,
    account: ChannelAccount,
  ): Promise<RefreshedCredentials | FailedOutcome | null>;
  /** How old credentials must be before they can be renewed; how long they are valid is not known before. Default 0. */
  readonly refreshAfterMs?: number;
  /** What all ids of one message have in common, on platforms with several ids for it; null: the id tells nothing. */
  messageToken?(externalMessageId: string): string | null;
  /**
   * Tells a platform that waits for it that these events were stored (a pressed button). Called after the commit,
   * outside any transaction. Takes a few seconds at most; failures are only logged.
   */
  acknowledge?(
    http: Http,
    account: ChannelAccount,
    events: readonly InboundEvent[],
  ): Promise<FailedOutcome[]>;
}

/** A small capability: a platform that can be asked what happened when it cannot call us. */
export interface UpdateSource {
  /** Whether this account is asked instead of called. */
  isPolled(account: Pick<ChannelAccount, "settings">): boolean;
  /**
   * The events since `position` (the platform's own number; 0: all that it still has), waiting up to `waitMs` for
   * one. A position tells the platform to forget everything before it.
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
   * Opens one file. `http` reaches the account's own `apiUrl`, and otherwise only public https hosts. The caller
   * limits size and time, checks the type, and closes the body by ending its loop.
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

/** What a platform shows of a customer; null for what it hides. */
interface CustomerProfile {
  readonly name: string | null;
}

/** A small capability: a platform that names its customers only when asked. */
export interface ProfileSource {
  /** Asks once. `rejected`: it will never tell. After any other failure it may be asked again. */
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
  /** The platform's word for why it rejected the template. */
  readonly rejectedReason: string | null;
  /** How customers receive it: GREEN, YELLOW, RED; null while nobody knows. */
  readonly quality: string | null;
}

/** Why the platform refused a template. `field` is as in `DraftFault.path`, if the answer tells which. */
export type TemplateFault = FailedOutcome & { readonly field?: string };

/** A draft; `handle` is the platform's example of its header's file. */
export interface TemplateSubmission extends TemplateDraft {
  readonly sample: string | null;
}

/** A small capability beside the adapter: only WhatsApp has templates. */
export interface TemplateSource {
  /** All pages. A failed call is a value with the same reasons as a send. */
  list(
    http: Http,
    account: ChannelAccount,
  ): Promise<{ ok: true; templates: PlatformTemplate[] } | FailedOutcome>;
  /** Uploads a file as the example of a header. Nothing is sent, so no failure is `unknown`. */
  giveSample(
    http: Http,
    account: ChannelAccount,
    media: OutboundMedia,
  ): Promise<{ readonly ok: true; readonly handle: string } | FailedOutcome>;
  /** Submits a new template for review. `unknown`: it may be there; the list tells. */
  submit(
    http: Http,
    account: ChannelAccount,
    template: TemplateSubmission,
  ): Promise<
    | {
        readonly ok: true;
        readonly metaId: string;
        readonly status: string;
        /** The platform may choose another category than the one asked for. */
        readonly category: string;
        readonly components: PlatformTemplate["components"];
      }
    | TemplateFault
  >;
  /** Submits other words for an existing template; its name and language stay. */
  resubmit(
    http: Http,
    account: ChannelAccount,
    metaId: string,
    template: TemplateSubmission,
  ): Promise<
    { readonly ok: true; readonly components: PlatformTemplate["components"] } | TemplateFault
  >;
  /** Deletes one language of a template. `ok` too when the platform no longer has it. */
  remove(
    http: Http,
    account: ChannelAccount,
    template: { readonly metaId: string; readonly name: string },
  ): Promise<{ readonly ok: true } | TemplateFault>;
}
