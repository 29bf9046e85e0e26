export declare const API_VERSION = "1.0.0";
/** A person, on one channel or several. */
export interface Contact {
    /** The contact's id. */
    id: string;
    /** The whole name. Campaigns read it as {{name}} and {{first_name}}. */
    name: string | null;
    /** The e-mail address. */
    email: string | null;
    /** Digits with the country code, without a plus sign. */
    phone: string | null;
    /** What the team notes about the contact. */
    notes: string | null;
    /** The channel on which the contact first wrote; null when it never did. */
    channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
    /** The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id. */
    externalId: string | null;
    /** Always lower-case, so that `VIP` and `vip` are never two tags. */
    tags: string[];
    /** Free-form values by name. A campaign body reads them as {{attribute.NAME}}. */
    attributes: Record<string, unknown>;
    /** Whether the contact takes no campaigns. */
    optedOut: boolean;
    /** Since when the contact takes no campaigns. */
    optedOutAt: string | null;
    /** When the contact last wrote or was seen. */
    lastSeenAt: string | null;
    /** When the contact was made. */
    createdAt: string;
}
/** At least one of `email` and `phone` must be given (CONTACT_NEEDS_IDENTITY). A text is trimmed; an empty one counts as not given. */
export interface NewContact {
    /** The whole name. */
    name?: string | undefined;
    /** An e-mail address, in letters of any script. */
    email?: string | undefined;
    /** With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed. */
    phone?: string | undefined;
    /** What the team notes about the contact. */
    notes?: string | undefined;
    /** Stored in lower case without repeats. At most 16 KiB in all. */
    tags?: readonly string[] | undefined;
    /** A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels. */
    attributes?: Record<string, unknown> | undefined;
}
/** A contact in a list, with what was asked for. */
export interface ListedContact {
    /** The contact's id. */
    id: string;
    /** The whole name. Campaigns read it as {{name}} and {{first_name}}. */
    name: string | null;
    /** The e-mail address. */
    email: string | null;
    /** Digits with the country code, without a plus sign. */
    phone: string | null;
    /** What the team notes about the contact. */
    notes: string | null;
    /** The channel on which the contact first wrote; null when it never did. */
    channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
    /** The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id. */
    externalId: string | null;
    /** Always lower-case, so that `VIP` and `vip` are never two tags. */
    tags: string[];
    /** Free-form values by name. A campaign body reads them as {{attribute.NAME}}. */
    attributes: Record<string, unknown>;
    /** Whether the contact takes no campaigns. */
    optedOut: boolean;
    /** Since when the contact takes no campaigns. */
    optedOutAt: string | null;
    /** When the contact last wrote or was seen. */
    lastSeenAt: string | null;
    /** When the contact was made. */
    createdAt: string;
    /** With `include=refs`: what other systems call the contact, by the name of the system. */
    refs?: Record<string, string>;
    /** With `include=refs`: when a field, a ref or the consent last changed. */
    updatedAt?: string;
}
/** One page of contacts, with the total. */
export interface ContactPage {
    /** All that match, on every page. */
    total: number;
    /** The page that was asked for. */
    page: number;
    /** How many a page holds. */
    pageSize: number;
    /** In the order that was asked for. Empty past the end. */
    items: ListedContact[];
}
/** A saved audience. Membership is evaluated again when a campaign starts. */
export interface Segment {
    /** The segment's id. */
    id: string;
    /** The team's name for it. */
    name: string;
    /** Who is in it. Without rules: everyone who has not opted out. */
    definition: {
        /** Whether a contact must fit all rules or any. */
        match: "all" | "any";
        /** Each rule has `field`, `op` and `value`. */
        rules: Record<string, unknown>[];
    };
    /** How many were in it when it was last counted. For display only. */
    cachedCount: number | null;
    /** When it was last counted. */
    cachedAt: string | null;
    /** When it was made. */
    createdAt: string;
}
/** A reply inside a conversation. */
export interface NewMessage {
    /** The conversation to answer in. An unknown one gives 400 `CONVERSATION_NOT_FOUND`. */
    conversationId: string;
    /** What the customer reads. */
    text: string;
}
/** The reply is stored and goes out. */
export interface MessageAccepted {
    /** The message's id. */
    id: string;
    /** `sent`, or `failed` when the reply window is closed (code 131047). Later changes come as `message.status` events. */
    status: string;
}
/** A passcode to send. */
export interface NewOtp {
    /** The phone number, with its country code. */
    mobile: string;
    /** The text with the passcode. It is stored nowhere. */
    message: string;
    /** The script of the text: E for Latin, A for Arabic. Default "E". */
    lang?: "E" | "A" | undefined;
}
/** How the send went. */
export interface SmsResult {
    /** The record in the log of passcodes. */
    requestId: string;
    /** Whether the gateway took the message. Check this. */
    sent: boolean;
    /** The SMS provider that was used. */
    provider: string;
    /** The gateway's own words. Only when `sent` is false. */
    error?: string;
    /** Only when `sent` is false. Trying again does not help: `UNREACHABLE_NUMBER`, `INVALID_NUMBER`, `BLOCKED_BY_RECIPIENT`. Trying later may help: `GATEWAY_UNAVAILABLE`, `GATEWAY_TIMEOUT`, `GATEWAY_RATE_LIMITED`. The account's owner must act: `GATEWAY_CREDIT`, `GATEWAY_AUTH`. Anything else: `REJECTED`. */
    errorCode?: string;
}
/** A WhatsApp template that Meta approved. */
export interface Template {
    /** The template's id. */
    id: string;
    /** The WhatsApp channel that it belongs to. */
    channelId: string;
    /** Its id at the platform. */
    metaId: string;
    /** Its name at the platform. */
    name: string;
    /** A language code, like `en` or `ar`. */
    language: string;
    /** Like MARKETING or UTILITY. */
    category?: string;
    /** As the platform has it. Only approved ones are listed unless all are asked for. */
    status: string;
    /** The platform's own, stored verbatim. */
    components: Record<string, unknown>[];
    /** Distinct {{n}} in the body: exactly how many parameters a send must supply. */
    bodyVariableCount: number;
    /** TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION. Null without a header. */
    headerFormat: string | null;
    /** When it was last read from the platform. */
    lastSyncedAt: string;
}
/** A campaign: one message to many contacts. */
export interface Broadcast {
    /** The campaign's id. */
    id: string;
    /** The team's name for it. */
    name: string;
    /** The channel it goes out on. Absent for an SMS campaign. */
    channelId?: string;
    /** The kind of channel. An SMS campaign says WHATSAPP: both address the phone number. */
    channelType: "WHATSAPP" | "TELEGRAM";
    /** What it sends. */
    kind: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS";
    /** The state of the campaign. */
    status: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED";
    /** The template that it sends. Null for TEXT and SMS. */
    templateId: string | null;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value. */
    body: string | null;
    /** When the campaign starts automatically. */
    scheduledAt: string | null;
    /** Messages a minute. Halved when the provider answers 429, never below 10. */
    rateLimitPerMinute: number;
    /** Everybody in the audience, with those who are skipped. */
    totalCount: number;
    /** Messages that the platform took. */
    sentCount: number;
    /** Messages that arrived. */
    deliveredCount: number;
    /** Messages that were read. */
    readCount: number;
    /** Messages that failed. */
    failedCount: number;
    /** Contacts who opted out or have no address. */
    skippedCount: number;
    /** When it was made. */
    createdAt: string;
}
/** A campaign; with `include=draft` also everything that it is made of. */
export interface BroadcastDetails {
    /** The campaign's id. */
    id: string;
    /** The team's name for it. */
    name: string;
    /** The channel it goes out on. Absent for an SMS campaign. */
    channelId?: string;
    /** The kind of channel. An SMS campaign says WHATSAPP: both address the phone number. */
    channelType: "WHATSAPP" | "TELEGRAM";
    /** What it sends. */
    kind: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS";
    /** The state of the campaign. */
    status: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED";
    /** The template that it sends. Null for TEXT and SMS. */
    templateId: string | null;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value. */
    body: string | null;
    /** When the campaign starts automatically. */
    scheduledAt: string | null;
    /** Messages a minute. Halved when the provider answers 429, never below 10. */
    rateLimitPerMinute: number;
    /** Everybody in the audience, with those who are skipped. */
    totalCount: number;
    /** Messages that the platform took. */
    sentCount: number;
    /** Messages that arrived. */
    deliveredCount: number;
    /** Messages that were read. */
    readCount: number;
    /** Messages that failed. */
    failedCount: number;
    /** Contacts who opted out or have no address. */
    skippedCount: number;
    /** When it was made. */
    createdAt: string;
    reason?: BroadcastReason;
    draft?: BroadcastRecord;
}
/** Why Parley paused a campaign, failed it, or made a scheduled one a draft again. Absent where Parley did not, as when a member paused it. */
export interface BroadcastReason {
    /** `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `INSUFFICIENT_CREDITS`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SEGMENT_GONE`, `SMS_PROVIDER_NOT_VERIFIED`, `CHANNEL_ERROR`, `CHANNEL_DISCONNECTED`, `HEADER_MEDIA_GONE`, `MEDIA_GONE`, `FAILURE_RATE`, `SCHEDULE_MISSED`, `RESTORED`, or the code with which the platform refused. */
    code: string;
    /** What it means and what to do, for a person. */
    message: string;
}
/** The messages of one channel. */
export interface ChannelUsage {
    /** The channel; null for SMS. */
    channelId: string | null;
    /** Its kind; null for SMS. */
    channelType: string | null;
    /** Its name. */
    displayName: string | null;
    /** Outbound messages. */
    sent: number;
    /** Inbound messages. */
    received: number;
    /** Outbound messages that were rejected. Each of them nevertheless spent its slot. */
    failed: number;
    /** Replies written by AI. */
    aiReplies: number;
}
/** The calendar month in UTC. */
export interface UsageSummary {
    /** The workspace's plan. */
    plan: "free" | "starter" | "growth" | "business";
    /** What the plan allows. Null: unlimited. */
    limits: {
        /** Messages a month. */
        messages: number | null;
        /** Members and open invitations. */
        seats: number | null;
        /** Bots. */
        bots: number | null;
        /** Connected channels. */
        channels: number | null;
        /** Replies written by AI a month. */
        aiReplies: number | null;
    };
    /** What is used, under the same names as in `limits`. */
    usage: {
        /** Outbound messages this month, the failed ones too. */
        messages: number;
        /** Members and open invitations now. */
        seats: number;
        /** Bots now. */
        bots: number;
        /** Connected channels now. */
        channels: number;
        /** Replies written by AI this month. */
        aiReplies: number;
        /** Outbound messages that were rejected this month. */
        failed: number;
        /** The messages by channel. */
        byChannel: ChannelUsage[];
    };
    /** The messages of the month in detail. */
    period: {
        /** Sent and received together. */
        total: number;
        /** Outbound messages. */
        sent: number;
        /** Inbound messages. */
        received: number;
        /** Outbound messages that were rejected. */
        failed: number;
        /** Replies written by AI. */
        aiReplies: number;
        /** The messages by channel. */
        byChannel: ChannelUsage[];
    };
    /** The first moment of the month. */
    periodStart: string;
    /** The first moment of the next month. */
    periodEnd: string;
    /** How much of the messages is used, in whole percent. Null when the plan has no limit. */
    percentUsed: number | null;
}
/** What every error answers. */
export interface ErrorBody {
    /** The HTTP status. */
    statusCode: number;
    /** Short HTTP reason text. */
    error: string;
    /** A stable code, not a sentence: switch on this. */
    message: string;
    /** With VALIDATION_FAILED: every fault of the request. With NOT_ALLOWED_IN_STATE and BROADCAST_NOT_STARTABLE: the present state and those that allow the call. With BODY_TOO_LARGE: how many bytes it may have. With RATE_LIMITED of a limit beside the key's own: `policy` and its name. */
    details?: {
        /** The member or parameter, like `tags.0`. */
        path: string;
        /** What it must be. */
        message: string;
    }[];
    /** With INTERNAL: the id of the request in the log. */
    requestId?: string;
}
/** The body of Error, with the limit and the usage. */
export interface PlanLimitErrorBody {
    /** The HTTP status. */
    statusCode: number;
    /** Short HTTP reason text. */
    error: string;
    /** A stable code, not a sentence: switch on this. */
    message: string;
    /** With VALIDATION_FAILED: every fault of the request. With NOT_ALLOWED_IN_STATE and BROADCAST_NOT_STARTABLE: the present state and those that allow the call. With BODY_TOO_LARGE: how many bytes it may have. With RATE_LIMITED of a limit beside the key's own: `policy` and its name. */
    details?: {
        /** The member or parameter, like `tags.0`. */
        path: string;
        /** What it must be. */
        message: string;
    }[];
    /** With INTERNAL: the id of the request in the log. */
    requestId?: string;
    /** The same as `message`. */
    code: "MESSAGE_LIMIT_REACHED" | "SEAT_LIMIT_REACHED" | "BOT_LIMIT_REACHED" | "CHANNEL_LIMIT_REACHED" | "AI_REPLY_LIMIT_REACHED" | "SUBSCRIPTION_SUSPENDED" | "INSUFFICIENT_CREDITS" | "OTP_RATE_LIMITED";
    /** The plan limit. */
    limit?: number;
    /** The use at this moment. */
    usage?: number;
}
/** One message of a conversation, or one SMS. */
export interface Message {
    /** The message's id. */
    id: string;
    /** Its conversation. Null for an SMS. */
    conversationId: string | null;
    /** The customer. */
    contactId: string | null;
    /** Whether the customer wrote it, or the workspace. */
    direction: "inbound" | "outbound";
    /** `text`, or the kind of its main content: `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `order`, `reaction`, `referral`, `template`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`; `unsupported` when the platform does not tell; `deleted` once its sender withdrew it. There may be others. */
    type: string;
    /** What can be shown as text: the words, a file's caption, the label of a button, the emoji of a reaction. */
    text: string | null;
    /** Files, and everything else that is not text. A message can have several. */
    attachments: Attachment[];
    /** `received` for what a customer wrote. Outbound: `sent` once it is accepted, then `delivered` and `read`, or `failed`. */
    status: "received" | "sent" | "delivered" | "read" | "failed";
    /** Why it failed: the platform's code, or one of ours. */
    errorCode: string | null;
    /** The reason in words. */
    errorMessage: string | null;
    /** Where it was written. */
    source: "api" | "dashboard" | "broadcast" | "bot" | "channel";
    /** Its id at the platform. Null until the platform has taken it. */
    providerMessageId: string | null;
    /** When it was stored. */
    createdAt: string;
    /** When the platform took it. */
    sentAt: string | null;
    /** When it arrived. */
    deliveredAt: string | null;
    /** When it was read. */
    readAt: string | null;
    /** The message that it quotes. Absent when it quotes none, or one that is not known here; the attachment `quote` then has the platform's id. */
    replyTo?: string;
}
/** `type` says which members there can be. A member that the platform did not tell is absent or null. */
export interface Attachment {
    /** A file: `image`, `audio`, `video`, `document`, `sticker`. What was said: `location`, `contact`, `button`, `button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`, `order`, `reaction`, `choices` (offered by us), `link`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`, `template`, `unsupported`. What belongs to it: `quote`, `forwarded`, `product`, `referral`, `story_reply`, `album`, `start`. What happened to it: `edited`, `deleted`. */
    type: string;
    /** The id of a file that is kept here. */
    mediaId?: string;
    /** The address of a file that is kept here; whoever has it can read the file. Otherwise the address that was linked to. */
    url?: string | null;
    /** The state of a file: `pending` while it is fetched (its `url` answers 503 `MEDIA_PENDING`), then `stored`, or `failed` with `reason` (its `url` answers 404). */
    status?: string;
    /** Why a file failed or is not there. */
    reason?: string | null;
    /** The reason in words. */
    detail?: string | null;
    /** Of a `stored` file: what its bytes are. Before that: what the sender called them. */
    mimeType?: string | null;
    /** The name that the sender gave the file. */
    fileName?: string | null;
    /** Bytes. */
    size?: number | null;
    /** The text that goes with a file. It is the message's `text` too. */
    caption?: string | null;
    /** True for a recorded voice message, not for a chosen sound file. */
    voice?: boolean;
    /** True for a sticker or video that moves. */
    animated?: boolean;
    /** Of `quote` and `reaction`: the `providerMessageId` of the message that it refers to. */
    messageId?: string | null;
    /** Of `quote`: the id of the message here, when it is known. It is the message's `replyTo` too. */
    replyTo?: string;
    /** Of `reaction`. Absent when the reaction was taken back. */
    emoji?: string | null;
    /** Of `button`: its label. */
    text?: string | null;
    /** Of `button` and `start`: the text that you gave the platform to hand back. */
    payload?: string | null;
    /** The platform's id. Of a reply that was chosen from a list or from buttons: the id that you gave. */
    id?: string | null;
    /** The title of what was chosen, linked to or played, or of a card. */
    title?: string | null;
    /** The subtitle of a card (`template`). */
    subtitle?: string | null;
    /** The price on a card, in words and with the currency, when the platform gives it separately. */
    price?: string | null;
    /** The address of a card's picture, at the platform. */
    imageUrl?: string | null;
    /** Of a card: your own id of the product. */
    retailerId?: string | null;
    /** The buttons of a card or of `choices`, each with its label and its `url` or `payload`. */
    buttons?: {
        /** The button's label. */
        text?: string;
        [member: string]: unknown;
    }[];
    /** The description of what was chosen. */
    description?: string | null;
    /** Of `nfm_reply`: the form's answers, as JSON. Of `call_permission_reply`: `accept` or `reject`. */
    response?: string | null;
    /** Of `call_permission_reply`: the permission holds until it is taken back. */
    permanent?: boolean;
    /** Of `call_permission_reply`: when the permission ends. */
    until?: string;
    /** The latitude of a place, from -90 to 90. */
    latitude?: number;
    /** The longitude of a place, from -180 to 180. */
    longitude?: number;
    /** True while the place keeps moving. */
    live?: boolean;
    /** The name of a place, a contact or a form. */
    name?: string | null;
    /** The address of a place. */
    address?: string | null;
    /** Of a contact that was passed on. */
    phones?: {
        /** As the platform wrote it. */
        phone?: string;
        [member: string]: unknown;
    }[];
    /** Of a contact that was passed on. */
    emails?: string[];
    /** Of `unsupported`: the platform's name for it. */
    originalType?: string | null;
    /** Of `unsupported`: the platform's error, when it gave one. */
    code?: string | null;
    /** Of `edited` and `deleted`: when it happened. */
    at?: string;
    [member: string]: unknown;
}
/** A contact's thread on a channel. */
export interface Conversation {
    /** The conversation's id. */
    id: string;
    /** The customer. */
    contactId: string;
    /** The channel. */
    channelId: string;
    /** The kind of channel. */
    channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    /** A customer's message opens a resolved conversation again. */
    status: "open" | "snoozed" | "resolved";
    /** The member it is assigned to. */
    assigneeId: string | null;
    /** The team's labels. */
    labels: string[];
    /** The customer's messages that are unread. */
    unreadCount: number;
    /** Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null when the channel has no such window, or when it never opened. */
    windowExpiresAt: string | null;
    /** When the last message was received or sent. */
    lastMessageAt: string | null;
    /** When it began. */
    createdAt: string;
    /** Who answers the conversation. */
    handler: {
        /** Who answers. */
        kind: "nobody" | "bot" | "person";
        /** The bot that answers, or that answered last. */
        botId: string | null;
    };
    /** With the status `snoozed`: when that ends. Null when it has no end. */
    snoozedUntil: string | null;
}
/** An absent member stays as it is, and null clears it. `tags` and `attributes` replace; the members with `add`, `set` and `remove` change one by one. The rules are those of NewContact. */
export interface ContactChange {
    /** The whole name. */
    name?: string | null | undefined;
    /** An e-mail address, in letters of any script. */
    email?: string | null | undefined;
    /** With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed. */
    phone?: string | null | undefined;
    /** What the team notes about the contact. */
    notes?: string | null | undefined;
    /** Stored in lower case without repeats. At most 16 KiB in all. */
    tags?: readonly string[] | null | undefined;
    /** A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels. */
    attributes?: Record<string, unknown> | null | undefined;
    /** Tags that the contact has afterwards, beside its others. */
    addTags?: readonly string[] | undefined;
    /** Tags that the contact does not have afterwards. */
    removeTags?: readonly string[] | undefined;
    /** Attributes to set; all others stay. */
    setAttributes?: Record<string, unknown> | undefined;
    /** Names of attributes to remove. */
    removeAttributes?: readonly string[] | undefined;
    /** True: no campaign is sent to this contact, nor to anybody with the same number, until they opt in again. The change is kept with its time and the key that asked for it, and sent as the event `contact.opted_out` or `contact.opted_in`. False does not undo the customer's own STOP: the contact stays opted out, the answer says `Parley-Held: optedOut`, and the ledger of consent keeps the try. */
    optedOut?: boolean | undefined;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ConversationPage {
    /** In the order that was asked for, the newest created first without one. */
    items: ListedConversation[];
    /** Give it as `cursor` to read on, in the same order. Null at the end. */
    nextCursor: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface MessagePage {
    /** Newest first. */
    items: Message[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** One contact of a campaign and how far its message is. */
export interface Recipient {
    /** The contact. */
    contactId: string;
    /** The contact's name. */
    name: string | null;
    /** Digits, or the customer's id on the channel; null when there is none. */
    address: string | null;
    /** How far the message is. */
    status: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped";
    /** Why the contact was skipped, or the code of what failed. */
    reason: string | null;
    /** The reason in the platform's words. */
    detail: string | null;
    /** The message; null until there is one. */
    messageId: string | null;
    /** When the platform took it. */
    sentAt: string | null;
    /** When it arrived. */
    deliveredAt: string | null;
    /** When it was read. */
    readAt: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface RecipientPage {
    /** In the order of their contacts. */
    items: Recipient[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** A piece of the feed. */
export interface EventPage {
    /** In the order of their sequence. */
    items: WebhookEvent[];
    /** Give it as `after` to read on, now or later. With `types` it may be higher than the last item's sequence. */
    nextAfter: number;
    /** Whether there is more to read now. */
    hasMore: boolean;
    /** The oldest event that is kept. Events are kept for 30 days. */
    oldestSequence: number | null;
    /** True when events after `after` are no longer kept, or when `after` was never given out. The page then does not continue from there. */
    gap: boolean;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface LabelPage {
    /** By name. */
    items: Label[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** A label of conversations that has a color. */
export interface Label {
    /** Lower case. */
    name: string;
    /** #rrggbb. */
    color: string;
}
/** Create a label, or change its color or its name. */
export interface PutLabel {
    /** #rrggbb, in lower case. */
    color: string;
    /** 1 to 80 characters; stored in lower case. */
    newName?: string | undefined;
}
/** Write as a customer of a test workspace. */
export interface PlayInbound {
    /** The kind of channel, where the workspace has one of it. Without it and `channelId`: its only channel. */
    channel?: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "SMS" | "WEB" | undefined;
    /** The channel, where there are several of a kind. */
    channelId?: string | undefined;
    /** The customer's address on the channel. The same address is the same person; left out, a usual customer. */
    from?: string | undefined;
    /** The customer's name on the platform. */
    name?: string | undefined;
    /** What the customer writes. */
    text?: string | undefined;
    /** A file that the customer sends: an upload of yours (`POST /v1/media`). */
    mediaId?: string | undefined;
    /** The message that the customer quotes. */
    replyTo?: string | undefined;
    press?: TestPress | undefined;
}
/** A button that the customer presses. Goes without text and file. */
export interface TestPress {
    /** The message with the button. */
    messageId: string;
    /** What the button says. */
    button: string;
}
/** What a customer of the sandbox did. */
export interface TestInbound {
    /** `stored`: the message is in the conversation. `sent`: it left the customer and was not stored within ten seconds, or the channel stores none (SMS). */
    state: "stored" | "sent";
    /** The channel on which the customer wrote. */
    channelId: string;
    /** The customer's address on the channel: the same address is the same person. */
    from: string;
    /** The message. Null until it is stored. */
    messageId: string | null;
    /** Its conversation. Null until it is stored. */
    conversationId: string | null;
    /** The customer. Null until it is stored. */
    contactId: string | null;
}
/** Send a template to somebody who need not have written yet. */
export interface SendTemplateMessage {
    /** The number, with its country code: 7 to 15 digits, and not a local number, which begins with 0. Without it `contactId` or `ref`: one of the three. */
    to?: string | undefined;
    /** A contact with a number. */
    contactId?: string | undefined;
    /** A contact with a number, by what another system calls it. */
    ref?: Record<string, string> | undefined;
    /** The WhatsApp channel, when the template is on more than one. */
    channelId?: string | undefined;
    template: TemplateChoice;
    /** One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns. */
    body?: readonly string[] | undefined;
    header?: TemplateHeader | undefined;
    /** One for each button that needs a value. */
    buttons?: readonly TemplateButtonValue[] | undefined;
    contact?: ContactOfNumber | undefined;
}
/** A template, by `id` or by `name` and `language`. */
export interface TemplateChoice {
    /** The template's id. Without it, `name` and `language`. */
    id?: string | undefined;
    /** Its name at the platform. */
    name?: string | undefined;
    /** Its language code, as the platform has it: `en` and `en_US` are two. `GET /v1/templates` shows which there are. */
    language?: string | undefined;
}
/** For a header with a variable or a file: `text` or `mediaId`. */
export interface TemplateHeader {
    /** The text of the header's variable. */
    text?: string | undefined;
    /** An upload (`POST /v1/media`) for a header of image, video or document. */
    mediaId?: string | undefined;
}
/** The end of an address, the code to copy or the payload of one button. */
export interface TemplateButtonValue {
    /** The place of the button in the template, from 0. */
    index: number;
    /** Its value. */
    text: string;
}
/** For a contact that has to be created. One that exists stays as it is. */
export interface ContactOfNumber {
    /** The whole name. */
    name?: string | undefined;
    /** An e-mail address, in letters of any script. */
    email?: string | undefined;
    /** What the team notes about the contact. */
    notes?: string | undefined;
    /** Stored in lower case without repeats. At most 16 KiB in all. */
    tags?: readonly string[] | undefined;
    /** A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels. */
    attributes?: Record<string, unknown> | undefined;
}
/** The template message is stored and goes out. */
export interface TemplateMessageAccepted {
    /** The message's id. */
    id: string;
    /** `sent`, or `failed` when the channel cannot send. Later changes come as `message.status` events. */
    status: string;
    /** Of one that failed at once: why. */
    errorCode?: string;
    /** Its conversation. */
    conversationId: string;
    /** Who gets it. */
    contactId: string;
    /** Whether the contact was made by this call. */
    contactCreated: boolean;
}
/** Send many template messages, each as by the single call. */
export interface SendTemplateBatch {
    /** The messages. */
    messages: readonly TemplateMessage[];
}
/** One message of a batch. */
export interface TemplateMessage {
    /** The number, with its country code: 7 to 15 digits, and not a local number, which begins with 0. Without it `contactId` or `ref`: one of the three. */
    to?: string | undefined;
    /** A contact with a number. */
    contactId?: string | undefined;
    /** A contact with a number, by what another system calls it. */
    ref?: Record<string, string> | undefined;
    /** The WhatsApp channel, when the template is on more than one. */
    channelId?: string | undefined;
    template: TemplateChoice;
    /** One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns. */
    body?: readonly string[] | undefined;
    header?: TemplateHeader | undefined;
    /** One for each button that needs a value. */
    buttons?: readonly TemplateButtonValue[] | undefined;
    contact?: ContactOfNumber | undefined;
}
/** The outcome of each message of a batch. */
export interface TemplateMessageResults {
    /** One for each message, in their order. */
    results: TemplateMessageResult[];
}
/** The result of one message of a batch. `outcome` says which: `TemplateMessageStored` or `TemplateMessageRefused`. */
export type TemplateMessageResult = TemplateMessageStored | TemplateMessageRefused;
/** One message of a batch that was accepted. */
export interface TemplateMessageStored {
    /** The message goes out. */
    outcome: "accepted";
    message: TemplateMessageAccepted;
}
/** One message of a batch that was refused. */
export interface TemplateMessageRefused {
    /** Nothing is sent. */
    outcome: "refused";
    error: TemplateMessageFault;
}
/** Why one message was refused. */
export interface TemplateMessageFault {
    /** The code of the error, as the single call has it. */
    message: string;
    /** The faults, where the error has them. */
    details: {
        /** The member of the message. */
        path: string;
        /** What it must be. */
        message: string;
    }[];
}
/** A conversation with what was asked for beside it. */
export interface ListedConversation {
    /** The conversation's id. */
    id: string;
    /** The customer. */
    contactId: string;
    /** The channel. */
    channelId: string;
    /** The kind of channel. */
    channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    /** A customer's message opens a resolved conversation again. */
    status: "open" | "snoozed" | "resolved";
    /** The member it is assigned to. */
    assigneeId: string | null;
    /** The team's labels. */
    labels: string[];
    /** The customer's messages that are unread. */
    unreadCount: number;
    /** Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null when the channel has no such window, or when it never opened. */
    windowExpiresAt: string | null;
    /** When the last message was received or sent. */
    lastMessageAt: string | null;
    /** When it began. */
    createdAt: string;
    /** Who answers the conversation. */
    handler: {
        /** Who answers. */
        kind: "nobody" | "bot" | "person";
        /** The bot that answers, or that answered last. */
        botId: string | null;
    };
    /** With the status `snoozed`: when that ends. Null when it has no end. */
    snoozedUntil: string | null;
    /** When it last changed in the inbox. Only in the orders `recent` and `changes`. */
    changedAt?: string;
    /** With `include=contact`; null once it is deleted. */
    contact?: Contact | null;
    /** With `include=lastMessage`; null when it has none. */
    lastMessage?: Message | null;
    /** With `include=assignee`; null: not assigned. */
    assignee?: Member | null;
}
/** Change a conversation: status, assignee, labels, read. */
export interface ChangeConversation {
    /** `snoozed` needs `snoozedUntil`. */
    status?: "open" | "snoozed" | "resolved" | undefined;
    /** The end of the snooze, with the status `snoozed`. */
    snoozedUntil?: string | undefined;
    /** The member it is assigned to; null: no one. */
    assigneeId?: string | null | undefined;
    /** Added to its labels. */
    addLabels?: readonly string[] | undefined;
    /** Removed from its labels. */
    removeLabels?: readonly string[] | undefined;
    /** True: its unread count becomes 0, also for the customer's ticks. */
    read?: boolean | undefined;
    /** A note for the members, by the key. */
    note?: string | undefined;
}
/** Change up to 200 conversations in the same way. */
export interface ChangeManyConversations {
    /** The conversations. */
    ids: readonly string[];
    /** `snoozed` needs `snoozedUntil`. */
    status?: "open" | "snoozed" | "resolved" | undefined;
    /** The end of the snooze, with the status `snoozed`. */
    snoozedUntil?: string | undefined;
    /** The member it is assigned to; null: no one. */
    assigneeId?: string | null | undefined;
    /** Added to its labels. */
    addLabels?: readonly string[] | undefined;
    /** Removed from its labels. */
    removeLabels?: readonly string[] | undefined;
    /** True: its unread count becomes 0, also for the customer's ticks. */
    read?: boolean | undefined;
}
/** The change is made. */
export interface ConversationsChanged {
    /** How many of the conversations there were. */
    changed: number;
}
/** Send a message in a conversation: text, files, buttons, a quote, a template. */
export interface SendInConversation {
    /** What the customer reads. */
    text?: string | undefined;
    /** Uploads (`POST /v1/media`); each goes with one message. */
    attachments?: readonly string[] | undefined;
    /** Answers that are offered with the text: buttons where the channel has them, else numbered lines. */
    choices?: readonly NewChoice[] | undefined;
    /** The message of this conversation that it quotes, on channels that have quotes. */
    replyTo?: string | undefined;
    template?: TemplateChoice | undefined;
    /** One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns. */
    body?: readonly string[] | undefined;
    header?: TemplateHeader | undefined;
    /** One for each button that needs a value. */
    buttons?: readonly TemplateButtonValue[] | undefined;
    afterwards?: Afterwards | undefined;
    /** False: an automatic word after which the customer goes on waiting. Default true. */
    answers?: boolean | undefined;
}
/** One answer to press. */
export interface NewChoice {
    /** What the button says. */
    text: string;
    /** What a press gives back: at most 64 bytes. */
    payload: string;
}
/** What happens to the conversation in the same step. */
export interface Afterwards {
    /** `snoozed` needs `snoozedUntil`. */
    status: "resolved" | "snoozed";
    /** The end of the snooze. */
    snoozedUntil?: string | undefined;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface NotePage {
    /** Newest first. */
    items: Note[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** Write a note into a conversation. */
export interface WriteNote {
    /** What the note says. */
    text: string;
    /** Members who are notified. Ids that no member has are left out. */
    mentions?: readonly string[] | undefined;
}
/** A note in a conversation: members and programs read it, customers never. */
export interface Note {
    /** The note's id. */
    id: string;
    /** Its conversation. */
    conversationId: string;
    /** The member who wrote it. Null: a program or the command line did. */
    authorId: string | null;
    /** The name of the key that wrote it. Null: a member, or the command line. */
    authorName: string | null;
    /** What it says. Empty once it is deleted. */
    text: string;
    /** Ids of the members it names. */
    mentions: string[];
    /** When it was written. */
    createdAt: string;
    /** When its text last changed. Null: never. */
    editedAt: string | null;
    /** A deleted note keeps its place and loses its text. */
    deleted: boolean;
}
/** Change the text of a note. */
export interface ChangeNote {
    /** What the note says. */
    text: string;
    /** Members who are notified. Ids that no member has are left out. */
    mentions?: readonly string[] | undefined;
}
/** Store a file, from an address or as bytes, for a message to carry. */
export interface StoreMedia {
    /** Where the file is. */
    url: string;
    /** Its name for the customer. Without it, the last part of the address. */
    fileName?: string | undefined;
}
/** A file: of a message, or an upload that no message carries yet. */
export interface MediaFile {
    /** The file's id, for `attachments` and headers of templates. */
    id: string;
    /** What the file is. */
    kind: "image" | "audio" | "video" | "document" | "sticker";
    /** `pending` while the file is fetched from the platform; `failed` when it never arrived. */
    status: "pending" | "stored" | "failed";
    /** Where its bytes are: whoever has the address can read them. Null unless it is stored. */
    url: string | null;
    /** What its bytes are, whatever the sender called them. */
    mimeType: string | null;
    /** As it was named. */
    fileName: string | null;
    /** Bytes. */
    size: number | null;
    /** When it was stored. */
    createdAt: string;
}
/** Suggest a reply, which a member sends, changes or discards. */
export interface SuggestReply {
    /** What the customer would read. */
    text?: string | undefined;
    template?: TemplateChoice | undefined;
    /** One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns. */
    body?: readonly string[] | undefined;
    header?: TemplateHeader | undefined;
    /** One for each button that needs a value. */
    buttons?: readonly TemplateButtonValue[] | undefined;
    /** Why, for the member. */
    reason?: string | undefined;
    /** What the text rests on. */
    sources?: readonly SuggestionSource[] | undefined;
}
/** What a suggested text rests on. */
export interface SuggestionSource {
    /** What it is called. */
    title: string;
    /** Where a member can read it. */
    url?: string | undefined;
}
/** A reply that a program proposes. Customers see it only after a member sends it. */
export interface Suggestion {
    /** The suggestion's id. */
    id: string;
    /** Its conversation: who would get it. */
    conversationId: string;
    /** `open`: no member has decided. `used`: sent as it is. `edited`: sent with another text. `discarded`: not sent. */
    state: "open" | "used" | "edited" | "discarded";
    /** What the customer would read; of a template its filled text. */
    text: string;
    /** The template that would be sent. Null: plain text. */
    templateId: string | null;
    /** Why it is suggested, for the member. */
    reason: string | null;
    /** What the text rests on. */
    sources: {
        /** What it is called. */
        title: string;
        /** Where a member can read it. */
        url: string | null;
    }[];
    /** The name of the key that wrote it. Null: the command line. */
    authorName: string | null;
    /** When it was written. */
    createdAt: string;
    /** When it was used or discarded. Null: it is open. */
    settledAt: string | null;
    /** The message that it became. Null: none. */
    messageId: string | null;
}
/** The shared saved replies. */
export interface SavedReplyPage {
    /** By shortcut. */
    items: SavedReply[];
    /** Null: there is one page. */
    nextCursor: string | null;
}
/** A text that all members of the workspace share. */
export interface SavedReply {
    /** The saved reply's id. */
    id: string;
    /** What members type after `/`. */
    shortcut: string;
    /** What the list shows. */
    title: string;
    /** What is inserted. `{{contact.name}}` and `{{agent.name}}` are filled. */
    text: string;
}
/** Create a saved reply that the team shares, or change the one with this shortcut. */
export interface PutSavedReply {
    /** What the list shows. */
    title: string;
    /** What is inserted. `{{contact.name}}`, `{{contact.firstName}}` and `{{agent.name}}` are filled when a member inserts it; anything else in braces stays for the member to fill. */
    text: string;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface MemberPage {
    /** In the order of joining. */
    items: Member[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** A person of the workspace. */
export interface Member {
    /** The member's id, as conversations name it in `assigneeId`. */
    id: string;
    /** The person's name. */
    name: string;
    /** The address with which the person signs in. */
    email: string;
    /** What the person may do. */
    role: "owner" | "admin" | "agent";
    /** The person's own setting. */
    availability: "online" | "away";
    /** True: locked out. Nothing can be assigned to this member. */
    disabled: boolean;
    /** When the person joined. */
    createdAt: string;
}
/** The key of the request and its workspace. */
export interface KeyHolder {
    /** The workspace that the key acts for. */
    workspaceId: string;
    /** Its name. */
    workspaceName: string;
    /** `test`: it has channels of the sandbox only, and its keys begin with `pk_test_`. */
    workspaceKind: "live" | "test";
    /** Its time zone by its IANA name, as `Asia/Kuwait`: that of campaigns without one of their own, of reports and of business hours. */
    workspaceTimeZone: string;
    /** The key's id. */
    keyId: string;
    /** What the key is called. Its notes carry this name. */
    keyName: string;
    /** What the key may do. Empty: everything. */
    scopes: ("contacts:read" | "contacts:write" | "messages:write" | "messages:read" | "otp:send" | "templates:read" | "broadcasts:read" | "broadcasts:write" | "usage:read" | "conversations:write" | "templates:send" | "team:read" | "contacts:consent" | "contacts:erase" | "segments:write" | "messages:draft" | "broadcasts:draft" | "webhooks:read" | "webhooks:write" | "contacts:export" | "audit:read" | "channels:read" | "channels:write" | "templates:write" | "bots:read" | "bots:write" | "otp:verify" | "retention:write")[];
    /** Who decides on what an assistant sends with the key: `ask`, the person at the assistant; `approve`, a member; `free`, the assistant. Calls of `/v1` do not depend on it. */
    sends: "ask" | "approve" | "free";
    /** When it stops working. Null: never. */
    expiresAt: string | null;
}
/** Create a contact, or change the one that it matches. */
export interface UpsertContact {
    /** By which of the given values the contact is found: `id`, `phone`, `email`, `refs.crm`. All that are named must be given. A phone is compared in every spelling of its country, an e-mail address in any case. */
    match: readonly string[];
    /** The contact's id, for `match`; a merged one means the one that it became. It finds a contact and never creates one. */
    id?: string | undefined;
    /** The whole name. */
    name?: string | undefined;
    /** An e-mail address, in letters of any script. */
    email?: string | undefined;
    /** With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed. */
    phone?: string | undefined;
    /** What the team notes about the contact. */
    notes?: string | undefined;
    /** Stored in lower case without repeats. At most 16 KiB in all. */
    tags?: readonly string[] | undefined;
    /** A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels. */
    attributes?: Record<string, unknown> | undefined;
    /** What other systems call the contact: `{"crm": "42"}`. A value leads to one contact of the workspace. Systems that are left out stay, and null removes one. At most 10 systems a contact. */
    refs?: Record<string, string | null> | undefined;
    /** Tags that the contact has afterwards, beside its others. */
    addTags?: readonly string[] | undefined;
    /** Tags that the contact does not have afterwards. */
    removeTags?: readonly string[] | undefined;
    /** Attributes to set; all others stay. */
    setAttributes?: Record<string, unknown> | undefined;
    /** Names of attributes to remove. */
    removeAttributes?: readonly string[] | undefined;
}
/** What an upsert did, and the contact as it is now. */
export interface UpsertedContact {
    /** `unchanged`: the contact was so already; nothing was written and no event is emitted. */
    outcome: "created" | "updated" | "unchanged";
    contact: ContactRecord;
}
/** A contact with what other systems call it. */
export interface ContactRecord {
    /** The contact's id. */
    id: string;
    /** The whole name. Campaigns read it as {{name}} and {{first_name}}. */
    name: string | null;
    /** The e-mail address. */
    email: string | null;
    /** Digits with the country code, without a plus sign. */
    phone: string | null;
    /** What the team notes about the contact. */
    notes: string | null;
    /** The channel on which the contact first wrote; null when it never did. */
    channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
    /** The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id. */
    externalId: string | null;
    /** Always lower-case, so that `VIP` and `vip` are never two tags. */
    tags: string[];
    /** Free-form values by name. A campaign body reads them as {{attribute.NAME}}. */
    attributes: Record<string, unknown>;
    /** Whether the contact takes no campaigns. */
    optedOut: boolean;
    /** Since when the contact takes no campaigns. */
    optedOutAt: string | null;
    /** When the contact last wrote or was seen. */
    lastSeenAt: string | null;
    /** When the contact was made. */
    createdAt: string;
    /** What other systems call the contact, by the name of the system. */
    refs: Record<string, string>;
    /** When a field, a ref or the consent last changed. */
    updatedAt: string;
}
/** Create or change many contacts, each as by an upsert. */
export interface BatchContacts {
    /** The upserts. */
    contacts: readonly ContactUpsert[];
}
/** A contact to create, or to change where it exists. A member that is left out, and an empty text, changes nothing. `tags` and `attributes` replace; the members with `add`, `set` and `remove` change one by one. */
export interface ContactUpsert {
    /** By which of the given values the contact is found: `id`, `phone`, `email`, `refs.crm`. All that are named must be given. A phone is compared in every spelling of its country, an e-mail address in any case. */
    match: readonly string[];
    /** The contact's id, for `match`; a merged one means the one that it became. It finds a contact and never creates one. */
    id?: string | undefined;
    /** The whole name. */
    name?: string | undefined;
    /** An e-mail address, in letters of any script. */
    email?: string | undefined;
    /** With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed. */
    phone?: string | undefined;
    /** What the team notes about the contact. */
    notes?: string | undefined;
    /** Stored in lower case without repeats. At most 16 KiB in all. */
    tags?: readonly string[] | undefined;
    /** A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels. */
    attributes?: Record<string, unknown> | undefined;
    /** What other systems call the contact: `{"crm": "42"}`. A value leads to one contact of the workspace. Systems that are left out stay, and null removes one. At most 10 systems a contact. */
    refs?: Record<string, string | null> | undefined;
    /** Tags that the contact has afterwards, beside its others. */
    addTags?: readonly string[] | undefined;
    /** Tags that the contact does not have afterwards. */
    removeTags?: readonly string[] | undefined;
    /** Attributes to set; all others stay. */
    setAttributes?: Record<string, unknown> | undefined;
    /** Names of attributes to remove. */
    removeAttributes?: readonly string[] | undefined;
}
/** What the upserts of a batch did. */
export interface UpsertResults {
    /** One for each upsert, in their order. */
    results: UpsertResult[];
}
/** What one upsert of a batch did. `outcome` says which: `UpsertDone` or `UpsertRefused`. */
export type UpsertResult = UpsertDone | UpsertRefused;
/** One upsert of a batch that was carried out. */
export interface UpsertDone {
    /** `unchanged`: the contact was so already; nothing was written and no event is emitted. */
    outcome: "created" | "updated" | "unchanged";
    /** The contact. */
    contactId: string;
}
/** One upsert of a batch that was refused. */
export interface UpsertRefused {
    /** Nothing was written. */
    outcome: "refused";
    /** No contact is given. */
    contactId: null;
    error: UpsertFault;
}
/** Why one upsert of a batch was refused. */
export interface UpsertFault {
    /** The code of the error, as for a single upsert. */
    message: string;
    /** Each fault, or each contact that a key met. */
    details: {
        /** The member. */
        path: string;
        /** What is wrong with it. */
        message: string;
    }[];
}
/** Contacts by the grammar of segments, the one that changed longest ago first. */
export interface SearchContacts {
    definition?: ContactDefinition | undefined;
    /** `updatedAt`: the one that changed longest ago first, as without it. `newest`: the newest first. */
    sort?: "newest" | "updatedAt" | undefined;
    /** `nextCursor` of the page before, in the same order. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** Which contacts are meant, by the grammar of segments. */
export interface ContactDefinition {
    /** Whether a contact must fit all rules or any. */
    match: "all" | "any";
    /** Each rule has `field`, `op` and `value`, or is a group with `match` and `rules`. Without rules: everyone who has not opted out. */
    rules: readonly Record<string, unknown>[];
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ContactRecordPage {
    /** The one that changed longest ago first. */
    items: ContactRecord[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** How many contacts fit a definition. */
export interface CountContacts {
    definition?: ContactDefinition | undefined;
}
/** How many contacts fit a definition. */
export interface ContactCount {
    /** How many contacts fit. */
    count: number;
    /** False: it took too long, and there are at least so many. */
    exact: boolean;
}
/** Whether a contact may be written to, and why. */
export interface ContactConsent {
    /** The contact. */
    contactId: string;
    /** Whether the contact takes no campaigns. */
    optedOut: boolean;
    /** Since when. */
    optedOutAt: string | null;
    /** The ledger, newest first: 100 entries at most. */
    entries: {
        /** When. */
        at: string;
        /** What was asked for. */
        optedOut: boolean;
        /** What asked for it: stop_word, platform, dashboard, api, import, cli, bulk, number, merge. */
        source: string;
        /** The word, the platform's code, a member's id or the public half of a key. */
        detail: string | null;
        /** An opt-in that changed nothing: the customer's own STOP is in force. */
        held: boolean;
        /** How it is known that the customer asked for an opt-in. */
        evidence: string | null;
        /** Where the customer said so: `source` of the call that changed it. */
        givenSource: string | null;
    }[];
}
/** Opt a contact out, or in with evidence. */
export interface PutContactConsent {
    /** Whether the contact takes no campaigns. */
    optedOut: boolean;
    /** Where the customer said so: a form, a call, a shop. */
    source?: string | undefined;
    /** How you know that the customer asked for an opt-in. */
    evidence?: string | undefined;
    /** When the customer asked for it, in UTC; now when it is left out. An opt-in from before their opt-out is held. */
    at?: string | undefined;
}
/** Merge another contact into this one. */
export interface MergeContact {
    /** The contact that is merged into it. */
    mergedId: string;
}
/** The erasure of a person, running or done. */
export interface Erasure {
    /** The erasure. */
    id: string;
    /** The contact that was erased. */
    contactId: string;
    /** Whether everything is removed. */
    state: "running" | "done";
    /** What is being removed. */
    step: string;
    /** What it waits for, such as a call to a platform that is open. */
    waitsFor: string | null;
    /** How many rows of each kind were removed. */
    counts: Record<string, number>;
    /** Saved segments that named the person: their texts stay. */
    segments: string[];
    /** Campaigns that named the person: their texts stay. */
    campaigns: string[];
    /** Only in the answer of the call that began it: other contacts with the person's number or e-mail address, which stay. */
    alike?: string[];
    /** When it began. */
    createdAt: string;
    /** When it was over. */
    finishedAt: string | null;
}
/** Change many contacts in the background. */
export interface StartContactJob {
    /** Which contacts: `ids`, `segmentId` or `definition`. */
    filter: {
        /** These contacts. A body of 256 KiB holds about 6,500 of them. */
        ids?: readonly string[] | undefined;
        /** Those of this segment. */
        segmentId?: string | undefined;
        definition?: ContactDefinition | undefined;
    };
    /** What is done to each contact. */
    change: {
        /** Adds tags. */
        action: "tag";
        /** The tags. */
        tags: readonly string[];
    } | {
        /** Removes tags. */
        action: "untag";
        /** The tags. */
        tags: readonly string[];
    } | {
        /** Sets one attribute. */
        action: "set_attribute";
        /** Its key. */
        key: string;
        /** Its value; null removes the attribute. */
        value: string | number | boolean | null;
    } | {
        /** Opts out. */
        action: "opt_out";
        /** For the history of the consent. */
        reason?: string | undefined;
    } | {
        /** Opts in. It needs a reason. */
        action: "opt_in";
        /** Why these people may be written to again. */
        reason?: string | undefined;
    } | {
        /** Deletes the contact. */
        action: "delete";
    };
}
/** A change to many contacts, which goes on in the background. */
export interface ContactJob {
    /** The change. */
    id: string;
    /** What it does. */
    action: "tag" | "untag" | "set_attribute" | "opt_out" | "opt_in" | "delete";
    /** The other members of the change. */
    details: Record<string, unknown>;
    /** Where it is. */
    state: "running" | "paused" | "done" | "cancelled" | "failed";
    /** Why it failed, in words. */
    reason: string | null;
    /** rules: its rules are no longer valid; other: read `reason`. */
    failure: "rules" | "other" | null;
    /** Contacts it was for, so far. */
    matched: number;
    /** Contacts it changed; the others were so already, or refused it. */
    changed: number;
    /** Of a change in progress: how many contacts it has processed. */
    looked: number | null;
    /** Of how many. */
    total: number | null;
    /** Who began it: `member:`, `key:` or `bot:` and a name of it, or `cli`. */
    by: string;
    /** When it began. */
    createdAt: string;
    /** When it ended. */
    finishedAt: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ContactJobPage {
    /** Newest first. */
    items: ContactJob[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** Pause, resume or cancel a change to many contacts. */
export interface MoveContactJob {
    /** What to do. */
    move: "pause" | "resume" | "cancel";
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ContactTimeline {
    /** Newest first. */
    items: {
        /** When. */
        at: string;
        /** What happened: `created`, `message`, `opted_out`, `changed`, `campaign` … */
        kind: string;
        /** What is known of it; its members depend on the kind. */
        facts: Record<string, unknown>;
    }[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** Every name by which a person is known. */
export interface ContactIdentities {
    /** The contact, as it is known now. */
    contactId: string;
    /** What channels call the person. */
    identities: {
        /** The channel. */
        channelId: string;
        /** How the channel knows the person. */
        externalId: string;
        /** It is a phone number. */
        isNumber: boolean;
        /** Since when. */
        since: string;
        /** The person has another one since then. */
        retiredAt: string | null;
    }[];
    /** What other systems call the contact, by the name of the system. */
    refs: Record<string, string>;
    /** Contacts that were merged into this one. */
    merged: {
        /** The id it had. It still leads to the contact. */
        id: string;
        /** As it was. */
        name: string | null;
        /** When. */
        mergedAt: string;
    }[];
    /** Other contacts with the same number or e-mail address, ten at most. */
    alike: Contact[];
    /** Oldest first. */
    conversations: {
        /** The conversation. */
        id: string;
        /** Its channel. */
        channelId: string;
        /** The kind of channel. */
        channelType: string;
        /** Its state. */
        status: "open" | "snoozed" | "resolved";
        /** When its last message was made. */
        lastMessageAt: string | null;
    }[];
}
/** Two contacts, and what a merge would make of them. */
export interface MergePreview {
    kept: Contact;
    merged: Contact;
    result: Contact;
}
/** Contacts that share a number, an address or an id. */
export interface DuplicatePage {
    /** In the order of what they share. */
    items: {
        /** What they share. */
        address: string;
        /** How many share it. */
        count: number;
        /** The first fifty, oldest first. The oldest is the one to keep. */
        contacts: Contact[];
    }[];
    /** Give it as `cursor` to read on. Null at the end. A page may be empty without being the last. */
    nextCursor: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ContactAttributePage {
    /** By key. */
    items: ContactAttribute[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** Define what an attribute holds, or replace its definition. */
export interface PutContactAttribute {
    /** What it holds. */
    type: "text" | "number" | "date" | "boolean" | "choice";
    /** What people call it; `key` when absent. */
    label?: string | undefined;
    /** For the type `choice` only, which needs them: all that it can be. */
    choices?: readonly string[] | undefined;
}
/** What a custom attribute of contacts holds. */
export interface ContactAttribute {
    /** Its name in `attributes` of contacts. */
    key: string;
    /** What people call it. */
    label: string;
    /** What it holds. */
    type: "text" | "number" | "date" | "boolean" | "choice";
    /** Of a choice: all that it can be; else empty. */
    choices: string[];
}
/** Save a segment. */
export interface CreateSegment {
    /** The team's name for it. No other segment has it. */
    name: string;
    definition: ContactDefinition;
}
/** Change the name or the rules of a segment. */
export interface UpdateSegment {
    /** The team's name for it. No other segment has it. */
    name?: string | undefined;
    definition?: ContactDefinition | undefined;
}
/** How many contacts an unsaved definition names. */
export interface CountDefinition {
    definition: ContactDefinition;
}
/** How many contacts a definition names. */
export interface SegmentCount {
    /** How many fit. */
    count: number;
    /** False: it took too long, there are at least so many. */
    exact: boolean;
}
/** Ten contacts that an unsaved definition names. */
export interface SampleDefinition {
    definition: ContactDefinition;
}
/** Some of the contacts that a definition names. */
export interface SegmentSample {
    /** The newest ten that were found in time. */
    contacts: {
        /** The contact. */
        id: string;
        /** Its name. */
        name: string | null;
        /** Its number. */
        phone: string | null;
        /** Its address. */
        email: string | null;
        /** Its tags. */
        tags: string[];
    }[];
    /** False: there may be more; looking took too long. */
    whole: boolean;
    /** How many fit, when these are all; null: they are to be counted. */
    total: number | null;
}
/** Create a campaign as a draft. */
export interface CreateBroadcast {
    /** The team's name for it. */
    name: string;
    /** What it sends. */
    kind: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS";
    /** Its audience (`GET /v1/segments`). Without one: all contacts who have not opted out. */
    segmentId?: string | undefined;
    quietHours?: QuietHours | undefined;
    /** The channel it goes out on. Left out for SMS. */
    channelId?: string | undefined;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`). */
    body?: string | undefined;
    /** The template of WHATSAPP_TEMPLATE. */
    templateId?: string | undefined;
    /** The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused. */
    variables?: Record<string, string> | undefined;
    /** For a template's header with a variable or a file: `text` or `mediaId`. */
    header?: {
        /** The text of the header's variable. */
        text?: string | undefined;
        /** An upload (`POST /v1/media`) for a header of image, video or document. */
        mediaId?: string | undefined;
    } | undefined;
    /** The values for the template's buttons, by their place from 0. */
    buttons?: Record<string, string> | undefined;
    /** For its times, and for recipients without a zone of their own. The workspace's when absent. */
    timeZone?: string | undefined;
    /** The time at which it is scheduled counts on each recipient's own clock. */
    localTime?: boolean | undefined;
    /** Messages a minute. What its channel usually may send when absent. */
    rateLimitPerMinute?: number | undefined;
    /** For so many days after its send a message counts as a reply. 3 when absent. */
    replyDays?: number | undefined;
    /** A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1. */
    variants?: readonly BroadcastVariant[] | undefined;
    /** A/B: the share that gets nothing, for comparison. */
    holdoutShare?: number | undefined;
}
/** Between these minutes of the recipient's day nothing is sent. They may span midnight. */
export interface QuietHours {
    /** The minute of the day from which nothing is sent: 1320 is 22:00. */
    from: number;
    /** The minute of the day at which sending goes on: 480 is 08:00. */
    until: number;
}
/** One text of an A/B campaign. */
export interface BroadcastVariant {
    /** What reports call it. */
    name: string;
    /** Its share of the audience. */
    share: number;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`). */
    body?: string | undefined;
    /** The template of WHATSAPP_TEMPLATE. */
    templateId?: string | undefined;
    /** The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused. */
    variables?: Record<string, string> | undefined;
    /** For a template's header with a variable or a file: `text` or `mediaId`. */
    header?: {
        /** The text of the header's variable. */
        text?: string | undefined;
        /** An upload (`POST /v1/media`) for a header of image, video or document. */
        mediaId?: string | undefined;
    } | undefined;
    /** The values for the template's buttons, by their place from 0. */
    buttons?: Record<string, string> | undefined;
}
/** A campaign with everything that it is made of. */
export interface BroadcastRecord {
    /** The campaign's id. */
    id: string;
    /** The team's name for it. */
    name: string;
    /** The channel it goes out on. Absent for an SMS campaign. */
    channelId?: string;
    /** The kind of channel. An SMS campaign says WHATSAPP: both address the phone number. */
    channelType: "WHATSAPP" | "TELEGRAM";
    /** What it sends. */
    kind: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS";
    /** The state of the campaign. */
    status: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED";
    /** The template that it sends. Null for TEXT and SMS. */
    templateId: string | null;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value. */
    body: string | null;
    /** When the campaign starts automatically. */
    scheduledAt: string | null;
    /** Messages a minute. Halved when the provider answers 429, never below 10. */
    rateLimitPerMinute: number;
    /** Everybody in the audience, with those who are skipped. */
    totalCount: number;
    /** Messages that the platform took. */
    sentCount: number;
    /** Messages that arrived. */
    deliveredCount: number;
    /** Messages that were read. */
    readCount: number;
    /** Messages that failed. */
    failedCount: number;
    /** Contacts who opted out or have no address. */
    skippedCount: number;
    /** When it was made. */
    createdAt: string;
    /** The texts for the template's body, by the number of its variables. */
    variables: Record<string, string>;
    /** What the template's header shows. Null when it has no variable and no file. */
    header: {
        /** The text of the header's variable. */
        text: string | null;
        /** The file of the header. */
        mediaId: string | null;
    } | null;
    /** The values for the template's buttons, by their place from 0. */
    buttons: Record<string, string>;
    /** A/B: its texts. The campaign's own are then those of the first. Else an empty list. */
    variants: {
        /** What reports call it. */
        name: string;
        /** Its share of the audience. */
        share: number;
        /** TEXT and SMS. */
        body: string | null;
        /** WHATSAPP_TEMPLATE. */
        templateId: string | null;
        /** The texts for the template's body, by the number of its variables. */
        variables: Record<string, string>;
        /** What the template's header shows. Null when it has no variable and no file. */
        header: {
            /** The text of the header's variable. */
            text: string | null;
            /** The file of the header. */
            mediaId: string | null;
        } | null;
        /** The values for the template's buttons, by their place from 0. */
        buttons: Record<string, string>;
    }[];
    /** A/B: the share that gets nothing. */
    holdoutShare: number;
    /** Its audience. Null: all contacts who have not opted out. */
    segmentId: string | null;
    /** For its times, and for recipients without a zone of their own. */
    timeZone: string;
    /** The time at which it is scheduled counts on each recipient's own clock. */
    localTime: boolean;
    /** When nothing is sent, by each recipient's clock. */
    quietHours: {
        /** The minute of the day from which nothing is sent. */
        from: number;
        /** The minute of the day at which sending goes on. */
        until: number;
    } | null;
    /** For so many days after its send a message counts as a reply. */
    replyDays: number;
    /** Why the campaign was paused or failed automatically. */
    statusReason: string | null;
    /** The campaign that it is a test or a resend of. */
    parentId: string | null;
    /** A test goes to chosen contacts only. */
    isTest: boolean;
    /** When it began to send. */
    startedAt: string | null;
    /** When it ended. */
    completedAt: string | null;
}
/** Change a draft. */
export interface UpdateBroadcast {
    /** The team's name for it. */
    name?: string | undefined;
    /** Its audience. Null: all contacts who have not opted out. */
    segmentId?: string | null | undefined;
    /** Between these minutes of the recipient's day nothing is sent. Null: at every hour. */
    quietHours?: {
        /** The minute of the day from which nothing is sent: 1320 is 22:00. */
        from: number;
        /** The minute of the day at which sending goes on: 480 is 08:00. */
        until: number;
    } | null | undefined;
    /** The channel it goes out on. Left out for SMS. */
    channelId?: string | undefined;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`). */
    body?: string | undefined;
    /** The template of WHATSAPP_TEMPLATE. */
    templateId?: string | undefined;
    /** The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused. */
    variables?: Record<string, string> | undefined;
    /** For a template's header with a variable or a file: `text` or `mediaId`. */
    header?: {
        /** The text of the header's variable. */
        text?: string | undefined;
        /** An upload (`POST /v1/media`) for a header of image, video or document. */
        mediaId?: string | undefined;
    } | undefined;
    /** The values for the template's buttons, by their place from 0. */
    buttons?: Record<string, string> | undefined;
    /** For its times, and for recipients without a zone of their own. The workspace's when absent. */
    timeZone?: string | undefined;
    /** The time at which it is scheduled counts on each recipient's own clock. */
    localTime?: boolean | undefined;
    /** Messages a minute. What its channel usually may send when absent. */
    rateLimitPerMinute?: number | undefined;
    /** For so many days after its send a message counts as a reply. 3 when absent. */
    replyDays?: number | undefined;
    /** A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1. */
    variants?: readonly BroadcastVariant[] | undefined;
    /** A/B: the share that gets nothing, for comparison. */
    holdoutShare?: number | undefined;
}
/** What a start of a draft would do now, stored or not. */
export interface EstimateDraft {
    /** The stored draft that it would replace, whose audience may be that of a resend. */
    id?: string | undefined;
    draft: BroadcastDraft;
}
/** A campaign as it is written, before it is sent. */
export interface BroadcastDraft {
    /** The team's name for it. */
    name: string;
    /** What it sends. */
    kind: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS";
    /** Its audience (`GET /v1/segments`). Without one: all contacts who have not opted out. */
    segmentId?: string | undefined;
    quietHours?: QuietHours | undefined;
    /** The channel it goes out on. Left out for SMS. */
    channelId?: string | undefined;
    /** The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`). */
    body?: string | undefined;
    /** The template of WHATSAPP_TEMPLATE. */
    templateId?: string | undefined;
    /** The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused. */
    variables?: Record<string, string> | undefined;
    /** For a template's header with a variable or a file: `text` or `mediaId`. */
    header?: {
        /** The text of the header's variable. */
        text?: string | undefined;
        /** An upload (`POST /v1/media`) for a header of image, video or document. */
        mediaId?: string | undefined;
    } | undefined;
    /** The values for the template's buttons, by their place from 0. */
    buttons?: Record<string, string> | undefined;
    /** For its times, and for recipients without a zone of their own. The workspace's when absent. */
    timeZone?: string | undefined;
    /** The time at which it is scheduled counts on each recipient's own clock. */
    localTime?: boolean | undefined;
    /** Messages a minute. What its channel usually may send when absent. */
    rateLimitPerMinute?: number | undefined;
    /** For so many days after its send a message counts as a reply. 3 when absent. */
    replyDays?: number | undefined;
    /** A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1. */
    variants?: readonly BroadcastVariant[] | undefined;
    /** A/B: the share that gets nothing, for comparison. */
    holdoutShare?: number | undefined;
}
/** What a start would do now. */
export interface BroadcastEstimate {
    /** Null when counting the audience takes longer than 20 s. */
    estimate: {
        /** Why it could not run now, or null. It begins with a code: `SEGMENT_GONE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SMS_PROVIDER_NOT_VERIFIED`, or one of the channel. */
        cannotRun: string | null;
        /** Who would get it. A campaign with 0 starts, and is completed at once. */
        recipients: number;
        /** Places in the body that are filled with nothing of a contact: `{{frist_name}}` renders empty, `{{first_name` is sent as it is. */
        unknownPlaceholders: string[];
        /** Who would not, by reason. */
        skipped: Record<string, number>;
        /** Messages of this month that are left. Null: unlimited. */
        slotsLeft: number | null;
        /** Of an SMS campaign. */
        credits: {
            /** SMS parts of all texts. */
            needed: number;
            /** Null: not counted. */
            left: number | null;
        } | null;
        /** Slots and credits cover everybody. */
        covered: boolean;
        /** How long it would take, at its pace or at what earlier campaigns reached here. Quiet hours and local times are not counted in. */
        seconds: number;
        /** Set when its pace passes what its number may send. */
        pace: {
            /** Whose limit its pace passes. */
            limit: "set" | "usual" | "refused";
            /** Messages a minute that the number may send. */
            most: number;
        } | null;
    } | null;
}
/** The messages that real contacts would get from a draft, stored or not. */
export interface PreviewDraft {
    /** The stored draft that it would replace, whose audience may be that of a resend. */
    id?: string | undefined;
    draft: BroadcastDraft;
    /** How many contacts. Default 5. */
    count?: number | undefined;
}
/** The messages that real contacts would get now. */
export interface BroadcastPreview {
    /** Why it could not run now, or null. It begins with a code: `SEGMENT_GONE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SMS_PROVIDER_NOT_VERIFIED`, or one of the channel. */
    cannotRun: string | null;
    /** The first contacts of the audience. */
    contacts: {
        /** The contact. */
        contactId: string;
        /** Its name. */
        name: string | null;
        /** Where it is reached. */
        address: string | null;
        /** The words; null when it is skipped. */
        text: string | null;
        /** The header's words, where they have a place. */
        headerText: string | null;
        /** The values of its buttons. */
        buttons: {
            /** The place of the button, from 0. */
            index: number;
            /** Its value. */
            text: string;
        }[];
        /** Why it would be skipped. */
        skipped: string | null;
    }[];
}
/** Copy a campaign as a new draft. */
export interface DuplicateBroadcast {
    /** The name of the new campaign. */
    name?: string | undefined;
    /** Another channel than the campaign's. */
    channelId?: string | undefined;
}
/** Create a draft for the recipients that failed. */
export interface ResendFailed {
    /** The name of the new campaign. */
    name?: string | undefined;
    /** Also those whose number accepts no message. */
    all?: boolean | undefined;
    /** Of a cancelled campaign: also those who may have it already. Some may get it twice. */
    unknown?: boolean | undefined;
}
/** Start a draft at a time. */
export interface ScheduleBroadcast {
    /** When it starts. */
    scheduledAt: string;
}
/** Set a campaign's pace. */
export interface PaceBroadcast {
    /** Messages a minute. */
    rateLimitPerMinute: number;
}
/** Send a campaign's message to chosen contacts now. */
export interface TestBroadcast {
    /** The contacts. */
    contactIds?: readonly string[] | undefined;
    /** A number with its country code. */
    phone?: string | undefined;
}
/** Campaigns by state, kind, channel, segment, name and time, newest first. */
export interface SearchBroadcasts {
    /** Only campaigns in one of these states. */
    status?: readonly ("DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED")[] | undefined;
    /** Only campaigns of this kind. */
    kind?: "WHATSAPP_TEMPLATE" | "TEXT" | "SMS" | undefined;
    /** Only campaigns on this channel. */
    channelId?: string | undefined;
    /** Only campaigns to this segment. */
    segmentId?: string | undefined;
    /** Only tests and resends of this campaign. */
    parentId?: string | undefined;
    /** Only campaigns with this text in their name, whatever its case. */
    name?: string | undefined;
    /** Only campaigns that were made after this. */
    createdAfter?: string | undefined;
    /** Only campaigns that were made before this. */
    createdBefore?: string | undefined;
    /** `nextCursor` of the page before: the id of its last campaign. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface BroadcastPage {
    /** Newest first. */
    items: Broadcast[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** How far every recipient of a campaign is, all at one instant. */
export interface BroadcastReport {
    broadcast: Broadcast;
    /** The reason as it is stored: the code, then details after a colon. */
    statusReason: string | null;
    reason?: BroadcastReason;
    /** When it started. */
    startedAt: string | null;
    /** When its last recipient was settled. */
    completedAt: string | null;
    /** Recipients that wait. */
    pendingCount: number;
    /** Recipients that are being sent to, by a worker or the provider. */
    sendingCount: number;
    /** Contacts skipped, by reason. */
    skipped: Record<string, number>;
    /** Recipients failed, by the platform's code. */
    failed: Record<string, number>;
    /** Recipients whose message may or may not have arrived. */
    unknownCount: number;
    funnel: Funnel;
}
/** How far the recipients are. Each step includes the recipients that went further. At every instant `total` = pending + sending + sent + failed + skipped. */
export interface Funnel {
    /** Everybody in the audience. */
    total: number;
    /** Opted out, without an address, or left out for another reason. */
    skipped: number;
    /** Waiting to be sent. */
    pending: number;
    /** Being sent by a worker or the provider. */
    sending: number;
    /** Failed. */
    failed: number;
    /** The platform took the message. */
    sent: number;
    /** The message arrived. */
    delivered: number;
    /** The message was read. */
    read: number;
    /** The customer answered. */
    replied: number;
    /** The customer opted out because of the message. */
    optedOut: number;
}
/** What happened to a campaign, and its counts by time. */
export interface BroadcastTimeline {
    /** The workspace's, whose hours and days the counts are of. */
    timeZone: string;
    /** What happened to it, oldest first; the latest 2,000. */
    entries: {
        /** When. */
        at: string;
        /** A move of the campaign, `halved`, `paced` or `waited`. */
        kind: string;
        /** Where it moved. */
        to: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED" | null;
        /** Why. */
        cause: string | null;
        /** `member:ID`, `key:ID`, `cli`; null: the engine. */
        actor: string | null;
        /** The pace before. */
        rateFrom: number | null;
        /** The pace after. */
        rateTo: number | null;
        /** Until when nothing is sent. */
        until: string | null;
    }[];
    /** Recipients by time, oldest first; empty steps are left out. */
    chart: {
        /** From when. */
        at: string;
        /** Became sent. */
        sent: number;
        /** Became delivered. */
        delivered: number;
        /** Became read. */
        read: number;
        /** Became failed. */
        failed: number;
    }[];
}
/** The variants of an A/B campaign side by side. */
export interface BroadcastComparison {
    /** In the order of the draft. */
    variants: {
        /** The variant. */
        name: string;
        /** Its share of the audience. */
        share: number;
        /** Drawn for it. */
        total: number;
        /** Sent. */
        sent: number;
        /** The shares of those sent. */
        rates: {
            /** Whose message arrived. */
            delivered: {
                /** So many. */
                count: number;
                /** Of so many. */
                of: number;
                /** Their share of those sent. */
                rate: number;
                /** The lower end of the 95 % interval. */
                low: number;
                /** The upper end of the 95 % interval. */
                high: number;
            };
            /** Who read it. */
            read: {
                /** So many. */
                count: number;
                /** Of so many. */
                of: number;
                /** Their share of those sent. */
                rate: number;
                /** The lower end of the 95 % interval. */
                low: number;
                /** The upper end of the 95 % interval. */
                high: number;
            };
            /** Who answered. */
            replied: {
                /** So many. */
                count: number;
                /** Of so many. */
                of: number;
                /** Their share of those sent. */
                rate: number;
                /** The lower end of the 95 % interval. */
                low: number;
                /** The upper end of the 95 % interval. */
                high: number;
            };
            /** Who opted out because of it. */
            optedOut: {
                /** So many. */
                count: number;
                /** Of so many. */
                of: number;
                /** Their share of those sent. */
                rate: number;
                /** The lower end of the 95 % interval. */
                low: number;
                /** The upper end of the 95 % interval. */
                high: number;
            };
        };
    }[];
    /** Those who got nothing, for comparison. */
    holdout: {
        /** The share that got nothing. */
        share: number;
        /** Left out by lot. */
        count: number;
    };
    /** Each variant with the first. */
    comparisons: {
        /** What is compared. */
        metric: "delivered" | "read" | "replied" | "optedOut";
        /** This one. */
        variant: string;
        /** The first one. */
        against: string;
        /** Between the two rates. */
        difference: number;
        /** The lower end of its interval. */
        low: number;
        /** The upper end of its interval. */
        high: number;
        /** Whether the difference is more than chance. */
        clear: boolean;
    }[];
}
/** How far recipients are, by a present fact of theirs. */
export interface BroadcastBreakdown {
    /** The 20 values that most of them have. By tag a recipient is under each of its tags. */
    values: {
        /** Null: those without one. */
        value: string | null;
        /** Recipients. */
        total: number;
        /** Skipped. */
        skipped: number;
        /** Failed. */
        failed: number;
        /** Sent, delivered ones included. */
        sent: number;
        /** Delivered, read ones included. */
        delivered: number;
        /** Read. */
        read: number;
        /** Answered. */
        replied: number;
        /** Opted out because of it. */
        optedOut: number;
    }[];
    /** All further values together. */
    other: {
        /** Recipients. */
        total: number;
        /** Skipped. */
        skipped: number;
        /** Failed. */
        failed: number;
        /** Sent, delivered ones included. */
        sent: number;
        /** Delivered, read ones included. */
        delivered: number;
        /** Read. */
        read: number;
        /** Answered. */
        replied: number;
        /** Opted out because of it. */
        optedOut: number;
    } | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface BroadcastReplyPage {
    /** Newest first. */
    items: BroadcastReply[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** The first message that a recipient wrote after the campaign's. */
export interface BroadcastReply {
    /** Null: erased since. */
    contactId: string | null;
    /** Its name, else its number with a plus. */
    name: string | null;
    /** When. */
    repliedAt: string;
    /** Where. */
    conversationId: string | null;
    /** What it wrote. */
    text: string | null;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface WebhookEndpointPage {
    /** Oldest first. */
    items: WebhookEndpoint[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** An address that events are sent to. */
export interface WebhookEndpoint {
    /** The endpoint. */
    id: string;
    /** The name by which a program finds it; one endpoint of a name. */
    name: string | null;
    /** Its address, with what could be a token in it shortened. */
    url: string;
    /** The kinds it gets; empty: all. */
    events: string[];
    /** Failed attempts in a row. */
    failures: number;
    /** Since when nothing is sent to it. Null: it is enabled. */
    disabledAt: string | null;
    /** What disabled it: a person or a program, or attempts that failed in a row. */
    disabledBy: "hand" | "failures" | null;
    /** When the secret of the last rotation begins to sign. */
    secretTakesOverAt: string | null;
    /** When it was added. */
    createdAt: string;
}
/** Create the webhook endpoint of a name, or change it to this. */
export interface PutWebhookEndpoint {
    /** https, on a public host: every address that the name leads to is checked. */
    url: string;
    /** The kinds that it gets. Empty: all kinds, new ones too. */
    events?: readonly ("message.status" | "message.received" | "message.created" | "message.updated" | "message.deleted" | "media.stored" | "note.created" | "note.updated" | "note.deleted" | "suggestion.settled" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "contact.merged" | "contact.deleted" | "broadcast.status" | "broadcast.recipient" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "bot.handed_over" | "bot.finished" | "webhook.disabled" | "endpoint.test")[] | undefined;
}
/** The endpoint of that name. */
export interface WebhookEndpointPut {
    /** The endpoint. */
    id: string;
    /** The name by which a program finds it; one endpoint of a name. */
    name: string | null;
    /** Its address, with what could be a token in it shortened. */
    url: string;
    /** The kinds it gets; empty: all. */
    events: string[];
    /** Failed attempts in a row. */
    failures: number;
    /** Since when nothing is sent to it. Null: it is enabled. */
    disabledAt: string | null;
    /** What disabled it: a person or a program, or attempts that failed in a row. */
    disabledBy: "hand" | "failures" | null;
    /** When the secret of the last rotation begins to sign. */
    secretTakesOverAt: string | null;
    /** When it was added. */
    createdAt: string;
    /** What the call did. */
    outcome: "created" | "updated" | "unchanged";
    /** Signs the requests. Only the call that creates the endpoint shows it. */
    secret: string | null;
}
/** Change a webhook endpoint: address, kinds, name, enabled. */
export interface ChangeWebhookEndpoint {
    /** https, on a public host: every address that the name leads to is checked. */
    url?: string | undefined;
    /** The kinds that it gets. Empty: all kinds, new ones too. */
    events?: readonly ("message.status" | "message.received" | "message.created" | "message.updated" | "message.deleted" | "media.stored" | "note.created" | "note.updated" | "note.deleted" | "suggestion.settled" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "contact.merged" | "contact.deleted" | "broadcast.status" | "broadcast.recipient" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "bot.handed_over" | "bot.finished" | "webhook.disabled" | "endpoint.test")[] | undefined;
    /** Another name; null: none. */
    name?: string | null | undefined;
    /** False: nothing is sent, and events are held for 30 days. */
    enabled?: boolean | undefined;
}
/** One event for one endpoint. */
export interface WebhookDelivery {
    /** The event's number. */
    sequence: number;
    /** The event: the `webhook-id` of the request. */
    eventId: string;
    /** The kind of event. */
    type: string;
    /** `pending` while tries are left, `exhausted` after the last one, `held` while the endpoint is disabled. */
    state: "pending" | "delivered" | "exhausted" | "held";
    /** How many were made. */
    attempts: number;
    /** The next attempt. */
    nextAttemptAt: string | null;
    /** When it arrived. */
    deliveredAt: string | null;
    /** When the event happened. */
    createdAt: string;
    /** The attempts, the first one first. */
    log: WebhookAttempt[];
}
/** One request. */
export interface WebhookAttempt {
    /** Which attempt. */
    number: number;
    /** When. */
    attemptedAt: string;
    /** How long it took, in milliseconds. */
    durationMs: number;
    /** The receiver's status. */
    statusCode: number | null;
    /** dns, connect, tls, timeout, reset, blocked or status; null: it arrived. */
    failure: string | null;
    /** What the receiver answered, up to 4 KiB. */
    answer: string | null;
}
/** Give a webhook endpoint a new secret. */
export interface RotateWebhookSecret {
    /** True: it signs at once, for a secret that others have seen. */
    now?: boolean | undefined;
}
/** The endpoint with its new secret. */
export interface WebhookSecret {
    /** The endpoint. */
    id: string;
    /** The name by which a program finds it; one endpoint of a name. */
    name: string | null;
    /** Its address, with what could be a token in it shortened. */
    url: string;
    /** The kinds it gets; empty: all. */
    events: string[];
    /** Failed attempts in a row. */
    failures: number;
    /** Since when nothing is sent to it. Null: it is enabled. */
    disabledAt: string | null;
    /** What disabled it: a person or a program, or attempts that failed in a row. */
    disabledBy: "hand" | "failures" | null;
    /** When the secret of the last rotation begins to sign. */
    secretTakesOverAt: string | null;
    /** When it was added. */
    createdAt: string;
    /** The new secret. It is shown this once. */
    secret: string;
}
/** Send events to a webhook endpoint again. */
export interface RedeliverEvents {
    /** The event: the `webhook-id` of its request. */
    eventId?: string | undefined;
    /** The time from which on events are sent again. */
    since?: string | undefined;
    /** With `since`: also those that arrived. */
    delivered?: boolean | undefined;
}
/** They are on their way. */
export interface Redelivered {
    /** How many are in line to be sent again. */
    redelivered: number;
}
/** Read on with `cursor` until `nextCursor` is null: a page that looked through many deliveries may have few items. */
export interface WebhookDeliveryPage {
    /** Newest first. */
    items: WebhookDelivery[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** One delivery with its request. */
export interface WebhookDeliveryDetails {
    /** The event's number. */
    sequence: number;
    /** The event: the `webhook-id` of the request. */
    eventId: string;
    /** The kind of event. */
    type: string;
    /** `pending` while tries are left, `exhausted` after the last one, `held` while the endpoint is disabled. */
    state: "pending" | "delivered" | "exhausted" | "held";
    /** How many were made. */
    attempts: number;
    /** The next attempt. */
    nextAttemptAt: string | null;
    /** When it arrived. */
    deliveredAt: string | null;
    /** When the event happened. */
    createdAt: string;
    /** The attempts, the first one first. */
    log: WebhookAttempt[];
    /** Where the endpoint is now. */
    url: string;
    /** The bytes of the request, the same on each attempt. */
    body: string;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ImportPage {
    /** Newest first, of the newest hundred. */
    items: Import[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** An import of an uploaded file, or of the command line. */
export interface Import {
    /** The import. */
    id: string;
    /** As it was named. */
    fileName: string;
    /** Bytes. */
    fileSize: number;
    /** uploaded: not started; stopped: the file could not be read on; broken_off: of the command line, which goes on with it. */
    state: "uploaded" | "waiting" | "running" | "done" | "stopped" | "failed" | "cancelled" | "broken_off";
    /** The member who uploaded it; null: a key or the command line. */
    byMemberId: string | null;
    /** Rows handled so far: the sum of the next four. */
    rows: number;
    /** New contacts. */
    created: number;
    /** Contacts that were changed. */
    updated: number;
    /** Rows that said nothing new. */
    unchanged: number;
    /** Rows that were not imported. */
    refused: number;
    /** Local numbers that got their country code. */
    phonesCompleted: number;
    /** Rows taken without their e-mail, which was none. */
    emailsLeftOut: number;
    /** How much of the file is read. */
    part: number;
    /** Of a running one. */
    rowsPerSecond: number | null;
    /** Of a running one, as it seems. */
    secondsLeft: number | null;
    /** The line from which the file could not be read. */
    stoppedAt: number | null;
    /** Why it failed. */
    failure: ImportFault | null;
    /** They can be downloaded, for thirty days. */
    hasRefusedRows: boolean;
    /** When the file was uploaded. */
    createdAt: string;
    /** When its first rows were imported. */
    startedAt: string | null;
    /** When it ended. */
    finishedAt: string | null;
}
/** Why it failed, or what of the mapping is refused. */
export interface ImportFault {
    /** In words. */
    message: string;
    /** `columns.` and a word of a closed list, `gave_up` (not read or stored, again and again), `gone` (the file) or `not_allowed` (whoever uploaded it); empty: read the words. */
    code: string;
    /** What the words name. */
    params: Record<string, string | number>;
}
/** An import, and why rows were refused. */
export interface ImportReport {
    /** The import. */
    id: string;
    /** As it was named. */
    fileName: string;
    /** Bytes. */
    fileSize: number;
    /** uploaded: not started; stopped: the file could not be read on; broken_off: of the command line, which goes on with it. */
    state: "uploaded" | "waiting" | "running" | "done" | "stopped" | "failed" | "cancelled" | "broken_off";
    /** The member who uploaded it; null: a key or the command line. */
    byMemberId: string | null;
    /** Rows handled so far: the sum of the next four. */
    rows: number;
    /** New contacts. */
    created: number;
    /** Contacts that were changed. */
    updated: number;
    /** Rows that said nothing new. */
    unchanged: number;
    /** Rows that were not imported. */
    refused: number;
    /** Local numbers that got their country code. */
    phonesCompleted: number;
    /** Rows taken without their e-mail, which was none. */
    emailsLeftOut: number;
    /** How much of the file is read. */
    part: number;
    /** Of a running one. */
    rowsPerSecond: number | null;
    /** Of a running one, as it seems. */
    secondsLeft: number | null;
    /** The line from which the file could not be read. */
    stoppedAt: number | null;
    /** Why it failed. */
    failure: ImportFault | null;
    /** They can be downloaded, for thirty days. */
    hasRefusedRows: boolean;
    /** When the file was uploaded. */
    createdAt: string;
    /** When its first rows were imported. */
    startedAt: string | null;
    /** When it ended. */
    finishedAt: string | null;
    /** Why rows were refused, the most first. */
    refusals: ImportRefusals[];
}
/** Rows that were refused for one reason. */
export interface ImportRefusals {
    /** Why; `other`: read `reason`. */
    kind: "phone_shortened" | "phone_without_country" | "several_phones" | "phone_invalid" | "email_invalid" | "no_address" | "no_match_address" | "wrong_width" | "broken_quote" | "broken_line" | "bad_number" | "bad_date" | "bad_choice" | "bad_yes_no" | "bad_text" | "bad_attributes" | "bad_tags" | "bad_channel" | "too_long" | "bad_characters" | "unreadable" | "other";
    /** The attribute that the value does not fit. */
    attribute: string | null;
    /** In the words of the file of refused rows. */
    reason: string;
    /** How many. */
    rows: number;
    /** The first five. */
    lines: number[];
}
/** Look at an uploaded file: its columns, and what an import would do. */
export interface LookAtImport {
    /** For each column the field that it is: `name`, `email`, `phone` …, `attribute.KEY` or `ignore`. Without it: by the names of the columns; one that is not known fails the import with `columns.unknown`, so give what the look proposes. */
    map?: Record<string, string> | undefined;
    /** Instead of what the file looks like. */
    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1256" | "iso-8859-6" | "windows-1252" | undefined;
    /** Instead of what the header has most of. */
    delimiter?: "," | ";" | "\t" | "|" | undefined;
    /** By which address a row meets a contact. */
    match?: "any" | "phone" | "email" | "externalId" | undefined;
    /** Rows may opt contacts in that opted out, but for the customer's own STOP. */
    allowOptIn?: boolean | undefined;
    /** Whose code local numbers get; null: they get none; absent: the workspace's. */
    country?: string | null | undefined;
}
/** What a file is, and what importing it would do. */
export interface ImportLook {
    import: Import;
    /** As it is read. */
    encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1256" | "iso-8859-6" | "windows-1252";
    /** Whose code local numbers get. */
    country: string | null;
    /** In the order of the file. */
    columns: ImportColumn[];
    /** Rows that `filled` was counted in. */
    headRows: number;
    /** What of the mapping is refused. */
    fault: ImportFault | null;
    /** What the first rows would become; null when the mapping is refused. */
    tried: ImportTrial | null;
}
/** A column of the file. */
export interface ImportColumn {
    /** As the file has it. */
    name: string;
    /** What it is taken for: a field, `attribute.<key>` or `ignore`. */
    field: string;
    /** What showed it. */
    by: "name" | "content" | "nothing";
    /** The type that a new attribute of it is proposed. */
    valueType: "text" | "number" | "date";
    /** The first values. */
    samples: string[];
    /** Rows of the head that have something there. */
    filled: number;
}
/** What the first rows would become. Nothing is stored. */
export interface ImportTrial {
    /** Rows that were read. */
    rows: number;
    /** False: there are more. */
    whole: boolean;
    /** Rows that would be refused. */
    refused: number;
    /** Why, the most first. */
    refusals: ImportRefusals[];
    /** Local numbers that get their country code. */
    phonesCompleted: number;
    /** Rows taken without their e-mail. */
    emailsLeftOut: number;
    /** Phones that lack it, where none is added. */
    phonesWithoutCountry: number;
    /** Rows that name the same person as an earlier row. */
    repeated: number;
    /** The first rows. */
    first: ImportTriedRow[];
}
/** What one row would become. */
export interface ImportTriedRow {
    /** In the file. */
    line: number;
    /** What it would become. */
    outcome: "created" | "updated" | "unchanged" | "refused";
    /** The contact that it meets. */
    contactId: string | null;
    /** How that contact is called now. */
    known: string | null;
    /** Why it is refused. */
    kind: "phone_shortened" | "phone_without_country" | "several_phones" | "phone_invalid" | "email_invalid" | "no_address" | "no_match_address" | "wrong_width" | "broken_quote" | "broken_line" | "bad_number" | "bad_date" | "bad_choice" | "bad_yes_no" | "bad_text" | "bad_attributes" | "bad_tags" | "bad_channel" | "too_long" | "bad_characters" | "unreadable" | "other" | null;
    /** The same in words. */
    reason: string | null;
    /** The attribute it is about. */
    attribute: string | null;
    /** What the row says. */
    name: string | null;
    /** With its country code. */
    phone: string | null;
    /** What the row says. */
    email: string | null;
    /** What the row says. */
    tags: string[];
    /** The country code was added. */
    phoneCompleted: boolean;
    /** Taken without its e-mail. */
    emailLeftOut: boolean;
    /** The cells of a refused row. */
    record: string[];
}
/** Start the import of an uploaded file. */
export interface StartImport {
    /** For each column the field that it is: `name`, `email`, `phone` …, `attribute.KEY` or `ignore`. Without it: by the names of the columns; one that is not known fails the import with `columns.unknown`, so give what the look proposes. */
    map?: Record<string, string> | undefined;
    /** Instead of what the file looks like. */
    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1256" | "iso-8859-6" | "windows-1252" | undefined;
    /** Instead of what the header has most of. */
    delimiter?: "," | ";" | "\t" | "|" | undefined;
    /** By which address a row meets a contact. */
    match?: "any" | "phone" | "email" | "externalId" | undefined;
    /** Rows may opt contacts in that opted out, but for the customer's own STOP. */
    allowOptIn?: boolean | undefined;
    /** Whose code local numbers get; null: they get none; absent: the workspace's. */
    country?: string | null | undefined;
}
/** Choose contacts to read as a file. */
export interface CreateExport {
    /** A saved segment. It goes without `definition`. */
    segmentId?: string | undefined;
    definition?: ContactDefinition | undefined;
    /** The members of a contact, in this order. Without it: all. */
    fields?: readonly ("id" | "name" | "email" | "phone" | "notes" | "tags" | "attributes" | "channelType" | "externalId" | "optedOut" | "optedOutAt" | "lastSeenAt" | "createdAt")[] | undefined;
    /** `csv` when not given. */
    format?: "csv" | "jsonl" | undefined;
}
/** A choice of contacts to read as a file. */
export interface ContactExport {
    /** The export. */
    id: string;
    /** `ready`: `GET /v1/exports/{id}/content` gives the file, which is written while it is read. */
    state: "ready";
    /** The form of the file. */
    format: "csv" | "jsonl";
    /** In their order. */
    fields: string[];
    /** The segment that it follows. */
    segmentId: string | null;
    /** When it was asked for. */
    createdAt: string;
    /** Until when it can be read. */
    expiresAt: string;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface UsageHistory {
    /** Newest first; only months in which something was metered. */
    items: UsageMonth[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** What was used in one month. */
export interface UsageMonth {
    /** 2026-10: a calendar month in UTC. */
    month: string;
    /** Slots of the allowance that were used: outbound messages, the failed too. */
    messages: number;
    /** Outbound messages. */
    sent: number;
    /** Inbound messages. */
    received: number;
    /** Outbound messages that were rejected. */
    failed: number;
    /** Replies written by AI. */
    aiReplies: number;
}
/** What the plan allows, and how much of it is used. */
export interface PlanLimits {
    /** The plan. */
    plan: "free" | "starter" | "growth" | "business";
    /** Nothing is sent. */
    suspended: boolean;
    /** Each limit. */
    items: PlanLimit[];
    /** What is left; null: not limited. */
    smsCredits: number | null;
    /** When the month of messages ends. */
    periodEnd: string;
}
/** One limit. */
export interface PlanLimit {
    /** messages, seats, bots, channels or aiReplies. */
    name: string;
    /** null: unlimited. */
    limit: number | null;
    /** Now; of messages and AI replies in this UTC month. */
    used: number;
    /** Set for this workspace in place of the plan's. */
    own: boolean;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface AuditPage {
    /** Newest first. */
    items: AuditEntry[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** One change, and who made it. */
export interface AuditEntry {
    /** The entry. */
    id: string;
    /** Who: `member:ID`, `key:ID`, `bot:ID`, `cli` (the command line) or `system`. */
    actor: string;
    /** What was done, like `segment.created`. New ones come with new versions. */
    action: string;
    /** The id of the record, or its name. */
    subject: string;
    /** Ids, names of fields and counts that belong to it. */
    facts: Record<string, unknown>;
    /** When. */
    at: string;
}
/** Read on with `cursor` until `nextCursor` is null. */
export interface ChannelPage {
    /** Oldest first, disconnected ones too. */
    items: Channel[];
    /** Give it as `cursor` to read on. Null at the end. */
    nextCursor: string | null;
}
/** A connected account of a platform, without its secrets. */
export interface Channel {
    /** The channel. */
    id: string;
    /** Its kind. */
    type: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    /** Its name. */
    name: string;
    /** Its status. */
    status: "connected" | "error" | "disconnected";
    /** The account's id at the platform; of web chat one that is made up. */
    account: string;
    /** Its platform is emulated. */
    sandbox: boolean;
    /** Values that are no secrets, by the names of the form. */
    settings: Record<string, string>;
    /** Null: the platform's public address. */
    apiUrl: string | null;
    /** Where the platform calls in; null: it does not. */
    hookUrl: string | null;
    /** While in the future, the platform asked us to wait. */
    throttledUntil: string | null;
    /** When the platform was last asked about the account, with success. */
    syncedAt: string | null;
    /** When a call of its platform was last stored, to the minute. */
    lastWebhookAt: string | null;
    /** When its access token ends; null: it does not, as far as is known. */
    tokenEndsAt: string | null;
    /** What is wrong; empty: nothing is known. */
    problems: ChannelProblem[];
    /** When it was first connected. */
    createdAt: string;
}
/** What is wrong with a channel. */
export interface ChannelProblem {
    /** What is wrong. */
    kind: "error" | "not_set_up" | "wrong_signature" | "wrong_verify_token" | "silent";
    /** The value to look at, by its name in the form. */
    field: string | null;
    /** The platform's own code and words. */
    reason: string | null;
    /** How many calls with a wrong signature. */
    calls: number | null;
    /** Since when, or when last. */
    at: string | null;
    /** Calls with the right signature arrive too. */
    othersRight: boolean;
}
/** What a channel of each type needs. */
export interface ChannelTypeList {
    /** Every type. */
    items: ChannelForm[];
}
/** What a channel of a type needs. */
export interface ChannelForm {
    /** The kind of channel. */
    type: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    /** The platform's public address; empty: it has none. */
    defaultApiUrl: string;
    /** The values that a connect takes, by their names. */
    fields: {
        /** Its name. */
        name: string;
        /** Kept sealed and never shown again. */
        secret: boolean;
        /** Asked for at every connect. */
        required: boolean;
        /** A regular expression that its values match. */
        pattern: string | null;
        /** Can be replaced on a connected channel. */
        changeable: boolean;
    }[];
}
/** Connect an account. */
export interface ConnectChannel {
    /** The platform. */
    type: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    /** What members call it. */
    name: string;
    /** The account's values by the names that `GET /v1/channel-types` lists, secrets too. No answer shows a secret. */
    fields: Record<string, string>;
    /** In place of the platform's address: a proxy. It must be public. */
    apiUrl?: string | undefined;
}
/** The channel. */
export interface ChannelConnected {
    /** The channel. */
    id: string;
    /** Its kind. */
    type: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
    /** Its name. */
    name: string;
    /** Its status. */
    status: "connected" | "error" | "disconnected";
    /** The account's id at the platform; of web chat one that is made up. */
    account: string;
    /** Its platform is emulated. */
    sandbox: boolean;
    /** Values that are no secrets, by the names of the form. */
    settings: Record<string, string>;
    /** Null: the platform's public address. */
    apiUrl: string | null;
    /** Where the platform calls in; null: it does not. */
    hookUrl: string | null;
    /** While in the future, the platform asked us to wait. */
    throttledUntil: string | null;
    /** When the platform was last asked about the account, with success. */
    syncedAt: string | null;
    /** When a call of its platform was last stored, to the minute. */
    lastWebhookAt: string | null;
    /** When its access token ends; null: it does not, as far as is known. */
    tokenEndsAt: string | null;
    /** What is wrong; empty: nothing is known. */
    problems: ChannelProblem[];
    /** When it was first connected. */
    createdAt: string;
    /** Of web chat: signs the ids of a site's users. It is shown this once. */
    identitySecret: string | null;
}
/** Change a channel: its name, its values, its address. */
export interface ChangeChannel {
    /** What members call it. */
    name?: string | undefined;
    /** The account's values by the names that `GET /v1/channel-types` lists, secrets too. No answer shows a secret. */
    fields?: Record<string, string> | undefined;
    /** In place of the platform's address: a proxy. It must be public. */
    apiUrl?: string | undefined;
}
/** What the platform says of the channel's values. */
export interface ChannelTest {
    channel: Channel;
    /** The value that the platform refuses; null when it takes them all. */
    fault: {
        /** The value. */
        field: string;
        /** Another that may be the wrong one. */
        orField: string | null;
        /** The platform's code and words. */
        reason: string;
    } | null;
}
/** Bound how fast all campaigns together send on a number. */
export interface SetChannelPace {
    /** Messages a minute; null: no bound. */
    most: number | null;
}
/** How fast campaigns may send on a number. */
export interface ChannelPace {
    /** Messages a minute of all campaigns on its number; null: no bound. */
    most: number | null;
    /** What the platform's refusals hold it to at present. */
    ceiling: number | null;
}
/** What reading the platform's list changed. */
export interface TemplateSync {
    /** False: the list could not be read; what was known stays. */
    ok: boolean;
    /** Templates that the platform has. */
    total: number;
    /** Those that are new or moved to another status. */
    changed: number;
    /** Why the list could not be read. */
    fault: string | null;
}
/** Submit a template for the platform's review. */
export interface CreateTemplate {
    /** The WhatsApp channel that gets it. */
    channelId: string;
    /** Lower-case letters, digits and underscores. It cannot be changed later. */
    name: string;
    /** A language code. */
    language: string;
    /** The platform may choose another. */
    category: "MARKETING" | "UTILITY";
    /** Header and body name their variables: {{first_name}}. Without it they are numbers: {{1}}. Of a template that exists it stays as it is. */
    named?: boolean | undefined;
    /** Above the body. */
    header?: {
        /** A line of text. */
        kind: "text";
        /** At most 60 characters, with one variable at most. */
        text: string;
        /** A value for the variable, for the reviewers. */
        example?: string | undefined;
    } | {
        /** A file, which each send gives. */
        kind: "image" | "video" | "document";
        /** An upload (`POST /v1/media`) that shows the reviewers an example. */
        file: string;
    } | undefined;
    /** The text, at most 1,024 characters. */
    body: string;
    /** A value for each variable of the body, for the reviewers. */
    bodyExamples?: readonly string[] | undefined;
    /** A line below the body, at most 60 characters. */
    footer?: string | undefined;
    /** At most 10, two of them addresses and one a phone number. */
    buttons?: readonly ({
        /** Answers with its text. */
        kind: "quick_reply";
        /** Its text, at most 25 characters. */
        text: string;
    } | {
        /** Opens an address. */
        kind: "url";
        /** Its text, at most 25 characters. */
        text: string;
        /** The address. It may end with {{1}}, which each send fills. */
        url: string;
        /** The whole address with a value, for the reviewers. */
        example?: string | undefined;
    } | {
        /** Calls a number. */
        kind: "phone";
        /** Its text, at most 25 characters. */
        text: string;
        /** The number with its country code. */
        phone: string;
    })[] | undefined;
}
/** Submit other content for a template. */
export interface EditTemplate {
    /** Header and body name their variables: {{first_name}}. Without it they are numbers: {{1}}. Of a template that exists it stays as it is. */
    named?: boolean | undefined;
    /** Above the body. */
    header?: {
        /** A line of text. */
        kind: "text";
        /** At most 60 characters, with one variable at most. */
        text: string;
        /** A value for the variable, for the reviewers. */
        example?: string | undefined;
    } | {
        /** A file, which each send gives. */
        kind: "image" | "video" | "document";
        /** An upload (`POST /v1/media`) that shows the reviewers an example. */
        file: string;
    } | undefined;
    /** The text, at most 1,024 characters. */
    body: string;
    /** A value for each variable of the body, for the reviewers. */
    bodyExamples?: readonly string[] | undefined;
    /** A line below the body, at most 60 characters. */
    footer?: string | undefined;
    /** At most 10, two of them addresses and one a phone number. */
    buttons?: readonly ({
        /** Answers with its text. */
        kind: "quick_reply";
        /** Its text, at most 25 characters. */
        text: string;
    } | {
        /** Opens an address. */
        kind: "url";
        /** Its text, at most 25 characters. */
        text: string;
        /** The address. It may end with {{1}}, which each send fills. */
        url: string;
        /** The whole address with a value, for the reviewers. */
        example?: string | undefined;
    } | {
        /** Calls a number. */
        kind: "phone";
        /** Its text, at most 25 characters. */
        text: string;
        /** The number with its country code. */
        phone: string;
    })[] | undefined;
}
/** For how long a workspace keeps its messages. */
export interface RetentionTimes {
    /** Months for which messages are kept. Null: for good. */
    messageMonths: number | null;
    /** Months for which files are kept. Null: as long as their messages. */
    fileMonths: number | null;
    /** Days for which events are kept. Null: 30. */
    eventDays: number | null;
    /** `waiting`: nothing is deleted before `beginsAt`. `deleting`: what is too old is being deleted. `done`: nothing older is left. */
    state: "off" | "waiting" | "deleting" | "done";
    /** The first moment at which something may be deleted: 24 hours after a time was made shorter. Null: nothing is set. */
    beginsAt: string | null;
    /** When it was changed last. Null: never. */
    changedAt: string | null;
    /** When everything too old had been deleted last. Null: not yet. */
    passedAt: string | null;
    /** What was deleted since a time was made shorter last. */
    deleted: {
        /** Messages. */
        messages: number;
        /** Files. */
        files: number;
        /** Notes. */
        notes: number;
        /** Events. */
        events: number;
    };
}
/** Count what a change of the retention would delete today. */
export interface PreviewRetention {
    /** Months after which messages are deleted, with their files, notes and words in the search. Null: never. */
    messageMonths?: number | null | undefined;
    /** Months after which the files of messages are deleted; their messages stay. Null: with their messages. */
    fileMonths?: number | null | undefined;
    /** Days after which events and their deliveries are deleted. Null: 30. */
    eventDays?: number | null | undefined;
}
/** What a change of the retention would delete. */
export interface RetentionPreview {
    /** Whether something would be kept for a shorter time. */
    shorter: boolean;
    /** Messages that would be too old today. */
    messages: {
        /** So many, at most 1,000,000. */
        count: number;
        /** Whether there are more than that. */
        more: boolean;
    };
    /** Files of messages that stay that would be too old today. */
    files: {
        /** So many, at most 1,000,000. */
        count: number;
        /** Whether there are more than that. */
        more: boolean;
    };
    /** When the deletion would begin, if it were set now. */
    beginsAt: string;
}
/** Change for how long messages, files and events are kept. */
export interface ChangeRetention {
    /** Months after which messages are deleted, with their files, notes and words in the search. Null: never. */
    messageMonths?: number | null | undefined;
    /** Months after which the files of messages are deleted; their messages stay. Null: with their messages. */
    fileMonths?: number | null | undefined;
    /** Days after which events and their deliveries are deleted. Null: 30. */
    eventDays?: number | null | undefined;
}
/** Add a snippet, or change it, by the id that it has at its origin. */
export interface PutKnowledge {
    /** What it is called. */
    title: string;
    /** Its text in the language `lang`. The text in the other language stays as it is. */
    text?: string | undefined;
    /** The language of `text`; else its letters decide. */
    lang?: "en" | "ar" | undefined;
    /** In place of `text`: the texts in both languages; one left out is removed. */
    texts?: {
        /** In English. */
        en?: string | undefined;
        /** In Arabic. */
        ar?: string | undefined;
    } | undefined;
    /** How customers ask for it. It is found by these; no answer rests on them. */
    askedAs?: readonly string[] | undefined;
    /** After this moment no answer rests on it; a day ends at midnight UTC. */
    validUntil?: string | null | undefined;
}
/** What bots may answer from. */
export interface KnowledgeSource {
    /** The source's id. */
    id: string;
    /** What it is. */
    kind: "snippet" | "file" | "page" | "saved_reply";
    /** What it is called. */
    title: string;
    /** The id that a program gave it. */
    externalId: string | null;
    /** Of a snippet, its text in each language. */
    texts: {
        /** The text in English. */
        en: string | null;
        /** The text in Arabic. */
        ar: string | null;
    };
    /** How customers ask for it. */
    askedAs: string[];
    /** Of a page its address, of a file its name. */
    address: string | null;
    /** Whether answers may rest on it. */
    status: "ready" | "reading" | "failed" | "out_of_date";
    /** Why it could not be read. */
    reason: string | null;
    /** The languages of its chunks. */
    languages: ("en" | "ar")[];
    /** In how many chunks it was cut. */
    chunks: number;
    /** Answers of the last 30 days that rest on it. */
    used: number;
    /** After this moment no answer rests on it. */
    validUntil: string | null;
    /** When it was last read. */
    readAt: string | null;
    /** When it was added. */
    createdAt: string;
    /** When it was last changed. */
    updatedAt: string;
}
/** A bot. */
export interface BotListed {
    /** The bot's id. */
    id: string;
    /** Its name. */
    name: string;
    /** What it is made of. */
    kind: "flow" | "ai" | "external";
    /** `live`: it answers. */
    status: "draft" | "live" | "paused" | "archived";
    /** The published version. Null: none yet. */
    version: number | null;
    /** The draft differs from what is published. */
    draft: boolean;
    /** Ids of channels or channel types; empty: every channel. */
    channels: string[];
    /** Of an AI bot. */
    mode: "suggest" | "autopilot" | null;
    /** When its draft or state last changed. */
    updatedAt: string;
    /** Answers in the last seven days. */
    answered: number;
    /** Conversations handed over in the last seven days. */
    handedOver: number;
}
/** Hand a conversation over from its bot to people. */
export interface HandOverConversation {
    /** Why. `asked` when absent. */
    reason?: "asked" | "no_source" | "checks_failed" | "model_unavailable" | "model_refused" | "limit_reached" | "cost_cap" | "loop" | "stuck" | "archived" | "flow" | "outside_scope" | undefined;
    /** What the talk was about, for members. */
    summary?: string | undefined;
}
/** Send a code to a number, and check it later. */
export interface StartVerification {
    /** The phone number, with its country code: 7 to 15 digits, and not a local number, which begins with 0. */
    to: string;
    /** How to send it. `sms` when left out. `whatsapp`: by an approved AUTHENTICATION template of the workspace with one variable. */
    channel?: "sms" | "whatsapp" | undefined;
    /** The language of the text. The workspace's when left out, else English. By WhatsApp the template's; left out, any is taken when there is none in the workspace's. */
    locale?: "en" | "ar" | undefined;
    /** Digits of the code, 4 to 10; 6 by default. */
    codeLength?: number | undefined;
    /** How long the code is valid, in seconds, 60 to 3,600; 600 by default. */
    ttlSeconds?: number | undefined;
    /** What it is for, in your own words. Codes for two purposes do not end each other. */
    purpose?: string | undefined;
}
/** A code that was made and sent to a number. The code itself is never shown. */
export interface Verification {
    /** The verification's id. */
    id: string;
    /** `pending`: a code was sent and can be checked. `approved`: a check had the right code. `exhausted`: all tries were used. `expired`: its time is over. `canceled`: it was ended, or a new code went to the number. `failed`: the gateway or WhatsApp refused the message; `errorCode` says why. */
    status: "pending" | "approved" | "exhausted" | "expired" | "canceled" | "failed";
    /** The last four digits of the number, after two dots. */
    to: string;
    /** How the code is sent. */
    channel: "sms" | "whatsapp";
    /** What it is for, as it was given. */
    purpose: string | null;
    /** The message in the log of passcodes, which `otp.status` events name. */
    requestId: string;
    /** Checks that may still be wrong. */
    triesLeft: number;
    /** Why the gateway refused the message, as for `POST /otp/send`. */
    errorCode: string | null;
    /** When the code was sent. */
    createdAt: string;
    /** Until when the code is valid. */
    expiresAt: string;
    /** When it was approved, canceled, exhausted or failed. */
    endedAt: string | null;
}
/** Check the code that a person typed. */
export interface CheckVerification {
    /** What the person typed. Spaces and hyphens are ignored; digits may be Arabic. */
    code: string;
}
/** Everything that is stored of one person. */
export interface PersonDocument {
    /** When it was begun. */
    exportedAt: string;
    /** The workspace. */
    workspaceId: string;
    /** The contact, as it is known now. */
    contactId: string;
    /** The contact with its attributes, as `GET /v1/contacts/{id}` shows it. */
    contact: Record<string, unknown> | null;
    /** Contacts that were merged into it, as they were. */
    merged: Record<string, unknown>[];
    /** What channels call the person. */
    identities: Record<string, unknown>[];
    /** What other systems call the person: `system` and `value`. */
    refs: Record<string, unknown>[];
    /** Every change of the consent, oldest first. */
    consent: Record<string, unknown>[];
    /** What pages said of a visitor of web chat. */
    chatProfiles: Record<string, unknown>[];
    /** Campaigns that the person was in: the values that were sent, the outcome. */
    campaigns: Record<string, unknown>[];
    /** What the person asked a bot that it could not answer. */
    unansweredQuestions: Record<string, unknown>[];
    /** Tests of bots that were made of such questions. */
    botCases: Record<string, unknown>[];
    /** Changes of the contact, newest first, for a year. */
    changes: Record<string, unknown>[];
    /** Each conversation with `messages` and their `files`, `notes`, `drafts`, `suggestions` and `aiTurns`. */
    conversations: Record<string, unknown>[];
    /** SMS of campaigns. */
    messagesWithoutConversation: Record<string, unknown>[];
    /** Numbers and times of passcodes; no text is kept. */
    passcodes: Record<string, unknown>[];
    /** Rows of imports that name the person and were refused. */
    refusedImportRows: Record<string, unknown>[];
    /** Entries of the audit about the contact and its conversations. */
    audit: Record<string, unknown>[];
    /** Events that name the person: kind, time and how many endpoints received it. */
    events: Record<string, unknown>[];
}
/** The query of `listContacts`. */
export interface ListContactsQuery {
    /** Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens. */
    search?: string | undefined;
    /** Which page, from 1. Default 1. */
    page?: number | undefined;
    /** How many a page holds. Above 200 acts as 200. Default 50. */
    pageSize?: number | undefined;
    /** Only contacts that changed after this moment: a field, a ref or the consent. To copy all contacts read `POST /v1/contacts/search`, whose cursor leaves no one out. */
    updatedAfter?: string | undefined;
    /** `newest`: the newest first, as without it. `updatedAt`: the one that changed longest ago first. */
    sort?: "newest" | "updatedAt" | undefined;
    /** `refs`: each contact also has `refs` and `updatedAt`. */
    include?: "refs" | undefined;
}
/** The query of `listAllMessages`. */
export interface ListAllMessagesQuery {
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listTemplates`. */
export interface ListTemplatesQuery {
    /** `all`: in any status. Without it only approved ones are listed. */
    status?: "all" | undefined;
    /** Only those of this channel. */
    channelId?: string | undefined;
    /** Only those with this name, in every language. */
    name?: string | undefined;
}
/** The query of `getConversation`. */
export interface GetConversationQuery {
    /** What a conversation shows beside itself, separated by commas. */
    include?: readonly ("contact" | "lastMessage" | "assignee")[] | undefined;
}
/** The query of `listMessages`. */
export interface ListMessagesQuery {
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many at most. Above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `getBroadcast`. */
export interface GetBroadcastQuery {
    /** `draft`: also everything that the campaign is made of. */
    include?: "draft" | undefined;
}
/** The query of `listRecipients`. */
export interface ListRecipientsQuery {
    /** Only recipients in this state. */
    status?: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | undefined;
    /** Only recipients in any of these states, separated by commas. It goes without `status`. */
    statuses?: readonly ("pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped")[] | undefined;
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many at most. Above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listEvents`. */
export interface ListEventsQuery {
    /** Events after this sequence: `nextAfter` of the page before. `latest`: none; `nextAfter` is the place to read on from, for a program that begins now. */
    after?: number | "latest" | undefined;
    /** How many at most. Above 500 acts as 500. Default 100. */
    limit?: number | undefined;
    /** Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403. */
    types?: readonly ("message.status" | "message.received" | "message.created" | "message.updated" | "message.deleted" | "media.stored" | "note.created" | "note.updated" | "note.deleted" | "suggestion.settled" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "contact.merged" | "contact.deleted" | "broadcast.status" | "broadcast.recipient" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "bot.handed_over" | "bot.finished" | "webhook.disabled" | "endpoint.test")[] | undefined;
}
/** The query of `listLabels`. */
export interface ListLabelsQuery {
    /** `nextCursor` of the page before: the name of its last label. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listConversations`. */
export interface ListConversationsQuery {
    /** Only those in this state. */
    status?: "open" | "snoozed" | "resolved" | undefined;
    /** Only those of this channel. */
    channelId?: string | undefined;
    /** Only those of this contact. */
    contactId?: string | undefined;
    /** Only those that this member has; `none`: those that no one has. */
    assigneeId?: string | undefined;
    /** Only those with this label. */
    label?: string | undefined;
    /** Only those with messages that no one has read, or without. */
    unread?: "true" | "false" | undefined;
    /** Only open ones whose customer waits for an answer, as the inbox's view Unanswered has them, or all others. */
    unanswered?: "true" | "false" | undefined;
    /** Only those that changed later. The order is then `changes`, or `recent`. */
    updatedAfter?: string | undefined;
    /** `newest`: created last first, as without it. `recent`: changed last first. `changes`: changed longest ago first. */
    sort?: "newest" | "recent" | "changes" | undefined;
    /** What a conversation shows beside itself, separated by commas. */
    include?: readonly ("contact" | "lastMessage" | "assignee")[] | undefined;
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listNotes`. */
export interface ListNotesQuery {
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `storeMedia`. */
export interface StoreMediaQuery {
    /** Of a file that is the body: its name for the customer. Without it, the `filename` of `Content-Disposition`. */
    name?: string | undefined;
}
/** The query of `listTeamMembers`. */
export interface ListTeamMembersQuery {
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listContactJobs`. */
export interface ListContactJobsQuery {
    /** `nextCursor` of the page before: the id of its last change. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listContactTimeline`. */
export interface ListContactTimelineQuery {
    /** `nextCursor` of the page before: the place of its last item. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `previewContactMerge`. */
export interface PreviewContactMergeQuery {
    /** The contact that would be merged into it. */
    mergedId: string;
}
/** The query of `listContactDuplicates`. */
export interface ListContactDuplicatesQuery {
    /** What they share; `phone` when absent. */
    by?: "phone" | "email" | "externalId" | undefined;
    /** `nextCursor` of the page before: what its last contacts share. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listContactAttributes`. */
export interface ListContactAttributesQuery {
    /** `nextCursor` of the page before: the key of its last attribute. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `previewBroadcast`. */
export interface PreviewBroadcastQuery {
    /** How many contacts. Default 5. */
    count?: number | undefined;
}
/** The query of `readBroadcastTimeline`. */
export interface ReadBroadcastTimelineQuery {
    /** The step of the counts; minute when absent. */
    by?: "minute" | "hour" | "day" | undefined;
}
/** The query of `breakBroadcastDown`. */
export interface BreakBroadcastDownQuery {
    /** `tag`, as when absent, or `attribute.KEY`. */
    by?: string | undefined;
}
/** The query of `listBroadcastReplies`. */
export interface ListBroadcastRepliesQuery {
    /** `nextCursor` of the page before: time and contact of its last reply. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listWebhookEndpoints`. */
export interface ListWebhookEndpointsQuery {
    /** `nextCursor` of the page before: the id of its last endpoint. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesQuery {
    /** Only deliveries in this state. */
    state?: "pending" | "delivered" | "exhausted" | "held" | undefined;
    /** Only this kind of event. */
    type?: "message.status" | "message.received" | "message.created" | "message.updated" | "message.deleted" | "media.stored" | "note.created" | "note.updated" | "note.deleted" | "suggestion.settled" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "contact.merged" | "contact.deleted" | "broadcast.status" | "broadcast.recipient" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "bot.handed_over" | "bot.finished" | "webhook.disabled" | "endpoint.test" | undefined;
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listImports`. */
export interface ListImportsQuery {
    /** `nextCursor` of the page before: the id of its last import. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `uploadImport`. */
export interface UploadImportQuery {
    /** Its name; the ending says what it is: .csv, .tsv, .txt or .jsonl. */
    name: string;
}
/** The query of `listUsageMonths`. */
export interface ListUsageMonthsQuery {
    /** `nextCursor` of the page before: its last month. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listAuditEntries`. */
export interface ListAuditEntriesQuery {
    /** Only of this actor. */
    actor?: string | undefined;
    /** A whole action, or a noun for every action on such records. */
    action?: string | undefined;
    /** Only about this record. */
    subject?: string | undefined;
    /** Only from then on. */
    since?: string | undefined;
    /** `nextCursor` of the page before. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listChannels`. */
export interface ListChannelsQuery {
    /** `nextCursor` of the page before: the id of its last channel. */
    cursor?: string | undefined;
    /** How many items at most; above 200 acts as 200. Default 50. */
    limit?: number | undefined;
}
/** The query of `listChannelTypes`. */
export interface ListChannelTypesQuery {
    /** Only this type. */
    type?: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | undefined;
}
/** The query of `downloadRecipients`. */
export interface DownloadRecipientsQuery {
    /** Only recipients in this state. */
    status?: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | undefined;
    /** Only recipients in any of these states, separated by commas. It goes without `status`. */
    statuses?: readonly ("pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped")[] | undefined;
    /** Only recipients that were skipped for this reason or failed with this code. */
    reason?: string | undefined;
}
/** The query of `streamEvents`. */
export interface StreamEventsQuery {
    /** Events after this sequence: `nextAfter` of the page before. */
    after?: number | undefined;
    /** Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403. */
    types?: readonly ("message.status" | "message.received" | "message.created" | "message.updated" | "message.deleted" | "media.stored" | "note.created" | "note.updated" | "note.deleted" | "suggestion.settled" | "conversation.created" | "conversation.updated" | "contact.created" | "contact.updated" | "contact.opted_out" | "contact.opted_in" | "contact.merged" | "contact.deleted" | "broadcast.status" | "broadcast.recipient" | "template.status" | "channel.status" | "otp.status" | "usage.threshold" | "bot.handed_over" | "bot.finished" | "webhook.disabled" | "endpoint.test")[] | undefined;
}
/** What a bot answers a turn with (`docs/external-bots.md`). */
export interface BotTurnAnswer {
    /** Sent in this order. */
    messages?: readonly {
        /** What the customer reads. */
        text: string;
        /** Buttons where the channel has them. */
        choices?: readonly {
            /** What the button says. */
            text: string;
            /** What a press returns, 64 bytes at most. */
            payload: string;
        }[] | undefined;
    }[] | undefined;
    /** Stored with the conversation, and part of the next call. At most 16 KiB together. */
    variables?: Record<string, unknown> | undefined;
    /** The bot is done: the customer's next message begins again. */
    end?: boolean | undefined;
    /** Give the conversation to a person. */
    handOver?: {
        /** Why. `flow` when absent. */
        reason?: "asked" | "no_source" | "outside_scope" | "flow" | undefined;
        /** What members read. */
        summary?: string | undefined;
    } | undefined;
}
/** What `ParleyError.code` says when the server refuses. */
export type ApiErrorCode = "ATTACHMENT_REFUSED" | "BODY_TOO_LARGE" | "BROADCAST_NOT_FOUND" | "BROADCAST_NOT_STARTABLE" | "CHANNEL_LIMIT_REACHED" | "CHANNEL_NEEDED" | "CONSENT_HELD" | "CONTACT_CONFLICT" | "CONTACT_NEEDS_IDENTITY" | "CONTACT_OPTED_OUT" | "CONVERSATION_NOT_FOUND" | "FORBIDDEN" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_KEY_REUSED" | "INSUFFICIENT_CREDITS" | "INTERNAL" | "INVALID_API_KEY" | "MALFORMED_API_KEY" | "MALFORMED_JSON" | "MEDIA_PENDING" | "MESSAGE_LIMIT_REACHED" | "MISSING_API_KEY" | "MISSING_SCOPE:audit:read" | "MISSING_SCOPE:bots:read" | "MISSING_SCOPE:bots:write" | "MISSING_SCOPE:broadcasts:draft" | "MISSING_SCOPE:broadcasts:read" | "MISSING_SCOPE:broadcasts:write" | "MISSING_SCOPE:channels:read" | "MISSING_SCOPE:channels:write" | "MISSING_SCOPE:contacts:consent" | "MISSING_SCOPE:contacts:erase" | "MISSING_SCOPE:contacts:export" | "MISSING_SCOPE:contacts:read" | "MISSING_SCOPE:contacts:write" | "MISSING_SCOPE:conversations:write" | "MISSING_SCOPE:messages:draft" | "MISSING_SCOPE:messages:read" | "MISSING_SCOPE:messages:write" | "MISSING_SCOPE:otp:send" | "MISSING_SCOPE:otp:verify" | "MISSING_SCOPE:retention:write" | "MISSING_SCOPE:segments:write" | "MISSING_SCOPE:team:read" | "MISSING_SCOPE:templates:read" | "MISSING_SCOPE:templates:send" | "MISSING_SCOPE:templates:write" | "MISSING_SCOPE:usage:read" | "MISSING_SCOPE:webhooks:read" | "MISSING_SCOPE:webhooks:write" | "NAME_TAKEN" | "NOT_ALLOWED_IN_STATE" | "NOT_FETCHED" | "NOT_FOUND" | "NOT_SUPPORTED_HERE" | "OTP_COUNTRY_REFUSED" | "OTP_NUMBER_LIMITED" | "OTP_RATE_LIMITED" | "OVERLOADED" | "RATE_LIMITED" | "SMS_PROVIDER_NOT_VERIFIED" | "STORAGE_FULL" | "SUBSCRIPTION_SUSPENDED" | "TEMPLATE_NOT_APPROVED" | "TEMPLATE_PARAMETERS" | "UNSENT_FILES_FULL" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAILED" | "VERSION_MISMATCH";
/** What `data` of an event holds, by kind. */
export interface EventData {
    "message.status": {
        /** The message. */
        messageId: string;
        /** Its conversation. */
        conversationId: string | null;
        /** The customer. */
        contactId: string | null;
        /** The channel. */
        channelId: string | null;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted. */
        contact: {
            /** The contact's id. */
            id: string;
            /** The contact's name. */
            name: string | null;
            /** Digits with the country code, without a plus sign. */
            phone: string | null;
            /** The contact's id on the channel. */
            externalId: string | null;
        } | null;
        /** Where it was before. Null when it is new. */
        previousStatus: "sent" | "delivered" | "read" | "failed" | null;
        /** Where it is now. */
        status: "sent" | "delivered" | "read" | "failed";
        /** When it happened. */
        occurredAt: string;
        /** Why it failed: the platform's code, or one of ours. */
        errorCode: string | null;
        /** The reason in words. */
        errorMessage: string | null;
    };
    "message.received": {
        /** The message. */
        messageId: string;
        /** Its conversation. */
        conversationId: string | null;
        /** The customer. */
        contactId: string | null;
        /** The channel. */
        channelId: string | null;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted. */
        contact: {
            /** The contact's id. */
            id: string;
            /** The contact's name. */
            name: string | null;
            /** Digits with the country code, without a plus sign. */
            phone: string | null;
            /** The contact's id on the channel. */
            externalId: string | null;
        } | null;
        message: Message;
    };
    "message.created": {
        /** The message. */
        messageId: string;
        /** Its conversation. */
        conversationId: string | null;
        /** The customer. */
        contactId: string | null;
        /** The channel. */
        channelId: string | null;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted. */
        contact: {
            /** The contact's id. */
            id: string;
            /** The contact's name. */
            name: string | null;
            /** Digits with the country code, without a plus sign. */
            phone: string | null;
            /** The contact's id on the channel. */
            externalId: string | null;
        } | null;
        message: Message;
    };
    "message.updated": {
        /** The message. */
        messageId: string;
        /** Its conversation. */
        conversationId: string | null;
        /** The customer. */
        contactId: string | null;
        /** The channel. */
        channelId: string | null;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted. */
        contact: {
            /** The contact's id. */
            id: string;
            /** The contact's name. */
            name: string | null;
            /** Digits with the country code, without a plus sign. */
            phone: string | null;
            /** The contact's id on the channel. */
            externalId: string | null;
        } | null;
        message: Message;
    };
    "message.deleted": {
        /** The message. */
        messageId: string;
        /** Its conversation. */
        conversationId: string | null;
        /** The customer. */
        contactId: string | null;
        /** The channel. */
        channelId: string | null;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted. */
        contact: {
            /** The contact's id. */
            id: string;
            /** The contact's name. */
            name: string | null;
            /** Digits with the country code, without a plus sign. */
            phone: string | null;
            /** The contact's id on the channel. */
            externalId: string | null;
        } | null;
        /** When it happened. */
        occurredAt: string;
    };
    "media.stored": {
        /** The message. */
        messageId: string;
        /** Its conversation. */
        conversationId: string | null;
        /** The customer. */
        contactId: string | null;
        /** The channel. */
        channelId: string | null;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB" | null;
        /** The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted. */
        contact: {
            /** The contact's id. */
            id: string;
            /** The contact's name. */
            name: string | null;
            /** Digits with the country code, without a plus sign. */
            phone: string | null;
            /** The contact's id on the channel. */
            externalId: string | null;
        } | null;
        /** The file. */
        mediaId: string;
        /** What the file is. */
        kind: "image" | "audio" | "video" | "document" | "sticker";
        /** What its bytes are, whatever the sender called them. */
        mimeType: string | null;
        /** As it was named. */
        fileName: string | null;
        /** Bytes. */
        size: number;
        /** When it happened. */
        occurredAt: string;
    };
    "note.created": {
        /** The conversation. */
        conversationId: string;
        /** The customer. */
        contactId: string;
        note: Note;
    };
    "note.updated": {
        /** The conversation. */
        conversationId: string;
        /** The customer. */
        contactId: string;
        note: Note;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "note.deleted": {
        /** The conversation. */
        conversationId: string;
        /** The customer. */
        contactId: string;
        note: Note;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "suggestion.settled": {
        /** The conversation. */
        conversationId: string;
        /** The customer. */
        contactId: string;
        suggestion: Suggestion;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "conversation.created": {
        conversation: Conversation;
    };
    "conversation.updated": {
        conversation: Conversation;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "contact.created": {
        contact: Contact;
        /** What other systems call the contact, by the name of the system. */
        refs?: Record<string, string>;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "contact.updated": {
        contact: Contact;
        /** What other systems call the contact, by the name of the system. */
        refs?: Record<string, string>;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "contact.opted_out": {
        contact: Contact;
        /** What other systems call the contact, by the name of the system. */
        refs?: Record<string, string>;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
        /** Where the change was made, like `api`, `import` or the channel. */
        source: string;
        /** When it happened. */
        occurredAt: string;
    };
    "contact.opted_in": {
        contact: Contact;
        /** What other systems call the contact, by the name of the system. */
        refs?: Record<string, string>;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
        /** Where the change was made, like `api`, `import` or the channel. */
        source: string;
        /** When it happened. */
        occurredAt: string;
    };
    "contact.merged": {
        /** The contact that was kept. */
        contactId: string;
        /** The contact that became part of it. */
        mergedId: string;
        /** When it happened. */
        occurredAt: string;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "contact.deleted": {
        /** The contact. */
        contactId: string;
        /** True when the person is forgotten, with messages and history. False for a deleted record, whose conversations and messages stay. */
        erased: boolean;
        /** When it happened. */
        occurredAt: string;
        /** Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself. */
        by?: string;
    };
    "broadcast.status": {
        /** Where it was before. Null when it is new. */
        previousStatus: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED" | null;
        /** Where it is now. */
        status: "DRAFT" | "SCHEDULED" | "QUEUED" | "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "FAILED";
        /** When it happened. */
        occurredAt: string;
        /** Why it paused or failed automatically. */
        reason: string | null;
        broadcast: Broadcast;
    };
    "broadcast.recipient": {
        /** The campaign. */
        broadcastId: string;
        /** Where it was before. Null when it is new. */
        previousStatus: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped" | null;
        /** Where it is now. */
        status: "pending" | "sending" | "sent" | "delivered" | "read" | "failed" | "skipped";
        /** When it happened. */
        occurredAt: string;
        /** The recipient. */
        recipient: {
            /** The contact. */
            contactId: string;
            /** The message; null where there is none. */
            messageId: string | null;
            /** Why the contact was skipped, or the code of what failed. */
            reason: string | null;
            /** The reason in the platform's words. */
            detail: string | null;
        };
    };
    "template.status": {
        /** What the platform said before. */
        previousStatus: string | null;
        /** What the platform says now, like APPROVED, PAUSED or REJECTED. */
        status: string;
        /** When it happened. */
        occurredAt: string;
        /** The template. */
        templateId: string;
        /** Its channel. */
        channelId: string;
        /** Its id at the platform. */
        metaId: string;
        /** Its name. */
        name: string;
        /** A language code. */
        language: string;
        /** The platform's reason. */
        reason: string | null;
    };
    "channel.status": {
        /** Where it was before. Null when it is new. */
        previousStatus: "connected" | "error" | "disconnected" | null;
        /** Where it is now. */
        status: "connected" | "error" | "disconnected";
        /** When it happened. */
        occurredAt: string;
        /** The channel. */
        channelId: string;
        /** Its kind. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
        /** Its name. */
        name: string;
        /** Why it is in error. */
        reason: string | null;
    };
    "otp.status": {
        /** Where it was before. Null when it is new. */
        previousStatus: "sent" | "delivered" | "failed" | "unknown" | null;
        /** Where it is now. */
        status: "sent" | "delivered" | "failed" | "unknown";
        /** When it happened. */
        occurredAt: string;
        /** `requestId` of the send. */
        requestId: string;
        /** The SMS provider. */
        provider: string;
        /** As `errorCode` of SmsResult. */
        errorCode: string | null;
        /** The gateway's own words. */
        error: string | null;
    };
    "usage.threshold": {
        /** What is counted. */
        meter?: "messages" | "aiReplies";
        /** How much of the month's allowance is used. */
        percent: 80 | 100;
        /** What the plan allows. */
        limit: number;
        /** What is used at this moment. */
        usage: number;
        /** The first moment of the month. */
        periodStart: string;
        /** The first moment of the next month. */
        periodEnd: string;
    };
    "bot.handed_over": {
        /** The conversation. */
        conversationId: string;
        /** The customer. */
        contactId: string;
        /** The channel. */
        channelId: string;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
        /** The bot. */
        botId: string;
        /** Why. */
        reason: "asked" | "no_source" | "checks_failed" | "model_unavailable" | "model_refused" | "limit_reached" | "cost_cap" | "loop" | "stuck" | "archived" | "flow" | "outside_scope";
        /** What the talk was about, in the bot's words. */
        summary: string | null;
        /** What the bot collected, by name. */
        collected: Record<string, unknown>;
        /** When it happened. */
        occurredAt: string;
    };
    "bot.finished": {
        /** The conversation. */
        conversationId: string;
        /** The customer. */
        contactId: string;
        /** The channel. */
        channelId: string;
        /** The kind of channel. */
        channelType: "WHATSAPP" | "MESSENGER" | "INSTAGRAM" | "TELEGRAM" | "TIKTOK" | "WEB";
        /** The bot. */
        botId: string;
        /** The version of the bot. */
        version: number;
        /** How it ended. */
        outcome: "resolved" | "assisted" | "handed_over" | "abandoned";
        /** What the talk was about, of the bot's own list. */
        topic: string | null;
        /** Answers that the customer got. */
        turns: number;
        /** When it happened. */
        occurredAt: string;
    };
    "webhook.disabled": {
        /** The endpoint. */
        endpointId: string;
        /** Its name. */
        name: string | null;
        /** Its address, with what could be a token in it shortened. */
        url: string;
        /** A person or a program, or attempts that failed in a row. */
        disabledBy: "hand" | "failures";
        /** When it happened. */
        occurredAt: string;
    };
    "endpoint.test": {
        /** The endpoint that was tested. */
        endpointId: string;
        /** When it happened. */
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
