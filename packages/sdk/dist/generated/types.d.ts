export declare const API_VERSION = "1.0.0";
export interface Contact {
    id: string;
    name?: string | null;
    email?: string | null;
    phone?: string | null;
    notes?: string | null;
    channelType?: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
    /** Phone number, Messenger PSID, or a stable web visitor id. */
    externalId?: string | null;
    /** Always lower-case. */
    tags: string[];
    attributes?: Record<string, unknown>;
    optedOut: boolean;
    optedOutAt?: string | null;
    lastSeenAt?: string | null;
    createdAt: string;
}
/** At least one of email and phone must be there. */
export interface NewContact {
    name?: string | undefined;
    email?: string | undefined;
    /** E.164 without the plus sign. */
    phone?: string | undefined;
    notes?: string | undefined;
    /** At most 16 KiB in all. */
    tags?: readonly string[] | undefined;
    /** A campaign body reads these as {{attribute.<key>}}. At most 16 KiB in all. */
    attributes?: Record<string, unknown> | undefined;
}
export interface ContactPage {
    total: number;
    page: number;
    pageSize: number;
    items: Contact[];
}
/** cachedCount is for display; a campaign counts afresh. */
export interface Segment {
    id: string;
    name: string;
    /** No rules: everyone who has not opted out. */
    definition: {
        match: "all" | "any";
        rules: Record<string, unknown>[];
    };
    cachedCount?: number | null;
    cachedAt?: string | null;
    createdAt?: string;
}
export interface NewMessage {
    conversationId: string;
    text: string;
}
export interface MessageAccepted {
    id: string;
    /** At the moment of the reply; later ones come as message.status events. */
    status: string;
}
/** The text is kept nowhere. */
export interface NewOtp {
    mobile: string;
    message: string;
    /** E Latin, A Arabic. Default "E". */
    lang?: "E" | "A" | undefined;
}
export interface SmsResult {
    /** The record in the OTP log. */
    requestId: string;
    sent: boolean;
    provider: string;
    /** Only when sent is false. */
    error?: string;
    /** Only when sent is false. For good: `UNREACHABLE_NUMBER`, `INVALID_NUMBER`, `BLOCKED_BY_RECIPIENT`. For now: `GATEWAY_UNAVAILABLE`, `GATEWAY_TIMEOUT`, `GATEWAY_RATE_LIMITED`. For the account's owner: `GATEWAY_CREDIT`, `GATEWAY_AUTH`. Anything else: `REJECTED`. */
    errorCode?: string;
}
export interface Template {
    id: string;
    /** The WhatsApp channel that it belongs to. */
    channelId?: string;
    /** The platform's id. */
    metaId?: string;
    name: string;
    language: string;
    category?: string;
    /** Only approved ones are listed. */
    status: string;
    /** The platform's own, stored verbatim. */
    components?: Record<string, unknown>[];
    /** Distinct {{n}} in the body: exactly how many parameters a send must supply. */
    bodyVariableCount: number;
    headerFormat?: string | null;
    lastSyncedAt?: string;
}
export interface Broadcast {
    id: string;
    name: string;
    /** Absent for an SMS campaign. */
    channelId?: string;
    channelType: "WHATSAPP" | "TELEGRAM";
    kind: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS";
    status: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED";
    templateId?: string | null;
    body?: string | null;
    scheduledAt?: string | null;
    rateLimitPerMinute?: number;
    totalCount?: number;
    sentCount?: number;
    deliveredCount?: number;
    readCount?: number;
    failedCount?: number;
    skippedCount?: number;
    createdAt?: string;
}
export interface ChannelUsage {
    channelId?: string | null;
    channelType?: string | null;
    displayName?: string | null;
    sent: number;
    received: number;
    /** Rejected, yet a slot was spent. */
    failed: number;
    aiReplies: number;
}
/** The calendar month in UTC. */
export interface UsageSummary {
    plan: "free" | "starter" | "growth" | "business";
    /** Null: unlimited on this plan. */
    limits: {
        messages: number | null;
        seats: number | null;
        bots: number | null;
        channels: number | null;
        aiReplies: number | null;
    };
    usage: {
        messages: number;
        seats: number;
        bots: number;
        channels: number;
        aiReplies: number;
        failed: number;
        byChannel: ChannelUsage[];
    };
    period?: {
        total: number;
        sent: number;
        received: number;
        failed: number;
        aiReplies: number;
        byChannel: ChannelUsage[];
    };
    periodStart: string;
    periodEnd: string;
    percentUsed?: number | null;
}
export interface ErrorBody {
    /** The HTTP status. */
    statusCode: number;
    /** Short HTTP reason text. */
    error?: string;
    /** A stable code, not a sentence: switch on this. */
    message: string;
    /** With VALIDATION_FAILED: every fault. */
    details?: {
        path: string;
        message: string;
    }[];
    /** With INTERNAL. */
    requestId?: string;
}
/** The Error body and what was spent. */
export interface PlanLimitErrorBody {
    /** The HTTP status. */
    statusCode: number;
    /** Short HTTP reason text. */
    error?: string;
    /** A stable code, not a sentence: switch on this. */
    message: string;
    /** With VALIDATION_FAILED: every fault. */
    details?: {
        path: string;
        message: string;
    }[];
    /** With INTERNAL. */
    requestId?: string;
    code?: "MESSAGE_LIMIT_REACHED" | "SEAT_LIMIT_REACHED" | "BOT_LIMIT_REACHED" | "CHANNEL_LIMIT_REACHED" | "AI_REPLY_LIMIT_REACHED" | "SUBSCRIPTION_SUSPENDED" | "INSUFFICIENT_CREDITS" | "OTP_RATE_LIMITED";
    /** The plan limit. */
    limit?: number;
    /** The use at this moment. */
    usage?: number;
}
export interface Message {
    id: string;
    conversationId: string | null;
    contactId: string | null;
    direction: "inbound" | "outbound";
    /** `text`, or what it mainly is: `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `order`, `reaction`, `referral`, `template`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`; `unsupported` where the platform does not tell; `deleted` once its sender withdrew it. There may be others. */
    type: string;
    /** What can be shown: the words, a file's caption, the label of a button, the emoji of a reaction. */
    text: string | null;
    /** Files, and what a text does not hold. Several belong to one message. */
    attachments: Attachment[];
    status: "received" | "sent" | "delivered" | "read" | "failed";
    errorCode: string | null;
    errorMessage: string | null;
    source: "api" | "dashboard" | "broadcast" | "bot" | "channel";
    providerMessageId: string | null;
    createdAt: string;
    sentAt: string | null;
    deliveredAt: string | null;
    readAt: string | null;
}
/** `type` says which members can be there; what the platform did not tell is absent or null. */
export interface Attachment {
    /** A file: `image`, `audio`, `video`, `document`, `sticker`. What was said: `location`, `contact`, `button`, `button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`, `order`, `reaction`, `link`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`, `template`, `unsupported`. What belongs to it: `quote`, `forwarded`, `product`, `referral`, `story_reply`, `album`, `start`. What became of it: `edited`, `deleted`. */
    type: string;
    /** Of a file that is kept here. */
    mediaId?: string;
    /** Of a file that is kept here: good for whoever has it. Else what was linked to. */
    url?: string | null;
    /** Of a file: `pending` while it is fetched (its `url` answers 503 `MEDIA_PENDING`), then `stored`, or `failed` with `reason` (its `url` answers 404). */
    status?: string;
    /** Why a file failed, or is not there. */
    reason?: string | null;
    /** The same in words. */
    detail?: string | null;
    /** Of a `stored` file what its bytes are, before what the sender called them. */
    mimeType?: string | null;
    /** As the sender named it. */
    fileName?: string | null;
    /** Bytes. */
    size?: number | null;
    /** The message's `text` as well. */
    caption?: string | null;
    /** Recorded, not chosen. */
    voice?: boolean;
    animated?: boolean;
    /** Of `quote` and `reaction`: the `providerMessageId` of the message that is meant. */
    messageId?: string | null;
    /** Of `reaction`: absent when it was taken back. */
    emoji?: string | null;
    /** Of `button`: what stands on it. */
    text?: string | null;
    /** Of `button` and `start`: what you gave the platform to hand back. */
    payload?: string | null;
    /** The platform's: of a reply chosen from a list or of buttons, the one you gave. */
    id?: string | null;
    /** Of what was chosen, linked to or played, and of a card. */
    title?: string | null;
    /** Of a card (`template`). */
    subtitle?: string | null;
    /** Of a card, where it is told apart: in words, with the currency. */
    price?: string | null;
    /** Of a card: its picture, at the platform. */
    imageUrl?: string | null;
    /** Of a card: your own id of the product. */
    retailerId?: string | null;
    /** Of a card: what stands on each, and its `url` or `payload`. */
    buttons?: {
        text?: string;
        [member: string]: unknown;
    }[];
    /** Of what was chosen. */
    description?: string | null;
    /** Of `nfm_reply`: the form's answers, as JSON. Of `call_permission_reply`: `accept` or `reject`. */
    response?: string | null;
    /** Of `call_permission_reply`: until it is taken back. */
    permanent?: boolean;
    /** Of `call_permission_reply`: its end. */
    until?: string;
    latitude?: number;
    longitude?: number;
    /** The place goes on changing. */
    live?: boolean;
    /** Of a place, a contact or a form. */
    name?: string | null;
    /** Of a place. */
    address?: string | null;
    phones?: {
        phone?: string;
        [member: string]: unknown;
    }[];
    emails?: string[];
    /** Of `unsupported`: the platform's word for it. */
    originalType?: string | null;
    /** Of `unsupported`: the platform's error, where it told one. */
    code?: string | null;
    /** Of `edited` and `deleted`: when. */
    at?: string;
    [member: string]: unknown;
}
export interface Conversation {
    id: string;
    contactId: string;
    channelId: string;
    channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    status: "open" | "snoozed" | "resolved";
    assigneeId: string | null;
    labels: string[];
    unreadCount: number;
    windowExpiresAt: string | null;
    lastMessageAt: string | null;
    createdAt: string;
}
/** A member that is absent stays as it is, null clears it. Tags and attributes are replaced as a whole. The rules are those of NewContact. */
export interface ContactChange {
    name?: string | null | undefined;
    email?: string | null | undefined;
    phone?: string | null | undefined;
    notes?: string | null | undefined;
    /** At most 16 KiB in all. */
    tags?: readonly string[] | null | undefined;
    /** At most 16 KiB in all. */
    attributes?: Record<string, unknown> | null | undefined;
    /** True: no campaign is sent to this contact, nor to anybody with the same number, until they opt in again. Kept with the time and the key that asked, and told as `contact.opted_out` or `contact.opted_in`. */
    optedOut?: boolean | undefined;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ConversationPage {
    /** Newest first. */
    items: Conversation[];
    nextCursor: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface MessagePage {
    /** Newest first. */
    items: Message[];
    nextCursor: string | null;
}
export interface Recipient {
    contactId: string;
    name: string | null;
    /** Digits, or the customer's id on the channel; null when there is none. */
    address: string | null;
    status: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped";
    /** Why it was skipped, or the code of what failed. */
    reason: string | null;
    detail: string | null;
    messageId: string | null;
    sentAt: string | null;
    deliveredAt: string | null;
    readAt: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface RecipientPage {
    /** In the order of their contacts. */
    items: Recipient[];
    nextCursor: string | null;
}
export interface EventPage {
    /** In the order of their sequence. */
    items: WebhookEvent[];
    /** Give it as `after` to read on, now or later. With `types` it may lie after the last item. */
    nextAfter: number;
    /** Whether there is more to read now. */
    hasMore: boolean;
    /** The oldest event that is kept. Events are kept for 30 days. */
    oldestSequence: number | null;
    /** True when events after `after` are no longer kept, or `after` was never given out: the page does not continue from there. */
    gap: boolean;
}
/** The query of `listContacts`. */
export interface ListContactsQuery {
    /** Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens. */
    search?: string | undefined;
    /** Default 1. */
    page?: number | undefined;
    /** Capped at 200 regardless of what is asked. Default 50. */
    pageSize?: number | undefined;
}
/** The query of `listConversations`. */
export interface ListConversationsQuery {
    status?: "open" | "snoozed" | "resolved" | undefined;
    /** Only those of this channel. */
    channelId?: string | undefined;
    /** Only those of this contact. */
    contactId?: string | undefined;
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** Capped at 200 regardless of what is asked. Default 50. */
    limit?: number | undefined;
}
/** The query of `listMessages`. */
export interface ListMessagesQuery {
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** Capped at 200 regardless of what is asked. Default 50. */
    limit?: number | undefined;
}
/** The query of `listRecipients`. */
export interface ListRecipientsQuery {
    status?: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | undefined;
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** Capped at 200 regardless of what is asked. Default 50. */
    limit?: number | undefined;
}
/** The query of `listEvents`. */
export interface ListEventsQuery {
    /** Events after this sequence: `nextAfter` of the page before. */
    after?: number | undefined;
    /** Capped at 500 regardless of what is asked. Default 100. */
    limit?: number | undefined;
    /** Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403. */
    types?: readonly ("message.status" | "message.received" | "message.created" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "broadcast.status" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "endpoint.test")[] | undefined;
}
/** The query of `streamEvents`. */
export interface StreamEventsQuery {
    /** Events after this sequence: `nextAfter` of the page before. */
    after?: number | undefined;
    /** Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403. */
    types?: readonly ("message.status" | "message.received" | "message.created" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "broadcast.status" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "endpoint.test")[] | undefined;
}
/** What `ParleyError.code` says when the server refuses. */
export type ApiErrorCode = "BODY_TOO_LARGE" | "BROADCAST_NOT_FOUND" | "BROADCAST_NOT_STARTABLE" | "CONTACT_NEEDS_IDENTITY" | "CONVERSATION_NOT_FOUND" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INSUFFICIENT_CREDITS" | "INTERNAL" | "INVALID_API_KEY" | "MALFORMED_API_KEY" | "MALFORMED_JSON" | "MESSAGE_LIMIT_REACHED" | "MISSING_API_KEY" | "MISSING_SCOPE:broadcasts:read" | "MISSING_SCOPE:broadcasts:write" | "MISSING_SCOPE:contacts:read" | "MISSING_SCOPE:contacts:write" | "MISSING_SCOPE:messages:read" | "MISSING_SCOPE:messages:write" | "MISSING_SCOPE:otp:send" | "MISSING_SCOPE:templates:read" | "MISSING_SCOPE:usage:read" | "NOT_FOUND" | "OTP_RATE_LIMITED" | "OVERLOADED" | "RATE_LIMITED" | "SMS_PROVIDER_NOT_VERIFIED" | "SUBSCRIPTION_SUSPENDED" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED";
/** What `data` of an event holds, by kind. */
export interface EventData {
    "message.status": {
        messageId: string;
        conversationId: string | null;
        contactId: string | null;
        channelId: string | null;
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** Who wrote, or who was written to, as the contact was when the event was stored. Null when the contact is gone. */
        contact: {
            id: string;
            name: string | null;
            phone: string | null;
            externalId: string | null;
        } | null;
        previousStatus: "sent" | "delivered" | "read" | "failed" | null;
        status: "sent" | "delivered" | "read" | "failed";
        occurredAt: string;
        errorCode: string | null;
        errorMessage: string | null;
    };
    "message.received": {
        messageId: string;
        conversationId: string | null;
        contactId: string | null;
        channelId: string | null;
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** Who wrote, or who was written to, as the contact was when the event was stored. Null when the contact is gone. */
        contact: {
            id: string;
            name: string | null;
            phone: string | null;
            externalId: string | null;
        } | null;
        message: Message;
    };
    "message.created": {
        messageId: string;
        conversationId: string | null;
        contactId: string | null;
        channelId: string | null;
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** Who wrote, or who was written to, as the contact was when the event was stored. Null when the contact is gone. */
        contact: {
            id: string;
            name: string | null;
            phone: string | null;
            externalId: string | null;
        } | null;
        message: Message;
    };
    "conversation.created": {
        conversation: Conversation;
    };
    "conversation.updated": {
        conversation: Conversation;
    };
    "contact.created": {
        contact: Contact;
    };
    "contact.updated": {
        contact: Contact;
    };
    "contact.opted_out": {
        contact: Contact;
        source: string;
        occurredAt: string;
    };
    "contact.opted_in": {
        contact: Contact;
        source: string;
        occurredAt: string;
    };
    "broadcast.status": {
        previousStatus: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED" | null;
        status: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED";
        occurredAt: string;
        reason: string | null;
        broadcast: Broadcast;
    };
    "template.status": {
        previousStatus: string | null;
        status: string;
        occurredAt: string;
        templateId: string;
        channelId: string;
        metaId: string;
        name: string;
        language: string;
        reason: string | null;
    };
    "channel.status": {
        previousStatus: "connected" | "error" | "disconnected" | null;
        status: "connected" | "error" | "disconnected";
        occurredAt: string;
        channelId: string;
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
        name: string;
        reason: string | null;
    };
    "otp.status": {
        previousStatus: "sent" | "delivered" | "failed" | "unknown" | null;
        status: "sent" | "delivered" | "failed" | "unknown";
        occurredAt: string;
        requestId: string;
        provider: string;
        errorCode: string | null;
        error: string | null;
    };
    "usage.threshold": {
        percent: 80 | 100;
        limit: number;
        usage: number;
        periodStart: string;
        periodEnd: string;
    };
    "endpoint.test": {
        endpointId: string;
        occurredAt: string;
    };
}
export type EventType = keyof EventData;
/** One event of one kind. */
export interface EventOf<K extends EventType> {
    /** The same over every retry: process an id once. */
    readonly id: string;
    readonly type: K;
    readonly apiVersion: string;
    readonly createdAt: string;
    readonly workspaceId: string;
    /** Rises by one per event of the workspace: shows a gap. */
    readonly sequence: number;
    readonly data: EventData[K];
}
/** Any event: `switch (event.type)` narrows `data`. A newer server may send kinds that this version does not know. */
export type WebhookEvent = {
    [K in EventType]: EventOf<K>;
}[EventType];
