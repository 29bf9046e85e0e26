import type { MediaKind } from "../wire/words.ts";

/** A platform's call as it came in: raw bytes, before any parsing. Header names are lower-case. */
export interface RawWebhook {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string>>;
  /** When it came in. Items without a time get this one, and no item is later. */
  readonly receivedAt?: Date;
}

/** Where the bytes of an attachment are. They are fetched once, right after the message is stored, and we keep them. */
export interface InboundMedia {
  /** The index of its entry in `attachments`. */
  readonly attachment: number;
  readonly kind: MediaKind;
  /** The platform's id of the file, or its address; the adapter's `MediaSource` reads either. */
  readonly source: { readonly id: string } | { readonly url: string };
  readonly mimeType: string | null;
  readonly fileName: string | null;
  readonly size: number | null;
}

/** The parts of an inbound message that the inbox can show; `media` names the files to fetch. */
export interface InboundContent {
  /** text, image, audio, video, document, sticker, location, contacts, reaction, button, interactive, unsupported … */
  readonly type: string;
  readonly text: string | null;
  /** Free-form descriptions of media, locations and similar, as JSON. */
  readonly attachments: readonly Readonly<Record<string, unknown>>[];
  readonly media?: readonly InboundMedia[];
}

/** A status of the one state machine of messages. */
export type PlatformStatus = "sent" | "delivered" | "read" | "failed";

/** The facts that a platform told us. Each names its own account (a call may carry several). */
export type InboundEvent =
  | {
      readonly kind: "message";
      /** The account at the platform, to be looked up as `ChannelAccount.externalId`. */
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      /** Where replies go, when that is not the customer's id (TikTok: the conversation). */
      readonly threadId?: string;
      readonly from: {
        /** The customer's key on this channel: phone digits, PSID, BSUID … */
        readonly externalId: string;
        /** Digits, when the platform vouches for a phone number. */
        readonly phone: string | null;
        readonly name: string | null;
        /** A second id of the same person on this channel (WhatsApp user id beside the phone). */
        readonly alternateId?: string;
      };
      readonly occurredAt: Date;
      readonly content: InboundContent;
      /**
       * False for what does not open the reply window: reactions, system notes, and unsupported messages on
       * WhatsApp (channels.md §11, §3.3).
       */
      readonly opensWindow: boolean;
    }
  | {
      readonly kind: "status";
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      /** Our message id, if the platform returned it. */
      readonly correlationId: string | null;
      readonly status: PlatformStatus;
      readonly occurredAt: Date;
      readonly errorCode: string | null;
      readonly errorDetail: string | null;
      /** Set when a failure means that the customer opted out. */
      readonly optedOut?: boolean;
      /** Set when a failure affects more than this recipient. */
      readonly scope?: "recipient" | "template" | "account";
      /** The recipient's id at the platform, as in the answer to the send, which may have been lost. */
      readonly customer?: {
        readonly externalId: string;
        /** As for a message's sender. */
        readonly alternateId?: string;
      };
    }
  | {
      /** A message sent from the platform's own app. Some platforms echo our own sends too. */
      readonly kind: "echo";
      readonly accountExternalId: string;
      readonly externalMessageId: string;
      readonly to: {
        readonly externalId: string;
        readonly phone: string | null;
        /** As for a message's sender. */
        readonly alternateId?: string;
      };
      /** As for a message. */
      readonly threadId?: string;
      readonly occurredAt: Date;
      readonly content: InboundContent;
      /** The platform wrote it automatically for the business (a welcome, a first reply): no person has answered. */
      readonly automatic?: true;
      /** True on platforms that echo our own sends. This may then be one, before its answer or instead of it. */
      readonly maybeOurs?: true;
      /** Our message id, if the platform returned it. */
      readonly correlationId?: string | null;
    }
  | {
      /**
       * Everything that we sent to this customer up to a point was delivered or read: up to `externalMessageId`
       * when it is given, else up to `occurredAt`.
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
      /** The customer, on platforms where a message may have several ids (`messageToken`). */
      readonly customerExternalIds?: readonly string[];
      readonly text: string | null;
      /** The customer's new position, for a place that moves. It replaces the one before. */
      readonly place?: Readonly<Record<string, unknown>>;
      readonly occurredAt: Date;
    }
  | {
      readonly kind: "preference";
      readonly accountExternalId: string;
      readonly customerExternalId: string;
      /** As for a message's sender. */
      readonly alternateId?: string;
      readonly optedOut: boolean;
      /** Of an opt-in: it takes back only what was done at the platform, as a block, and no STOP that was written. */
      readonly lifts?: "platform";
      readonly occurredAt: Date;
    }
  | {
      readonly kind: "number_changed";
      readonly accountExternalId: string;
      readonly fromExternalId: string;
      readonly toExternalId: string;
      /** A second id that the same person has from now on. */
      readonly alternateId?: string;
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
      /** The platform's sentences for a person. */
      readonly detail?: string;
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
      readonly occurredAt: Date;
    };
