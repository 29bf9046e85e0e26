# Made from apps/server/openapi.json by `npm run sdk`. Do not edit.
from __future__ import annotations

from typing import Any, Dict, Literal, Mapping, Optional, Sequence, TypedDict, Union

API_VERSION = "1.0.0"


class Contact(TypedDict):
    """A person, on one channel or several."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The whole name. Campaigns read it as {{name}} and {{first_name}}."""
    email: Optional[str]
    """The e-mail address."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    notes: Optional[str]
    """What the team notes about the contact."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The channel on which the contact first wrote; null when it never did."""
    externalId: Optional[str]
    """The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id."""
    tags: Sequence[str]
    """Always lower-case, so that `VIP` and `vip` are never two tags."""
    attributes: Dict[str, Any]
    """Free-form values by name. A campaign body reads them as {{attribute.NAME}}."""
    optedOut: bool
    """Whether the contact takes no campaigns."""
    optedOutAt: Optional[str]
    """Since when the contact takes no campaigns."""
    lastSeenAt: Optional[str]
    """When the contact last wrote or was seen."""
    createdAt: str
    """When the contact was made."""


class NewContact(TypedDict, total=False):
    """At least one of `email` and `phone` must be given (CONTACT_NEEDS_IDENTITY). A text is trimmed; an empty one counts as not given."""
    name: str
    """The whole name."""
    email: str
    """An e-mail address, in letters of any script."""
    phone: str
    """With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed."""
    notes: str
    """What the team notes about the contact."""
    tags: Sequence[str]
    """Stored in lower case without repeats. At most 16 KiB in all."""
    attributes: Dict[str, Any]
    """A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels."""


class _ListedContact(TypedDict):
    id: str
    """The contact's id."""
    name: Optional[str]
    """The whole name. Campaigns read it as {{name}} and {{first_name}}."""
    email: Optional[str]
    """The e-mail address."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    notes: Optional[str]
    """What the team notes about the contact."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The channel on which the contact first wrote; null when it never did."""
    externalId: Optional[str]
    """The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id."""
    tags: Sequence[str]
    """Always lower-case, so that `VIP` and `vip` are never two tags."""
    attributes: Dict[str, Any]
    """Free-form values by name. A campaign body reads them as {{attribute.NAME}}."""
    optedOut: bool
    """Whether the contact takes no campaigns."""
    optedOutAt: Optional[str]
    """Since when the contact takes no campaigns."""
    lastSeenAt: Optional[str]
    """When the contact last wrote or was seen."""
    createdAt: str
    """When the contact was made."""


class ListedContact(_ListedContact, total=False):
    """A contact in a list, with what was asked for."""
    refs: Mapping[str, str]
    """With `include=refs`: what other systems call the contact, by the name of the system."""
    updatedAt: str
    """With `include=refs`: when a field, a ref or the consent last changed."""


class ContactPage(TypedDict):
    """One page of contacts, with the total."""
    total: int
    """All that match, on every page."""
    page: int
    """The page that was asked for."""
    pageSize: int
    """How many a page holds."""
    items: Sequence[ListedContact]
    """In the order that was asked for. Empty past the end."""


class SegmentDefinition(TypedDict):
    """Who is in it. Without rules: everyone who has not opted out."""
    match: Literal["all", "any"]
    """Whether a contact must fit all rules or any."""
    rules: Sequence[Dict[str, Any]]
    """Each rule has `field`, `op` and `value`."""


class Segment(TypedDict):
    """A saved audience. Membership is evaluated again when a campaign starts."""
    id: str
    """The segment's id."""
    name: str
    """The team's name for it."""
    definition: SegmentDefinition
    """Who is in it. Without rules: everyone who has not opted out."""
    cachedCount: Optional[int]
    """How many were in it when it was last counted. For display only."""
    cachedAt: Optional[str]
    """When it was last counted."""
    createdAt: str
    """When it was made."""


class NewMessage(TypedDict):
    """A reply inside a conversation."""
    conversationId: str
    """The conversation to answer in. An unknown one gives 400 `CONVERSATION_NOT_FOUND`."""
    text: str
    """What the customer reads."""


class MessageAccepted(TypedDict):
    """The reply is stored and goes out."""
    id: str
    """The message's id."""
    status: str
    """`sent`, or `failed` when the reply window is closed (code 131047). Later changes come as `message.status` events."""


class _NewOtp(TypedDict):
    mobile: str
    """The phone number, with its country code."""
    message: str
    """The text with the passcode. It is stored nowhere."""


class NewOtp(_NewOtp, total=False):
    """A passcode to send."""
    lang: Literal["E", "A"]
    """The script of the text: E for Latin, A for Arabic. Default "E"."""


class _SmsResult(TypedDict):
    requestId: str
    """The record in the log of passcodes."""
    sent: bool
    """Whether the gateway took the message. Check this."""
    provider: str
    """The SMS provider that was used."""


class SmsResult(_SmsResult, total=False):
    """How the send went."""
    error: str
    """The gateway's own words. Only when `sent` is false."""
    errorCode: str
    """Only when `sent` is false. Trying again does not help: `UNREACHABLE_NUMBER`, `INVALID_NUMBER`, `BLOCKED_BY_RECIPIENT`. Trying later may help: `GATEWAY_UNAVAILABLE`, `GATEWAY_TIMEOUT`, `GATEWAY_RATE_LIMITED`. The account's owner must act: `GATEWAY_CREDIT`, `GATEWAY_AUTH`. Anything else: `REJECTED`."""


class _Template(TypedDict):
    id: str
    """The template's id."""
    channelId: str
    """The WhatsApp channel that it belongs to."""
    metaId: str
    """Its id at the platform."""
    name: str
    """Its name at the platform."""
    language: str
    """A language code, like `en` or `ar`."""
    status: str
    """As the platform has it. Only approved ones are listed unless all are asked for."""
    components: Sequence[Dict[str, Any]]
    """The platform's own, stored verbatim."""
    bodyVariableCount: int
    """Distinct {{n}} in the body: exactly how many parameters a send must supply."""
    headerFormat: Optional[str]
    """TEXT, IMAGE, VIDEO, DOCUMENT or LOCATION. Null without a header."""
    lastSyncedAt: str
    """When it was last read from the platform."""


class Template(_Template, total=False):
    """A WhatsApp template that Meta approved."""
    category: str
    """Like MARKETING or UTILITY."""


class _Broadcast(TypedDict):
    id: str
    """The campaign's id."""
    name: str
    """The team's name for it."""
    channelType: Literal["WHATSAPP", "TELEGRAM"]
    """The kind of channel. An SMS campaign says WHATSAPP: both address the phone number."""
    kind: Literal["WHATSAPP_TEMPLATE", "TEXT", "SMS"]
    """What it sends."""
    status: Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]
    """The state of the campaign."""
    templateId: Optional[str]
    """The template that it sends. Null for TEXT and SMS."""
    body: Optional[str]
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value."""
    scheduledAt: Optional[str]
    """When the campaign starts automatically."""
    rateLimitPerMinute: int
    """Messages a minute. Halved when the provider answers 429, never below 10."""
    totalCount: int
    """Everybody in the audience, with those who are skipped."""
    sentCount: int
    """Messages that the platform took."""
    deliveredCount: int
    """Messages that arrived."""
    readCount: int
    """Messages that were read."""
    failedCount: int
    """Messages that failed."""
    skippedCount: int
    """Contacts who opted out or have no address."""
    createdAt: str
    """When it was made."""


class Broadcast(_Broadcast, total=False):
    """A campaign: one message to many contacts."""
    channelId: str
    """The channel it goes out on. Absent for an SMS campaign."""


class _BroadcastDetails(TypedDict):
    id: str
    """The campaign's id."""
    name: str
    """The team's name for it."""
    channelType: Literal["WHATSAPP", "TELEGRAM"]
    """The kind of channel. An SMS campaign says WHATSAPP: both address the phone number."""
    kind: Literal["WHATSAPP_TEMPLATE", "TEXT", "SMS"]
    """What it sends."""
    status: Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]
    """The state of the campaign."""
    templateId: Optional[str]
    """The template that it sends. Null for TEXT and SMS."""
    body: Optional[str]
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value."""
    scheduledAt: Optional[str]
    """When the campaign starts automatically."""
    rateLimitPerMinute: int
    """Messages a minute. Halved when the provider answers 429, never below 10."""
    totalCount: int
    """Everybody in the audience, with those who are skipped."""
    sentCount: int
    """Messages that the platform took."""
    deliveredCount: int
    """Messages that arrived."""
    readCount: int
    """Messages that were read."""
    failedCount: int
    """Messages that failed."""
    skippedCount: int
    """Contacts who opted out or have no address."""
    createdAt: str
    """When it was made."""


class BroadcastDetails(_BroadcastDetails, total=False):
    """A campaign; with `include=draft` also everything that it is made of."""
    channelId: str
    """The channel it goes out on. Absent for an SMS campaign."""
    reason: BroadcastReason
    draft: BroadcastRecord


class BroadcastReason(TypedDict):
    """Why Parley paused a campaign, failed it, or made a scheduled one a draft again. Absent where Parley did not, as when a member paused it."""
    code: str
    """`MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `INSUFFICIENT_CREDITS`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SEGMENT_GONE`, `SMS_PROVIDER_NOT_VERIFIED`, `CHANNEL_ERROR`, `CHANNEL_DISCONNECTED`, `HEADER_MEDIA_GONE`, `MEDIA_GONE`, `FAILURE_RATE`, `SCHEDULE_MISSED`, `RESTORED`, or the code with which the platform refused."""
    message: str
    """What it means and what to do, for a person."""


class ChannelUsage(TypedDict):
    """The messages of one channel."""
    channelId: Optional[str]
    """The channel; null for SMS."""
    channelType: Optional[str]
    """Its kind; null for SMS."""
    displayName: Optional[str]
    """Its name."""
    sent: int
    """Outbound messages."""
    received: int
    """Inbound messages."""
    failed: int
    """Outbound messages that were rejected. Each of them nevertheless spent its slot."""
    aiReplies: int
    """Replies written by AI."""


class UsageSummaryLimits(TypedDict):
    """What the plan allows. Null: unlimited."""
    messages: Optional[int]
    """Messages a month."""
    seats: Optional[int]
    """Members and open invitations."""
    bots: Optional[int]
    """Bots."""
    channels: Optional[int]
    """Connected channels."""
    aiReplies: Optional[int]
    """Replies written by AI a month."""


class UsageSummaryUsage(TypedDict):
    """What is used, under the same names as in `limits`."""
    messages: int
    """Outbound messages this month, the failed ones too."""
    seats: int
    """Members and open invitations now."""
    bots: int
    """Bots now."""
    channels: int
    """Connected channels now."""
    aiReplies: int
    """Replies written by AI this month."""
    failed: int
    """Outbound messages that were rejected this month."""
    byChannel: Sequence[ChannelUsage]
    """The messages by channel."""


class UsageSummaryPeriod(TypedDict):
    """The messages of the month in detail."""
    total: int
    """Sent and received together."""
    sent: int
    """Outbound messages."""
    received: int
    """Inbound messages."""
    failed: int
    """Outbound messages that were rejected."""
    aiReplies: int
    """Replies written by AI."""
    byChannel: Sequence[ChannelUsage]
    """The messages by channel."""


class UsageSummary(TypedDict):
    """The calendar month in UTC."""
    plan: Literal["free", "starter", "growth", "business"]
    """The workspace's plan."""
    limits: UsageSummaryLimits
    """What the plan allows. Null: unlimited."""
    usage: UsageSummaryUsage
    """What is used, under the same names as in `limits`."""
    period: UsageSummaryPeriod
    """The messages of the month in detail."""
    periodStart: str
    """The first moment of the month."""
    periodEnd: str
    """The first moment of the next month."""
    percentUsed: Optional[int]
    """How much of the messages is used, in whole percent. Null when the plan has no limit."""


class ErrorBodyDetailsItem(TypedDict):
    path: str
    """The member or parameter, like `tags.0`."""
    message: str
    """What it must be."""


class _ErrorBody(TypedDict):
    statusCode: int
    """The HTTP status."""
    error: str
    """Short HTTP reason text."""
    message: str
    """A stable code, not a sentence: switch on this."""


class ErrorBody(_ErrorBody, total=False):
    """What every error answers."""
    details: Sequence[ErrorBodyDetailsItem]
    """With VALIDATION_FAILED: every fault of the request. With NOT_ALLOWED_IN_STATE and BROADCAST_NOT_STARTABLE: the present state and those that allow the call. With BODY_TOO_LARGE: how many bytes it may have. With RATE_LIMITED of a limit beside the key's own: `policy` and its name."""
    requestId: str
    """With INTERNAL: the id of the request in the log."""


class PlanLimitErrorBodyDetailsItem(TypedDict):
    path: str
    """The member or parameter, like `tags.0`."""
    message: str
    """What it must be."""


class _PlanLimitErrorBody(TypedDict):
    statusCode: int
    """The HTTP status."""
    error: str
    """Short HTTP reason text."""
    message: str
    """A stable code, not a sentence: switch on this."""
    code: Literal["MESSAGE_LIMIT_REACHED", "SEAT_LIMIT_REACHED", "BOT_LIMIT_REACHED", "CHANNEL_LIMIT_REACHED", "AI_REPLY_LIMIT_REACHED", "SUBSCRIPTION_SUSPENDED", "INSUFFICIENT_CREDITS", "OTP_RATE_LIMITED"]
    """The same as `message`."""


class PlanLimitErrorBody(_PlanLimitErrorBody, total=False):
    """The body of Error, with the limit and the usage."""
    details: Sequence[PlanLimitErrorBodyDetailsItem]
    """With VALIDATION_FAILED: every fault of the request. With NOT_ALLOWED_IN_STATE and BROADCAST_NOT_STARTABLE: the present state and those that allow the call. With BODY_TOO_LARGE: how many bytes it may have. With RATE_LIMITED of a limit beside the key's own: `policy` and its name."""
    requestId: str
    """With INTERNAL: the id of the request in the log."""
    limit: int
    """The plan limit."""
    usage: int
    """The use at this moment."""


class _Message(TypedDict):
    id: str
    """The message's id."""
    conversationId: Optional[str]
    """Its conversation. Null for an SMS."""
    contactId: Optional[str]
    """The customer."""
    direction: Literal["inbound", "outbound"]
    """Whether the customer wrote it, or the workspace."""
    type: str
    """`text`, or the kind of its main content: `image`, `audio`, `video`, `document`, `sticker`, `location`, `contacts`, `button`, `interactive`, `order`, `reaction`, `referral`, `template`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`; `unsupported` when the platform does not tell; `deleted` once its sender withdrew it. There may be others."""
    text: Optional[str]
    """What can be shown as text: the words, a file's caption, the label of a button, the emoji of a reaction."""
    attachments: Sequence[Attachment]
    """Files, and everything else that is not text. A message can have several."""
    status: Literal["received", "sent", "delivered", "read", "failed"]
    """`received` for what a customer wrote. Outbound: `sent` once it is accepted, then `delivered` and `read`, or `failed`."""
    errorCode: Optional[str]
    """Why it failed: the platform's code, or one of ours."""
    errorMessage: Optional[str]
    """The reason in words."""
    source: Literal["api", "dashboard", "broadcast", "bot", "channel"]
    """Where it was written."""
    providerMessageId: Optional[str]
    """Its id at the platform. Null until the platform has taken it."""
    createdAt: str
    """When it was stored."""
    sentAt: Optional[str]
    """When the platform took it."""
    deliveredAt: Optional[str]
    """When it arrived."""
    readAt: Optional[str]
    """When it was read."""


class Message(_Message, total=False):
    """One message of a conversation, or one SMS."""
    replyTo: str
    """The message that it quotes. Absent when it quotes none, or one that is not known here; the attachment `quote` then has the platform's id."""


class AttachmentButtonsItem(TypedDict, total=False):
    text: str
    """The button's label."""


class AttachmentPhonesItem(TypedDict, total=False):
    phone: str
    """As the platform wrote it."""


class _Attachment(TypedDict):
    type: str
    """A file: `image`, `audio`, `video`, `document`, `sticker`. What was said: `location`, `contact`, `button`, `button_reply`, `list_reply`, `nfm_reply`, `call_permission_reply`, `order`, `reaction`, `choices` (offered by us), `link`, `share`, `share_post`, `reel`, `story_mention`, `like_heart`, `template`, `unsupported`. What belongs to it: `quote`, `forwarded`, `product`, `referral`, `story_reply`, `album`, `start`. What happened to it: `edited`, `deleted`."""


class Attachment(_Attachment, total=False):
    """`type` says which members there can be. A member that the platform did not tell is absent or null."""
    mediaId: str
    """The id of a file that is kept here."""
    url: Optional[str]
    """The address of a file that is kept here; whoever has it can read the file. Otherwise the address that was linked to."""
    status: str
    """The state of a file: `pending` while it is fetched (its `url` answers 503 `MEDIA_PENDING`), then `stored`, or `failed` with `reason` (its `url` answers 404)."""
    reason: Optional[str]
    """Why a file failed or is not there."""
    detail: Optional[str]
    """The reason in words."""
    mimeType: Optional[str]
    """Of a `stored` file: what its bytes are. Before that: what the sender called them."""
    fileName: Optional[str]
    """The name that the sender gave the file."""
    size: Optional[int]
    """Bytes."""
    caption: Optional[str]
    """The text that goes with a file. It is the message's `text` too."""
    voice: bool
    """True for a recorded voice message, not for a chosen sound file."""
    animated: bool
    """True for a sticker or video that moves."""
    messageId: Optional[str]
    """Of `quote` and `reaction`: the `providerMessageId` of the message that it refers to."""
    replyTo: str
    """Of `quote`: the id of the message here, when it is known. It is the message's `replyTo` too."""
    emoji: Optional[str]
    """Of `reaction`. Absent when the reaction was taken back."""
    text: Optional[str]
    """Of `button`: its label."""
    payload: Optional[str]
    """Of `button` and `start`: the text that you gave the platform to hand back."""
    id: Optional[str]
    """The platform's id. Of a reply that was chosen from a list or from buttons: the id that you gave."""
    title: Optional[str]
    """The title of what was chosen, linked to or played, or of a card."""
    subtitle: Optional[str]
    """The subtitle of a card (`template`)."""
    price: Optional[str]
    """The price on a card, in words and with the currency, when the platform gives it separately."""
    imageUrl: Optional[str]
    """The address of a card's picture, at the platform."""
    retailerId: Optional[str]
    """Of a card: your own id of the product."""
    buttons: Sequence[AttachmentButtonsItem]
    """The buttons of a card or of `choices`, each with its label and its `url` or `payload`."""
    description: Optional[str]
    """The description of what was chosen."""
    response: Optional[str]
    """Of `nfm_reply`: the form's answers, as JSON. Of `call_permission_reply`: `accept` or `reject`."""
    permanent: bool
    """Of `call_permission_reply`: the permission holds until it is taken back."""
    until: str
    """Of `call_permission_reply`: when the permission ends."""
    latitude: float
    """The latitude of a place, from -90 to 90."""
    longitude: float
    """The longitude of a place, from -180 to 180."""
    live: bool
    """True while the place keeps moving."""
    name: Optional[str]
    """The name of a place, a contact or a form."""
    address: Optional[str]
    """The address of a place."""
    phones: Sequence[AttachmentPhonesItem]
    """Of a contact that was passed on."""
    emails: Sequence[str]
    """Of a contact that was passed on."""
    originalType: Optional[str]
    """Of `unsupported`: the platform's name for it."""
    code: Optional[str]
    """Of `unsupported`: the platform's error, when it gave one."""
    at: str
    """Of `edited` and `deleted`: when it happened."""


class ConversationHandler(TypedDict):
    """Who answers the conversation."""
    kind: Literal["nobody", "bot", "person"]
    """Who answers."""
    botId: Optional[str]
    """The bot that answers, or that answered last."""


class Conversation(TypedDict):
    """A contact's thread on a channel."""
    id: str
    """The conversation's id."""
    contactId: str
    """The customer."""
    channelId: str
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """The kind of channel."""
    status: Literal["open", "snoozed", "resolved"]
    """A customer's message opens a resolved conversation again."""
    assigneeId: Optional[str]
    """The member it is assigned to."""
    labels: Sequence[str]
    """The team's labels."""
    unreadCount: int
    """The customer's messages that are unread."""
    windowExpiresAt: Optional[str]
    """Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null when the channel has no such window, or when it never opened."""
    lastMessageAt: Optional[str]
    """When the last message was received or sent."""
    createdAt: str
    """When it began."""
    handler: ConversationHandler
    """Who answers the conversation."""
    snoozedUntil: Optional[str]
    """With the status `snoozed`: when that ends. Null when it has no end."""


class ContactChange(TypedDict, total=False):
    """An absent member stays as it is, and null clears it. `tags` and `attributes` replace; the members with `add`, `set` and `remove` change one by one. The rules are those of NewContact."""
    name: Optional[str]
    """The whole name."""
    email: Optional[str]
    """An e-mail address, in letters of any script."""
    phone: Optional[str]
    """With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed."""
    notes: Optional[str]
    """What the team notes about the contact."""
    tags: Optional[Sequence[str]]
    """Stored in lower case without repeats. At most 16 KiB in all."""
    attributes: Optional[Dict[str, Any]]
    """A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels."""
    addTags: Sequence[str]
    """Tags that the contact has afterwards, beside its others."""
    removeTags: Sequence[str]
    """Tags that the contact does not have afterwards."""
    setAttributes: Dict[str, Any]
    """Attributes to set; all others stay."""
    removeAttributes: Sequence[str]
    """Names of attributes to remove."""
    optedOut: bool
    """True: no campaign is sent to this contact, nor to anybody with the same number, until they opt in again. The change is kept with its time and the key that asked for it, and sent as the event `contact.opted_out` or `contact.opted_in`. False does not undo the customer's own STOP: the contact stays opted out, the answer says `Parley-Held: optedOut`, and the ledger of consent keeps the try."""


class ConversationPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[ListedConversation]
    """In the order that was asked for, the newest created first without one."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on, in the same order. Null at the end."""


class MessagePage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Message]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class Recipient(TypedDict):
    """One contact of a campaign and how far its message is."""
    contactId: str
    """The contact."""
    name: Optional[str]
    """The contact's name."""
    address: Optional[str]
    """Digits, or the customer's id on the channel; null when there is none."""
    status: Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]
    """How far the message is."""
    reason: Optional[str]
    """Why the contact was skipped, or the code of what failed."""
    detail: Optional[str]
    """The reason in the platform's words."""
    messageId: Optional[str]
    """The message; null until there is one."""
    sentAt: Optional[str]
    """When the platform took it."""
    deliveredAt: Optional[str]
    """When it arrived."""
    readAt: Optional[str]
    """When it was read."""


class RecipientPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Recipient]
    """In the order of their contacts."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class EventPage(TypedDict):
    """A piece of the feed."""
    items: Sequence[WebhookEvent]
    """In the order of their sequence."""
    nextAfter: int
    """Give it as `after` to read on, now or later. With `types` it may be higher than the last item's sequence."""
    hasMore: bool
    """Whether there is more to read now."""
    oldestSequence: Optional[int]
    """The oldest event that is kept. Events are kept for 30 days."""
    gap: bool
    """True when events after `after` are no longer kept, or when `after` was never given out. The page then does not continue from there."""


class LabelPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Label]
    """By name."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class Label(TypedDict):
    """A label of conversations that has a color."""
    name: str
    """Lower case."""
    color: str
    """#rrggbb."""


class _PutLabel(TypedDict):
    color: str
    """#rrggbb, in lower case."""


class PutLabel(_PutLabel, total=False):
    """Create a label, or change its color or its name."""
    newName: str
    """1 to 80 characters; stored in lower case."""


_PlayInboundOdd = TypedDict("_PlayInboundOdd", {"from": "str"}, total=False)


class PlayInbound(_PlayInboundOdd, total=False):
    """Write as a customer of a test workspace."""
    channel: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "SMS", "WEB"]
    """The kind of channel, where the workspace has one of it. Without it and `channelId`: its only channel."""
    channelId: str
    """The channel, where there are several of a kind."""
    name: str
    """The customer's name on the platform."""
    text: str
    """What the customer writes."""
    mediaId: str
    """A file that the customer sends: an upload of yours (`POST /v1/media`)."""
    replyTo: str
    """The message that the customer quotes."""
    press: TestPress


class TestPress(TypedDict):
    """A button that the customer presses. Goes without text and file."""
    messageId: str
    """The message with the button."""
    button: str
    """What the button says."""


_TestInboundOdd = TypedDict("_TestInboundOdd", {"from": "str"})


class TestInbound(_TestInboundOdd):
    """What a customer of the sandbox did."""
    state: Literal["stored", "sent"]
    """`stored`: the message is in the conversation. `sent`: it left the customer and was not stored within ten seconds, or the channel stores none (SMS)."""
    channelId: str
    """The channel on which the customer wrote."""
    messageId: Optional[str]
    """The message. Null until it is stored."""
    conversationId: Optional[str]
    """Its conversation. Null until it is stored."""
    contactId: Optional[str]
    """The customer. Null until it is stored."""


class _SendTemplateMessage(TypedDict):
    template: TemplateChoice


class SendTemplateMessage(_SendTemplateMessage, total=False):
    """Send a template to somebody who need not have written yet."""
    to: str
    """The number, with its country code: 7 to 15 digits, and not a local number, which begins with 0. Without it `contactId` or `ref`: one of the three."""
    contactId: str
    """A contact with a number."""
    ref: Mapping[str, str]
    """A contact with a number, by what another system calls it."""
    channelId: str
    """The WhatsApp channel, when the template is on more than one."""
    body: Sequence[str]
    """One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns."""
    header: TemplateHeader
    buttons: Sequence[TemplateButtonValue]
    """One for each button that needs a value."""
    contact: ContactOfNumber


class TemplateChoice(TypedDict, total=False):
    """A template, by `id` or by `name` and `language`."""
    id: str
    """The template's id. Without it, `name` and `language`."""
    name: str
    """Its name at the platform."""
    language: str
    """Its language code, as the platform has it: `en` and `en_US` are two. `GET /v1/templates` shows which there are."""


class TemplateHeader(TypedDict, total=False):
    """For a header with a variable or a file: `text` or `mediaId`."""
    text: str
    """The text of the header's variable."""
    mediaId: str
    """An upload (`POST /v1/media`) for a header of image, video or document."""


class TemplateButtonValue(TypedDict):
    """The end of an address, the code to copy or the payload of one button."""
    index: int
    """The place of the button in the template, from 0."""
    text: str
    """Its value."""


class ContactOfNumber(TypedDict, total=False):
    """For a contact that has to be created. One that exists stays as it is."""
    name: str
    """The whole name."""
    email: str
    """An e-mail address, in letters of any script."""
    notes: str
    """What the team notes about the contact."""
    tags: Sequence[str]
    """Stored in lower case without repeats. At most 16 KiB in all."""
    attributes: Dict[str, Any]
    """A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels."""


class _TemplateMessageAccepted(TypedDict):
    id: str
    """The message's id."""
    status: str
    """`sent`, or `failed` when the channel cannot send. Later changes come as `message.status` events."""
    conversationId: str
    """Its conversation."""
    contactId: str
    """Who gets it."""
    contactCreated: bool
    """Whether the contact was made by this call."""


class TemplateMessageAccepted(_TemplateMessageAccepted, total=False):
    """The template message is stored and goes out."""
    errorCode: str
    """Of one that failed at once: why."""


class SendTemplateBatch(TypedDict):
    """Send many template messages, each as by the single call."""
    messages: Sequence[TemplateMessage]
    """The messages."""


class _TemplateMessage(TypedDict):
    template: TemplateChoice


class TemplateMessage(_TemplateMessage, total=False):
    """One message of a batch."""
    to: str
    """The number, with its country code: 7 to 15 digits, and not a local number, which begins with 0. Without it `contactId` or `ref`: one of the three."""
    contactId: str
    """A contact with a number."""
    ref: Mapping[str, str]
    """A contact with a number, by what another system calls it."""
    channelId: str
    """The WhatsApp channel, when the template is on more than one."""
    body: Sequence[str]
    """One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns."""
    header: TemplateHeader
    buttons: Sequence[TemplateButtonValue]
    """One for each button that needs a value."""
    contact: ContactOfNumber


class TemplateMessageResults(TypedDict):
    """The outcome of each message of a batch."""
    results: Sequence[TemplateMessageResult]
    """One for each message, in their order."""


class TemplateMessageStored(TypedDict):
    """One message of a batch that was accepted."""
    outcome: Literal["accepted"]
    """The message goes out."""
    message: TemplateMessageAccepted


class TemplateMessageRefused(TypedDict):
    """One message of a batch that was refused."""
    outcome: Literal["refused"]
    """Nothing is sent."""
    error: TemplateMessageFault


class TemplateMessageFaultDetailsItem(TypedDict):
    path: str
    """The member of the message."""
    message: str
    """What it must be."""


class TemplateMessageFault(TypedDict):
    """Why one message was refused."""
    message: str
    """The code of the error, as the single call has it."""
    details: Sequence[TemplateMessageFaultDetailsItem]
    """The faults, where the error has them."""


class ListedConversationHandler(TypedDict):
    """Who answers the conversation."""
    kind: Literal["nobody", "bot", "person"]
    """Who answers."""
    botId: Optional[str]
    """The bot that answers, or that answered last."""


class _ListedConversation(TypedDict):
    id: str
    """The conversation's id."""
    contactId: str
    """The customer."""
    channelId: str
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """The kind of channel."""
    status: Literal["open", "snoozed", "resolved"]
    """A customer's message opens a resolved conversation again."""
    assigneeId: Optional[str]
    """The member it is assigned to."""
    labels: Sequence[str]
    """The team's labels."""
    unreadCount: int
    """The customer's messages that are unread."""
    windowExpiresAt: Optional[str]
    """Until when a free reply may go out (WhatsApp: 24 hours after the customer wrote). Null when the channel has no such window, or when it never opened."""
    lastMessageAt: Optional[str]
    """When the last message was received or sent."""
    createdAt: str
    """When it began."""
    handler: ListedConversationHandler
    """Who answers the conversation."""
    snoozedUntil: Optional[str]
    """With the status `snoozed`: when that ends. Null when it has no end."""


class ListedConversation(_ListedConversation, total=False):
    """A conversation with what was asked for beside it."""
    changedAt: str
    """When it last changed in the inbox. Only in the orders `recent` and `changes`."""
    contact: Optional[Contact]
    """With `include=contact`; null once it is deleted."""
    lastMessage: Optional[Message]
    """With `include=lastMessage`; null when it has none."""
    assignee: Optional[Member]
    """With `include=assignee`; null: not assigned."""


class ChangeConversation(TypedDict, total=False):
    """Change a conversation: status, assignee, labels, read."""
    status: Literal["open", "snoozed", "resolved"]
    """`snoozed` needs `snoozedUntil`."""
    snoozedUntil: str
    """The end of the snooze, with the status `snoozed`."""
    assigneeId: Optional[str]
    """The member it is assigned to; null: no one."""
    addLabels: Sequence[str]
    """Added to its labels."""
    removeLabels: Sequence[str]
    """Removed from its labels."""
    read: bool
    """True: its unread count becomes 0, also for the customer's ticks."""
    note: str
    """A note for the members, by the key."""


class _ChangeManyConversations(TypedDict):
    ids: Sequence[str]
    """The conversations."""


class ChangeManyConversations(_ChangeManyConversations, total=False):
    """Change up to 200 conversations in the same way."""
    status: Literal["open", "snoozed", "resolved"]
    """`snoozed` needs `snoozedUntil`."""
    snoozedUntil: str
    """The end of the snooze, with the status `snoozed`."""
    assigneeId: Optional[str]
    """The member it is assigned to; null: no one."""
    addLabels: Sequence[str]
    """Added to its labels."""
    removeLabels: Sequence[str]
    """Removed from its labels."""
    read: bool
    """True: its unread count becomes 0, also for the customer's ticks."""


class ConversationsChanged(TypedDict):
    """The change is made."""
    changed: int
    """How many of the conversations there were."""


class SendInConversation(TypedDict, total=False):
    """Send a message in a conversation: text, files, buttons, a quote, a template."""
    text: str
    """What the customer reads."""
    attachments: Sequence[str]
    """Uploads (`POST /v1/media`); each goes with one message."""
    choices: Sequence[NewChoice]
    """Answers that are offered with the text: buttons where the channel has them, else numbered lines."""
    replyTo: str
    """The message of this conversation that it quotes, on channels that have quotes."""
    template: TemplateChoice
    body: Sequence[str]
    """One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns."""
    header: TemplateHeader
    buttons: Sequence[TemplateButtonValue]
    """One for each button that needs a value."""
    afterwards: Afterwards
    answers: bool
    """False: an automatic word after which the customer goes on waiting. Default true."""


class NewChoice(TypedDict):
    """One answer to press."""
    text: str
    """What the button says."""
    payload: str
    """What a press gives back: at most 64 bytes."""


class _Afterwards(TypedDict):
    status: Literal["resolved", "snoozed"]
    """`snoozed` needs `snoozedUntil`."""


class Afterwards(_Afterwards, total=False):
    """What happens to the conversation in the same step."""
    snoozedUntil: str
    """The end of the snooze."""


class NotePage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Note]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class _WriteNote(TypedDict):
    text: str
    """What the note says."""


class WriteNote(_WriteNote, total=False):
    """Write a note into a conversation."""
    mentions: Sequence[str]
    """Members who are notified. Ids that no member has are left out."""


class Note(TypedDict):
    """A note in a conversation: members and programs read it, customers never."""
    id: str
    """The note's id."""
    conversationId: str
    """Its conversation."""
    authorId: Optional[str]
    """The member who wrote it. Null: a program or the command line did."""
    authorName: Optional[str]
    """The name of the key that wrote it. Null: a member, or the command line."""
    text: str
    """What it says. Empty once it is deleted."""
    mentions: Sequence[str]
    """Ids of the members it names."""
    createdAt: str
    """When it was written."""
    editedAt: Optional[str]
    """When its text last changed. Null: never."""
    deleted: bool
    """A deleted note keeps its place and loses its text."""


class _ChangeNote(TypedDict):
    text: str
    """What the note says."""


class ChangeNote(_ChangeNote, total=False):
    """Change the text of a note."""
    mentions: Sequence[str]
    """Members who are notified. Ids that no member has are left out."""


class _StoreMedia(TypedDict):
    url: str
    """Where the file is."""


class StoreMedia(_StoreMedia, total=False):
    """Store a file, from an address or as bytes, for a message to carry."""
    fileName: str
    """Its name for the customer. Without it, the last part of the address."""


class MediaFile(TypedDict):
    """A file: of a message, or an upload that no message carries yet."""
    id: str
    """The file's id, for `attachments` and headers of templates."""
    kind: Literal["image", "audio", "video", "document", "sticker"]
    """What the file is."""
    status: Literal["pending", "stored", "failed"]
    """`pending` while the file is fetched from the platform; `failed` when it never arrived."""
    url: Optional[str]
    """Where its bytes are: whoever has the address can read them. Null unless it is stored."""
    mimeType: Optional[str]
    """What its bytes are, whatever the sender called them."""
    fileName: Optional[str]
    """As it was named."""
    size: Optional[int]
    """Bytes."""
    createdAt: str
    """When it was stored."""


class SuggestReply(TypedDict, total=False):
    """Suggest a reply, which a member sends, changes or discards."""
    text: str
    """What the customer would read."""
    template: TemplateChoice
    body: Sequence[str]
    """One text for each variable of the body, in their order. They are sent as they are: placeholders, as `{{first_name}}`, are of campaigns."""
    header: TemplateHeader
    buttons: Sequence[TemplateButtonValue]
    """One for each button that needs a value."""
    reason: str
    """Why, for the member."""
    sources: Sequence[SuggestionSource]
    """What the text rests on."""


class _SuggestionSource(TypedDict):
    title: str
    """What it is called."""


class SuggestionSource(_SuggestionSource, total=False):
    """What a suggested text rests on."""
    url: str
    """Where a member can read it."""


class SuggestionSourcesItem(TypedDict):
    title: str
    """What it is called."""
    url: Optional[str]
    """Where a member can read it."""


class Suggestion(TypedDict):
    """A reply that a program proposes. Customers see it only after a member sends it."""
    id: str
    """The suggestion's id."""
    conversationId: str
    """Its conversation: who would get it."""
    state: Literal["open", "used", "edited", "discarded"]
    """`open`: no member has decided. `used`: sent as it is. `edited`: sent with another text. `discarded`: not sent."""
    text: str
    """What the customer would read; of a template its filled text."""
    templateId: Optional[str]
    """The template that would be sent. Null: plain text."""
    reason: Optional[str]
    """Why it is suggested, for the member."""
    sources: Sequence[SuggestionSourcesItem]
    """What the text rests on."""
    authorName: Optional[str]
    """The name of the key that wrote it. Null: the command line."""
    createdAt: str
    """When it was written."""
    settledAt: Optional[str]
    """When it was used or discarded. Null: it is open."""
    messageId: Optional[str]
    """The message that it became. Null: none."""


class SavedReplyPage(TypedDict):
    """The shared saved replies."""
    items: Sequence[SavedReply]
    """By shortcut."""
    nextCursor: Optional[str]
    """Null: there is one page."""


class SavedReply(TypedDict):
    """A text that all members of the workspace share."""
    id: str
    """The saved reply's id."""
    shortcut: str
    """What members type after `/`."""
    title: str
    """What the list shows."""
    text: str
    """What is inserted. `{{contact.name}}` and `{{agent.name}}` are filled."""


class PutSavedReply(TypedDict):
    """Create a saved reply that the team shares, or change the one with this shortcut."""
    title: str
    """What the list shows."""
    text: str
    """What is inserted. `{{contact.name}}`, `{{contact.firstName}}` and `{{agent.name}}` are filled when a member inserts it; anything else in braces stays for the member to fill."""


class MemberPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Member]
    """In the order of joining."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class Member(TypedDict):
    """A person of the workspace."""
    id: str
    """The member's id, as conversations name it in `assigneeId`."""
    name: str
    """The person's name."""
    email: str
    """The address with which the person signs in."""
    role: Literal["owner", "admin", "agent"]
    """What the person may do."""
    availability: Literal["online", "away"]
    """The person's own setting."""
    disabled: bool
    """True: locked out. Nothing can be assigned to this member."""
    createdAt: str
    """When the person joined."""


class KeyHolder(TypedDict):
    """The key of the request and its workspace."""
    workspaceId: str
    """The workspace that the key acts for."""
    workspaceName: str
    """Its name."""
    workspaceKind: Literal["live", "test"]
    """`test`: it has channels of the sandbox only, and its keys begin with `pk_test_`."""
    workspaceTimeZone: str
    """Its time zone by its IANA name, as `Asia/Kuwait`: that of campaigns without one of their own, of reports and of business hours."""
    keyId: str
    """The key's id."""
    keyName: str
    """What the key is called. Its notes carry this name."""
    scopes: Sequence[Literal["contacts:read", "contacts:write", "messages:write", "messages:read", "otp:send", "templates:read", "broadcasts:read", "broadcasts:write", "usage:read", "conversations:write", "templates:send", "team:read", "contacts:consent", "contacts:erase", "segments:write", "messages:draft", "broadcasts:draft", "webhooks:read", "webhooks:write", "contacts:export", "audit:read", "channels:read", "channels:write", "templates:write", "bots:read", "bots:write", "otp:verify", "retention:write"]]
    """What the key may do. Empty: everything."""
    sends: Literal["ask", "approve", "free"]
    """Who decides on what an assistant sends with the key: `ask`, the person at the assistant; `approve`, a member; `free`, the assistant. Calls of `/v1` do not depend on it."""
    expiresAt: Optional[str]
    """When it stops working. Null: never."""


class _UpsertContact(TypedDict):
    match: Sequence[str]
    """By which of the given values the contact is found: `id`, `phone`, `email`, `refs.crm`. All that are named must be given. A phone is compared in every spelling of its country, an e-mail address in any case."""


class UpsertContact(_UpsertContact, total=False):
    """Create a contact, or change the one that it matches."""
    id: str
    """The contact's id, for `match`; a merged one means the one that it became. It finds a contact and never creates one."""
    name: str
    """The whole name."""
    email: str
    """An e-mail address, in letters of any script."""
    phone: str
    """With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed."""
    notes: str
    """What the team notes about the contact."""
    tags: Sequence[str]
    """Stored in lower case without repeats. At most 16 KiB in all."""
    attributes: Dict[str, Any]
    """A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels."""
    refs: Mapping[str, Optional[str]]
    """What other systems call the contact: `{"crm": "42"}`. A value leads to one contact of the workspace. Systems that are left out stay, and null removes one. At most 10 systems a contact."""
    addTags: Sequence[str]
    """Tags that the contact has afterwards, beside its others."""
    removeTags: Sequence[str]
    """Tags that the contact does not have afterwards."""
    setAttributes: Dict[str, Any]
    """Attributes to set; all others stay."""
    removeAttributes: Sequence[str]
    """Names of attributes to remove."""


class UpsertedContact(TypedDict):
    """What an upsert did, and the contact as it is now."""
    outcome: Literal["created", "updated", "unchanged"]
    """`unchanged`: the contact was so already; nothing was written and no event is emitted."""
    contact: ContactRecord


class ContactRecord(TypedDict):
    """A contact with what other systems call it."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The whole name. Campaigns read it as {{name}} and {{first_name}}."""
    email: Optional[str]
    """The e-mail address."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    notes: Optional[str]
    """What the team notes about the contact."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The channel on which the contact first wrote; null when it never did."""
    externalId: Optional[str]
    """The contact's id on that channel: phone number, Messenger PSID, or a stable web visitor id."""
    tags: Sequence[str]
    """Always lower-case, so that `VIP` and `vip` are never two tags."""
    attributes: Dict[str, Any]
    """Free-form values by name. A campaign body reads them as {{attribute.NAME}}."""
    optedOut: bool
    """Whether the contact takes no campaigns."""
    optedOutAt: Optional[str]
    """Since when the contact takes no campaigns."""
    lastSeenAt: Optional[str]
    """When the contact last wrote or was seen."""
    createdAt: str
    """When the contact was made."""
    refs: Mapping[str, str]
    """What other systems call the contact, by the name of the system."""
    updatedAt: str
    """When a field, a ref or the consent last changed."""


class BatchContacts(TypedDict):
    """Create or change many contacts, each as by an upsert."""
    contacts: Sequence[ContactUpsert]
    """The upserts."""


class _ContactUpsert(TypedDict):
    match: Sequence[str]
    """By which of the given values the contact is found: `id`, `phone`, `email`, `refs.crm`. All that are named must be given. A phone is compared in every spelling of its country, an e-mail address in any case."""


class ContactUpsert(_ContactUpsert, total=False):
    """A contact to create, or to change where it exists. A member that is left out, and an empty text, changes nothing. `tags` and `attributes` replace; the members with `add`, `set` and `remove` change one by one."""
    id: str
    """The contact's id, for `match`; a merged one means the one that it became. It finds a contact and never creates one."""
    name: str
    """The whole name."""
    email: str
    """An e-mail address, in letters of any script."""
    phone: str
    """With its country code: E.164 without the plus sign. A leading `+` or `00`, spaces, dots, hyphens and brackets are removed."""
    notes: str
    """What the team notes about the contact."""
    tags: Sequence[str]
    """Stored in lower case without repeats. At most 16 KiB in all."""
    attributes: Dict[str, Any]
    """A campaign body reads these as {{attribute.NAME}}. At most 16 KiB and 31 levels."""
    refs: Mapping[str, Optional[str]]
    """What other systems call the contact: `{"crm": "42"}`. A value leads to one contact of the workspace. Systems that are left out stay, and null removes one. At most 10 systems a contact."""
    addTags: Sequence[str]
    """Tags that the contact has afterwards, beside its others."""
    removeTags: Sequence[str]
    """Tags that the contact does not have afterwards."""
    setAttributes: Dict[str, Any]
    """Attributes to set; all others stay."""
    removeAttributes: Sequence[str]
    """Names of attributes to remove."""


class UpsertResults(TypedDict):
    """What the upserts of a batch did."""
    results: Sequence[UpsertResult]
    """One for each upsert, in their order."""


class UpsertDone(TypedDict):
    """One upsert of a batch that was carried out."""
    outcome: Literal["created", "updated", "unchanged"]
    """`unchanged`: the contact was so already; nothing was written and no event is emitted."""
    contactId: str
    """The contact."""


class UpsertRefused(TypedDict):
    """One upsert of a batch that was refused."""
    outcome: Literal["refused"]
    """Nothing was written."""
    contactId: None
    """No contact is given."""
    error: UpsertFault


class UpsertFaultDetailsItem(TypedDict):
    path: str
    """The member."""
    message: str
    """What is wrong with it."""


class UpsertFault(TypedDict):
    """Why one upsert of a batch was refused."""
    message: str
    """The code of the error, as for a single upsert."""
    details: Sequence[UpsertFaultDetailsItem]
    """Each fault, or each contact that a key met."""


class SearchContacts(TypedDict, total=False):
    """Contacts by the grammar of segments, the one that changed longest ago first."""
    definition: ContactDefinition
    sort: Literal["newest", "updatedAt"]
    """`updatedAt`: the one that changed longest ago first, as without it. `newest`: the newest first."""
    cursor: str
    """`nextCursor` of the page before, in the same order."""
    limit: int
    """How many items at most; above 200 acts as 200. Default 50."""


class ContactDefinition(TypedDict):
    """Which contacts are meant, by the grammar of segments."""
    match: Literal["all", "any"]
    """Whether a contact must fit all rules or any."""
    rules: Sequence[Dict[str, Any]]
    """Each rule has `field`, `op` and `value`, or is a group with `match` and `rules`. Without rules: everyone who has not opted out."""


class ContactRecordPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[ContactRecord]
    """The one that changed longest ago first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class CountContacts(TypedDict, total=False):
    """How many contacts fit a definition."""
    definition: ContactDefinition


class ContactCount(TypedDict):
    """How many contacts fit a definition."""
    count: int
    """How many contacts fit."""
    exact: bool
    """False: it took too long, and there are at least so many."""


class ContactConsentEntriesItem(TypedDict):
    at: str
    """When."""
    optedOut: bool
    """What was asked for."""
    source: str
    """What asked for it: stop_word, platform, dashboard, api, import, cli, bulk, number, merge."""
    detail: Optional[str]
    """The word, the platform's code, a member's id or the public half of a key."""
    held: bool
    """An opt-in that changed nothing: the customer's own STOP is in force."""
    evidence: Optional[str]
    """How it is known that the customer asked for an opt-in."""
    givenSource: Optional[str]
    """Where the customer said so: `source` of the call that changed it."""


class ContactConsent(TypedDict):
    """Whether a contact may be written to, and why."""
    contactId: str
    """The contact."""
    optedOut: bool
    """Whether the contact takes no campaigns."""
    optedOutAt: Optional[str]
    """Since when."""
    entries: Sequence[ContactConsentEntriesItem]
    """The ledger, newest first: 100 entries at most."""


class _PutContactConsent(TypedDict):
    optedOut: bool
    """Whether the contact takes no campaigns."""


class PutContactConsent(_PutContactConsent, total=False):
    """Opt a contact out, or in with evidence."""
    source: str
    """Where the customer said so: a form, a call, a shop."""
    evidence: str
    """How you know that the customer asked for an opt-in."""
    at: str
    """When the customer asked for it, in UTC; now when it is left out. An opt-in from before their opt-out is held."""


class MergeContact(TypedDict):
    """Merge another contact into this one."""
    mergedId: str
    """The contact that is merged into it."""


class _Erasure(TypedDict):
    id: str
    """The erasure."""
    contactId: str
    """The contact that was erased."""
    state: Literal["running", "done"]
    """Whether everything is removed."""
    step: str
    """What is being removed."""
    waitsFor: Optional[str]
    """What it waits for, such as a call to a platform that is open."""
    counts: Mapping[str, int]
    """How many rows of each kind were removed."""
    segments: Sequence[str]
    """Saved segments that named the person: their texts stay."""
    campaigns: Sequence[str]
    """Campaigns that named the person: their texts stay."""
    createdAt: str
    """When it began."""
    finishedAt: Optional[str]
    """When it was over."""


class Erasure(_Erasure, total=False):
    """The erasure of a person, running or done."""
    alike: Sequence[str]
    """Only in the answer of the call that began it: other contacts with the person's number or e-mail address, which stay."""


class StartContactJobFilter(TypedDict, total=False):
    """Which contacts: `ids`, `segmentId` or `definition`."""
    ids: Sequence[str]
    """These contacts. A body of 256 KiB holds about 6,500 of them."""
    segmentId: str
    """Those of this segment."""
    definition: ContactDefinition


class StartContactJobChange1(TypedDict):
    action: Literal["tag"]
    """Adds tags."""
    tags: Sequence[str]
    """The tags."""


class StartContactJobChange2(TypedDict):
    action: Literal["untag"]
    """Removes tags."""
    tags: Sequence[str]
    """The tags."""


class StartContactJobChange3(TypedDict):
    action: Literal["set_attribute"]
    """Sets one attribute."""
    key: str
    """Its key."""
    value: Optional[Union[str, float, bool]]
    """Its value; null removes the attribute."""


class _StartContactJobChange4(TypedDict):
    action: Literal["opt_out"]
    """Opts out."""


class StartContactJobChange4(_StartContactJobChange4, total=False):
    reason: str
    """For the history of the consent."""


class _StartContactJobChange5(TypedDict):
    action: Literal["opt_in"]
    """Opts in. It needs a reason."""


class StartContactJobChange5(_StartContactJobChange5, total=False):
    reason: str
    """Why these people may be written to again."""


class StartContactJobChange6(TypedDict):
    action: Literal["delete"]
    """Deletes the contact."""


class StartContactJob(TypedDict):
    """Change many contacts in the background."""
    filter: StartContactJobFilter
    """Which contacts: `ids`, `segmentId` or `definition`."""
    change: Union[StartContactJobChange1, StartContactJobChange2, StartContactJobChange3, StartContactJobChange4, StartContactJobChange5, StartContactJobChange6]
    """What is done to each contact."""


class ContactJob(TypedDict):
    """A change to many contacts, which goes on in the background."""
    id: str
    """The change."""
    action: Literal["tag", "untag", "set_attribute", "opt_out", "opt_in", "delete"]
    """What it does."""
    details: Dict[str, Any]
    """The other members of the change."""
    state: Literal["running", "paused", "done", "cancelled", "failed"]
    """Where it is."""
    reason: Optional[str]
    """Why it failed, in words."""
    failure: Literal["rules", "other", None]
    """rules: its rules are no longer valid; other: read `reason`."""
    matched: int
    """Contacts it was for, so far."""
    changed: int
    """Contacts it changed; the others were so already, or refused it."""
    looked: Optional[int]
    """Of a change in progress: how many contacts it has processed."""
    total: Optional[int]
    """Of how many."""
    by: str
    """Who began it: `member:`, `key:` or `bot:` and a name of it, or `cli`."""
    createdAt: str
    """When it began."""
    finishedAt: Optional[str]
    """When it ended."""


class ContactJobPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[ContactJob]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class MoveContactJob(TypedDict):
    """Pause, resume or cancel a change to many contacts."""
    move: Literal["pause", "resume", "cancel"]
    """What to do."""


class ContactTimelineItemsItem(TypedDict):
    at: str
    """When."""
    kind: str
    """What happened: `created`, `message`, `opted_out`, `changed`, `campaign` …"""
    facts: Dict[str, Any]
    """What is known of it; its members depend on the kind."""


class ContactTimeline(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[ContactTimelineItemsItem]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class ContactIdentitiesIdentitiesItem(TypedDict):
    channelId: str
    """The channel."""
    externalId: str
    """How the channel knows the person."""
    isNumber: bool
    """It is a phone number."""
    since: str
    """Since when."""
    retiredAt: Optional[str]
    """The person has another one since then."""


class ContactIdentitiesMergedItem(TypedDict):
    id: str
    """The id it had. It still leads to the contact."""
    name: Optional[str]
    """As it was."""
    mergedAt: str
    """When."""


class ContactIdentitiesConversationsItem(TypedDict):
    id: str
    """The conversation."""
    channelId: str
    """Its channel."""
    channelType: str
    """The kind of channel."""
    status: Literal["open", "snoozed", "resolved"]
    """Its state."""
    lastMessageAt: Optional[str]
    """When its last message was made."""


class ContactIdentities(TypedDict):
    """Every name by which a person is known."""
    contactId: str
    """The contact, as it is known now."""
    identities: Sequence[ContactIdentitiesIdentitiesItem]
    """What channels call the person."""
    refs: Mapping[str, str]
    """What other systems call the contact, by the name of the system."""
    merged: Sequence[ContactIdentitiesMergedItem]
    """Contacts that were merged into this one."""
    alike: Sequence[Contact]
    """Other contacts with the same number or e-mail address, ten at most."""
    conversations: Sequence[ContactIdentitiesConversationsItem]
    """Oldest first."""


class MergePreview(TypedDict):
    """Two contacts, and what a merge would make of them."""
    kept: Contact
    merged: Contact
    result: Contact


class DuplicatePageItemsItem(TypedDict):
    address: str
    """What they share."""
    count: int
    """How many share it."""
    contacts: Sequence[Contact]
    """The first fifty, oldest first. The oldest is the one to keep."""


class DuplicatePage(TypedDict):
    """Contacts that share a number, an address or an id."""
    items: Sequence[DuplicatePageItemsItem]
    """In the order of what they share."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end. A page may be empty without being the last."""


class ContactAttributePage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[ContactAttribute]
    """By key."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class _PutContactAttribute(TypedDict):
    type: Literal["text", "number", "date", "boolean", "choice"]
    """What it holds."""


class PutContactAttribute(_PutContactAttribute, total=False):
    """Define what an attribute holds, or replace its definition."""
    label: str
    """What people call it; `key` when absent."""
    choices: Sequence[str]
    """For the type `choice` only, which needs them: all that it can be."""


class ContactAttribute(TypedDict):
    """What a custom attribute of contacts holds."""
    key: str
    """Its name in `attributes` of contacts."""
    label: str
    """What people call it."""
    type: Literal["text", "number", "date", "boolean", "choice"]
    """What it holds."""
    choices: Sequence[str]
    """Of a choice: all that it can be; else empty."""


class CreateSegment(TypedDict):
    """Save a segment."""
    name: str
    """The team's name for it. No other segment has it."""
    definition: ContactDefinition


class UpdateSegment(TypedDict, total=False):
    """Change the name or the rules of a segment."""
    name: str
    """The team's name for it. No other segment has it."""
    definition: ContactDefinition


class CountDefinition(TypedDict):
    """How many contacts an unsaved definition names."""
    definition: ContactDefinition


class SegmentCount(TypedDict):
    """How many contacts a definition names."""
    count: int
    """How many fit."""
    exact: bool
    """False: it took too long, there are at least so many."""


class SampleDefinition(TypedDict):
    """Ten contacts that an unsaved definition names."""
    definition: ContactDefinition


class SegmentSampleContactsItem(TypedDict):
    id: str
    """The contact."""
    name: Optional[str]
    """Its name."""
    phone: Optional[str]
    """Its number."""
    email: Optional[str]
    """Its address."""
    tags: Sequence[str]
    """Its tags."""


class SegmentSample(TypedDict):
    """Some of the contacts that a definition names."""
    contacts: Sequence[SegmentSampleContactsItem]
    """The newest ten that were found in time."""
    whole: bool
    """False: there may be more; looking took too long."""
    total: Optional[int]
    """How many fit, when these are all; null: they are to be counted."""


class CreateBroadcastHeader(TypedDict, total=False):
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    text: str
    """The text of the header's variable."""
    mediaId: str
    """An upload (`POST /v1/media`) for a header of image, video or document."""


class _CreateBroadcast(TypedDict):
    name: str
    """The team's name for it."""
    kind: Literal["WHATSAPP_TEMPLATE", "TEXT", "SMS"]
    """What it sends."""


class CreateBroadcast(_CreateBroadcast, total=False):
    """Create a campaign as a draft."""
    segmentId: str
    """Its audience (`GET /v1/segments`). Without one: all contacts who have not opted out."""
    quietHours: QuietHours
    channelId: str
    """The channel it goes out on. Left out for SMS."""
    body: str
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`)."""
    templateId: str
    """The template of WHATSAPP_TEMPLATE."""
    variables: Mapping[str, str]
    """The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused."""
    header: CreateBroadcastHeader
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    buttons: Mapping[str, str]
    """The values for the template's buttons, by their place from 0."""
    timeZone: str
    """For its times, and for recipients without a zone of their own. The workspace's when absent."""
    localTime: bool
    """The time at which it is scheduled counts on each recipient's own clock."""
    rateLimitPerMinute: int
    """Messages a minute. What its channel usually may send when absent."""
    replyDays: int
    """For so many days after its send a message counts as a reply. 3 when absent."""
    variants: Sequence[BroadcastVariant]
    """A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1."""
    holdoutShare: float
    """A/B: the share that gets nothing, for comparison."""


_QuietHoursOdd = TypedDict("_QuietHoursOdd", {"from": "int"})


class QuietHours(_QuietHoursOdd):
    """Between these minutes of the recipient's day nothing is sent. They may span midnight."""
    until: int
    """The minute of the day at which sending goes on: 480 is 08:00."""


class BroadcastVariantHeader(TypedDict, total=False):
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    text: str
    """The text of the header's variable."""
    mediaId: str
    """An upload (`POST /v1/media`) for a header of image, video or document."""


class _BroadcastVariant(TypedDict):
    name: str
    """What reports call it."""
    share: float
    """Its share of the audience."""


class BroadcastVariant(_BroadcastVariant, total=False):
    """One text of an A/B campaign."""
    body: str
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`)."""
    templateId: str
    """The template of WHATSAPP_TEMPLATE."""
    variables: Mapping[str, str]
    """The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused."""
    header: BroadcastVariantHeader
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    buttons: Mapping[str, str]
    """The values for the template's buttons, by their place from 0."""


class BroadcastRecordHeader(TypedDict):
    """What the template's header shows. Null when it has no variable and no file."""
    text: Optional[str]
    """The text of the header's variable."""
    mediaId: Optional[str]
    """The file of the header."""


class BroadcastRecordVariantsItemHeader(TypedDict):
    """What the template's header shows. Null when it has no variable and no file."""
    text: Optional[str]
    """The text of the header's variable."""
    mediaId: Optional[str]
    """The file of the header."""


class BroadcastRecordVariantsItem(TypedDict):
    name: str
    """What reports call it."""
    share: float
    """Its share of the audience."""
    body: Optional[str]
    """TEXT and SMS."""
    templateId: Optional[str]
    """WHATSAPP_TEMPLATE."""
    variables: Mapping[str, str]
    """The texts for the template's body, by the number of its variables."""
    header: Optional[BroadcastRecordVariantsItemHeader]
    """What the template's header shows. Null when it has no variable and no file."""
    buttons: Mapping[str, str]
    """The values for the template's buttons, by their place from 0."""


_BroadcastRecordQuietHoursOdd = TypedDict("_BroadcastRecordQuietHoursOdd", {"from": "int"})


class BroadcastRecordQuietHours(_BroadcastRecordQuietHoursOdd):
    """When nothing is sent, by each recipient's clock."""
    until: int
    """The minute of the day at which sending goes on."""


class _BroadcastRecord(TypedDict):
    id: str
    """The campaign's id."""
    name: str
    """The team's name for it."""
    channelType: Literal["WHATSAPP", "TELEGRAM"]
    """The kind of channel. An SMS campaign says WHATSAPP: both address the phone number."""
    kind: Literal["WHATSAPP_TEMPLATE", "TEXT", "SMS"]
    """What it sends."""
    status: Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]
    """The state of the campaign."""
    templateId: Optional[str]
    """The template that it sends. Null for TEXT and SMS."""
    body: Optional[str]
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}; an unknown one renders empty. {{first_name|friend}} shows the text after the bar when the contact has no such value."""
    scheduledAt: Optional[str]
    """When the campaign starts automatically."""
    rateLimitPerMinute: int
    """Messages a minute. Halved when the provider answers 429, never below 10."""
    totalCount: int
    """Everybody in the audience, with those who are skipped."""
    sentCount: int
    """Messages that the platform took."""
    deliveredCount: int
    """Messages that arrived."""
    readCount: int
    """Messages that were read."""
    failedCount: int
    """Messages that failed."""
    skippedCount: int
    """Contacts who opted out or have no address."""
    createdAt: str
    """When it was made."""
    variables: Mapping[str, str]
    """The texts for the template's body, by the number of its variables."""
    header: Optional[BroadcastRecordHeader]
    """What the template's header shows. Null when it has no variable and no file."""
    buttons: Mapping[str, str]
    """The values for the template's buttons, by their place from 0."""
    variants: Sequence[BroadcastRecordVariantsItem]
    """A/B: its texts. The campaign's own are then those of the first. Else an empty list."""
    holdoutShare: float
    """A/B: the share that gets nothing."""
    segmentId: Optional[str]
    """Its audience. Null: all contacts who have not opted out."""
    timeZone: str
    """For its times, and for recipients without a zone of their own."""
    localTime: bool
    """The time at which it is scheduled counts on each recipient's own clock."""
    quietHours: Optional[BroadcastRecordQuietHours]
    """When nothing is sent, by each recipient's clock."""
    replyDays: int
    """For so many days after its send a message counts as a reply."""
    statusReason: Optional[str]
    """Why the campaign was paused or failed automatically."""
    parentId: Optional[str]
    """The campaign that it is a test or a resend of."""
    isTest: bool
    """A test goes to chosen contacts only."""
    startedAt: Optional[str]
    """When it began to send."""
    completedAt: Optional[str]
    """When it ended."""


class BroadcastRecord(_BroadcastRecord, total=False):
    """A campaign with everything that it is made of."""
    channelId: str
    """The channel it goes out on. Absent for an SMS campaign."""


_UpdateBroadcastQuietHoursOdd = TypedDict("_UpdateBroadcastQuietHoursOdd", {"from": "int"})


class UpdateBroadcastQuietHours(_UpdateBroadcastQuietHoursOdd):
    """Between these minutes of the recipient's day nothing is sent. Null: at every hour."""
    until: int
    """The minute of the day at which sending goes on: 480 is 08:00."""


class UpdateBroadcastHeader(TypedDict, total=False):
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    text: str
    """The text of the header's variable."""
    mediaId: str
    """An upload (`POST /v1/media`) for a header of image, video or document."""


class UpdateBroadcast(TypedDict, total=False):
    """Change a draft."""
    name: str
    """The team's name for it."""
    segmentId: Optional[str]
    """Its audience. Null: all contacts who have not opted out."""
    quietHours: Optional[UpdateBroadcastQuietHours]
    """Between these minutes of the recipient's day nothing is sent. Null: at every hour."""
    channelId: str
    """The channel it goes out on. Left out for SMS."""
    body: str
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`)."""
    templateId: str
    """The template of WHATSAPP_TEMPLATE."""
    variables: Mapping[str, str]
    """The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused."""
    header: UpdateBroadcastHeader
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    buttons: Mapping[str, str]
    """The values for the template's buttons, by their place from 0."""
    timeZone: str
    """For its times, and for recipients without a zone of their own. The workspace's when absent."""
    localTime: bool
    """The time at which it is scheduled counts on each recipient's own clock."""
    rateLimitPerMinute: int
    """Messages a minute. What its channel usually may send when absent."""
    replyDays: int
    """For so many days after its send a message counts as a reply. 3 when absent."""
    variants: Sequence[BroadcastVariant]
    """A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1."""
    holdoutShare: float
    """A/B: the share that gets nothing, for comparison."""


class _EstimateDraft(TypedDict):
    draft: BroadcastDraft


class EstimateDraft(_EstimateDraft, total=False):
    """What a start of a draft would do now, stored or not."""
    id: str
    """The stored draft that it would replace, whose audience may be that of a resend."""


class BroadcastDraftHeader(TypedDict, total=False):
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    text: str
    """The text of the header's variable."""
    mediaId: str
    """An upload (`POST /v1/media`) for a header of image, video or document."""


class _BroadcastDraft(TypedDict):
    name: str
    """The team's name for it."""
    kind: Literal["WHATSAPP_TEMPLATE", "TEXT", "SMS"]
    """What it sends."""


class BroadcastDraft(_BroadcastDraft, total=False):
    """A campaign as it is written, before it is sent."""
    segmentId: str
    """Its audience (`GET /v1/segments`). Without one: all contacts who have not opted out."""
    quietHours: QuietHours
    channelId: str
    """The channel it goes out on. Left out for SMS."""
    body: str
    """The text of TEXT and SMS. Placeholders: {{name}}, {{first_name}}, {{phone}}, {{email}}, {{attribute.NAME}}, each with a text after a bar for those without the value. An unknown name renders empty, and `{{` without `}}` is text: the estimate names both (`unknownPlaceholders`)."""
    templateId: str
    """The template of WHATSAPP_TEMPLATE."""
    variables: Mapping[str, str]
    """The texts for the template's body, by the number or the name of its variables. They may hold the placeholders of `body`; any other name, and `{{` without `}}`, is refused."""
    header: BroadcastDraftHeader
    """For a template's header with a variable or a file: `text` or `mediaId`."""
    buttons: Mapping[str, str]
    """The values for the template's buttons, by their place from 0."""
    timeZone: str
    """For its times, and for recipients without a zone of their own. The workspace's when absent."""
    localTime: bool
    """The time at which it is scheduled counts on each recipient's own clock."""
    rateLimitPerMinute: int
    """Messages a minute. What its channel usually may send when absent."""
    replyDays: int
    """For so many days after its send a message counts as a reply. 3 when absent."""
    variants: Sequence[BroadcastVariant]
    """A/B: two texts or more in place of the campaign's own. Shares and `holdoutShare` add up to 1."""
    holdoutShare: float
    """A/B: the share that gets nothing, for comparison."""


class BroadcastEstimateEstimateCredits(TypedDict):
    """Of an SMS campaign."""
    needed: int
    """SMS parts of all texts."""
    left: Optional[int]
    """Null: not counted."""


class BroadcastEstimateEstimatePace(TypedDict):
    """Set when its pace passes what its number may send."""
    limit: Literal["set", "usual", "refused"]
    """Whose limit its pace passes."""
    most: int
    """Messages a minute that the number may send."""


class BroadcastEstimateEstimate(TypedDict):
    """Null when counting the audience takes longer than 20 s."""
    cannotRun: Optional[str]
    """Why it could not run now, or null. It begins with a code: `SEGMENT_GONE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SMS_PROVIDER_NOT_VERIFIED`, or one of the channel."""
    recipients: int
    """Who would get it. A campaign with 0 starts, and is completed at once."""
    unknownPlaceholders: Sequence[str]
    """Places in the body that are filled with nothing of a contact: `{{frist_name}}` renders empty, `{{first_name` is sent as it is."""
    skipped: Mapping[str, int]
    """Who would not, by reason."""
    slotsLeft: Optional[int]
    """Messages of this month that are left. Null: unlimited."""
    credits: Optional[BroadcastEstimateEstimateCredits]
    """Of an SMS campaign."""
    covered: bool
    """Slots and credits cover everybody."""
    seconds: int
    """How long it would take, at its pace or at what earlier campaigns reached here. Quiet hours and local times are not counted in."""
    pace: Optional[BroadcastEstimateEstimatePace]
    """Set when its pace passes what its number may send."""


class BroadcastEstimate(TypedDict):
    """What a start would do now."""
    estimate: Optional[BroadcastEstimateEstimate]
    """Null when counting the audience takes longer than 20 s."""


class _PreviewDraft(TypedDict):
    draft: BroadcastDraft


class PreviewDraft(_PreviewDraft, total=False):
    """The messages that real contacts would get from a draft, stored or not."""
    id: str
    """The stored draft that it would replace, whose audience may be that of a resend."""
    count: int
    """How many contacts. Default 5."""


class BroadcastPreviewContactsItemButtonsItem(TypedDict):
    index: int
    """The place of the button, from 0."""
    text: str
    """Its value."""


class BroadcastPreviewContactsItem(TypedDict):
    contactId: str
    """The contact."""
    name: Optional[str]
    """Its name."""
    address: Optional[str]
    """Where it is reached."""
    text: Optional[str]
    """The words; null when it is skipped."""
    headerText: Optional[str]
    """The header's words, where they have a place."""
    buttons: Sequence[BroadcastPreviewContactsItemButtonsItem]
    """The values of its buttons."""
    skipped: Optional[str]
    """Why it would be skipped."""


class BroadcastPreview(TypedDict):
    """The messages that real contacts would get now."""
    cannotRun: Optional[str]
    """Why it could not run now, or null. It begins with a code: `SEGMENT_GONE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SMS_PROVIDER_NOT_VERIFIED`, or one of the channel."""
    contacts: Sequence[BroadcastPreviewContactsItem]
    """The first contacts of the audience."""


class DuplicateBroadcast(TypedDict, total=False):
    """Copy a campaign as a new draft."""
    name: str
    """The name of the new campaign."""
    channelId: str
    """Another channel than the campaign's."""


class ResendFailed(TypedDict, total=False):
    """Create a draft for the recipients that failed."""
    name: str
    """The name of the new campaign."""
    all: bool
    """Also those whose number accepts no message."""
    unknown: bool
    """Of a cancelled campaign: also those who may have it already. Some may get it twice."""


class ScheduleBroadcast(TypedDict):
    """Start a draft at a time."""
    scheduledAt: str
    """When it starts."""


class PaceBroadcast(TypedDict):
    """Set a campaign's pace."""
    rateLimitPerMinute: int
    """Messages a minute."""


class TestBroadcast(TypedDict, total=False):
    """Send a campaign's message to chosen contacts now."""
    contactIds: Sequence[str]
    """The contacts."""
    phone: str
    """A number with its country code."""


class SearchBroadcasts(TypedDict, total=False):
    """Campaigns by state, kind, channel, segment, name and time, newest first."""
    status: Sequence[Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]]
    """Only campaigns in one of these states."""
    kind: Literal["WHATSAPP_TEMPLATE", "TEXT", "SMS"]
    """Only campaigns of this kind."""
    channelId: str
    """Only campaigns on this channel."""
    segmentId: str
    """Only campaigns to this segment."""
    parentId: str
    """Only tests and resends of this campaign."""
    name: str
    """Only campaigns with this text in their name, whatever its case."""
    createdAfter: str
    """Only campaigns that were made after this."""
    createdBefore: str
    """Only campaigns that were made before this."""
    cursor: str
    """`nextCursor` of the page before: the id of its last campaign."""
    limit: int
    """How many items at most; above 200 acts as 200. Default 50."""


class BroadcastPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Broadcast]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class _BroadcastReport(TypedDict):
    broadcast: Broadcast
    statusReason: Optional[str]
    """The reason as it is stored: the code, then details after a colon."""
    startedAt: Optional[str]
    """When it started."""
    completedAt: Optional[str]
    """When its last recipient was settled."""
    pendingCount: int
    """Recipients that wait."""
    sendingCount: int
    """Recipients that are being sent to, by a worker or the provider."""
    skipped: Mapping[str, int]
    """Contacts skipped, by reason."""
    failed: Mapping[str, int]
    """Recipients failed, by the platform's code."""
    unknownCount: int
    """Recipients whose message may or may not have arrived."""
    funnel: Funnel


class BroadcastReport(_BroadcastReport, total=False):
    """How far every recipient of a campaign is, all at one instant."""
    reason: BroadcastReason


class Funnel(TypedDict):
    """How far the recipients are. Each step includes the recipients that went further. At every instant `total` = pending + sending + sent + failed + skipped."""
    total: int
    """Everybody in the audience."""
    skipped: int
    """Opted out, without an address, or left out for another reason."""
    pending: int
    """Waiting to be sent."""
    sending: int
    """Being sent by a worker or the provider."""
    failed: int
    """Failed."""
    sent: int
    """The platform took the message."""
    delivered: int
    """The message arrived."""
    read: int
    """The message was read."""
    replied: int
    """The customer answered."""
    optedOut: int
    """The customer opted out because of the message."""


class BroadcastTimelineEntriesItem(TypedDict):
    at: str
    """When."""
    kind: str
    """A move of the campaign, `halved`, `paced` or `waited`."""
    to: Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED", None]
    """Where it moved."""
    cause: Optional[str]
    """Why."""
    actor: Optional[str]
    """`member:ID`, `key:ID`, `cli`; null: the engine."""
    rateFrom: Optional[int]
    """The pace before."""
    rateTo: Optional[int]
    """The pace after."""
    until: Optional[str]
    """Until when nothing is sent."""


class BroadcastTimelineChartItem(TypedDict):
    at: str
    """From when."""
    sent: int
    """Became sent."""
    delivered: int
    """Became delivered."""
    read: int
    """Became read."""
    failed: int
    """Became failed."""


class BroadcastTimeline(TypedDict):
    """What happened to a campaign, and its counts by time."""
    timeZone: str
    """The workspace's, whose hours and days the counts are of."""
    entries: Sequence[BroadcastTimelineEntriesItem]
    """What happened to it, oldest first; the latest 2,000."""
    chart: Sequence[BroadcastTimelineChartItem]
    """Recipients by time, oldest first; empty steps are left out."""


class BroadcastComparisonVariantsItemRatesDelivered(TypedDict):
    """Whose message arrived."""
    count: int
    """So many."""
    of: int
    """Of so many."""
    rate: float
    """Their share of those sent."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""


class BroadcastComparisonVariantsItemRatesRead(TypedDict):
    """Who read it."""
    count: int
    """So many."""
    of: int
    """Of so many."""
    rate: float
    """Their share of those sent."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""


class BroadcastComparisonVariantsItemRatesReplied(TypedDict):
    """Who answered."""
    count: int
    """So many."""
    of: int
    """Of so many."""
    rate: float
    """Their share of those sent."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""


class BroadcastComparisonVariantsItemRatesOptedOut(TypedDict):
    """Who opted out because of it."""
    count: int
    """So many."""
    of: int
    """Of so many."""
    rate: float
    """Their share of those sent."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""


class BroadcastComparisonVariantsItemRates(TypedDict):
    """The shares of those sent."""
    delivered: BroadcastComparisonVariantsItemRatesDelivered
    """Whose message arrived."""
    read: BroadcastComparisonVariantsItemRatesRead
    """Who read it."""
    replied: BroadcastComparisonVariantsItemRatesReplied
    """Who answered."""
    optedOut: BroadcastComparisonVariantsItemRatesOptedOut
    """Who opted out because of it."""


class BroadcastComparisonVariantsItem(TypedDict):
    name: str
    """The variant."""
    share: float
    """Its share of the audience."""
    total: int
    """Drawn for it."""
    sent: int
    """Sent."""
    rates: BroadcastComparisonVariantsItemRates
    """The shares of those sent."""


class BroadcastComparisonHoldout(TypedDict):
    """Those who got nothing, for comparison."""
    share: float
    """The share that got nothing."""
    count: int
    """Left out by lot."""


class BroadcastComparisonComparisonsItem(TypedDict):
    metric: Literal["delivered", "read", "replied", "optedOut"]
    """What is compared."""
    variant: str
    """This one."""
    against: str
    """The first one."""
    difference: float
    """Between the two rates."""
    low: float
    """The lower end of its interval."""
    high: float
    """The upper end of its interval."""
    clear: bool
    """Whether the difference is more than chance."""


class BroadcastComparison(TypedDict):
    """The variants of an A/B campaign side by side."""
    variants: Sequence[BroadcastComparisonVariantsItem]
    """In the order of the draft."""
    holdout: BroadcastComparisonHoldout
    """Those who got nothing, for comparison."""
    comparisons: Sequence[BroadcastComparisonComparisonsItem]
    """Each variant with the first."""


class BroadcastBreakdownValuesItem(TypedDict):
    value: Optional[str]
    """Null: those without one."""
    total: int
    """Recipients."""
    skipped: int
    """Skipped."""
    failed: int
    """Failed."""
    sent: int
    """Sent, delivered ones included."""
    delivered: int
    """Delivered, read ones included."""
    read: int
    """Read."""
    replied: int
    """Answered."""
    optedOut: int
    """Opted out because of it."""


class BroadcastBreakdownOther(TypedDict):
    """All further values together."""
    total: int
    """Recipients."""
    skipped: int
    """Skipped."""
    failed: int
    """Failed."""
    sent: int
    """Sent, delivered ones included."""
    delivered: int
    """Delivered, read ones included."""
    read: int
    """Read."""
    replied: int
    """Answered."""
    optedOut: int
    """Opted out because of it."""


class BroadcastBreakdown(TypedDict):
    """How far recipients are, by a present fact of theirs."""
    values: Sequence[BroadcastBreakdownValuesItem]
    """The 20 values that most of them have. By tag a recipient is under each of its tags."""
    other: Optional[BroadcastBreakdownOther]
    """All further values together."""


class BroadcastReplyPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[BroadcastReply]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class BroadcastReply(TypedDict):
    """The first message that a recipient wrote after the campaign's."""
    contactId: Optional[str]
    """Null: erased since."""
    name: Optional[str]
    """Its name, else its number with a plus."""
    repliedAt: str
    """When."""
    conversationId: Optional[str]
    """Where."""
    text: Optional[str]
    """What it wrote."""


class WebhookEndpointPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[WebhookEndpoint]
    """Oldest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class WebhookEndpoint(TypedDict):
    """An address that events are sent to."""
    id: str
    """The endpoint."""
    name: Optional[str]
    """The name by which a program finds it; one endpoint of a name."""
    url: str
    """Its address, with what could be a token in it shortened."""
    events: Sequence[str]
    """The kinds it gets; empty: all."""
    failures: int
    """Failed attempts in a row."""
    disabledAt: Optional[str]
    """Since when nothing is sent to it. Null: it is enabled."""
    disabledBy: Literal["hand", "failures", None]
    """What disabled it: a person or a program, or attempts that failed in a row."""
    secretTakesOverAt: Optional[str]
    """When the secret of the last rotation begins to sign."""
    createdAt: str
    """When it was added."""


class _PutWebhookEndpoint(TypedDict):
    url: str
    """https, on a public host: every address that the name leads to is checked."""


class PutWebhookEndpoint(_PutWebhookEndpoint, total=False):
    """Create the webhook endpoint of a name, or change it to this."""
    events: Sequence[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]]
    """The kinds that it gets. Empty: all kinds, new ones too."""


class WebhookEndpointPut(TypedDict):
    """The endpoint of that name."""
    id: str
    """The endpoint."""
    name: Optional[str]
    """The name by which a program finds it; one endpoint of a name."""
    url: str
    """Its address, with what could be a token in it shortened."""
    events: Sequence[str]
    """The kinds it gets; empty: all."""
    failures: int
    """Failed attempts in a row."""
    disabledAt: Optional[str]
    """Since when nothing is sent to it. Null: it is enabled."""
    disabledBy: Literal["hand", "failures", None]
    """What disabled it: a person or a program, or attempts that failed in a row."""
    secretTakesOverAt: Optional[str]
    """When the secret of the last rotation begins to sign."""
    createdAt: str
    """When it was added."""
    outcome: Literal["created", "updated", "unchanged"]
    """What the call did."""
    secret: Optional[str]
    """Signs the requests. Only the call that creates the endpoint shows it."""


class ChangeWebhookEndpoint(TypedDict, total=False):
    """Change a webhook endpoint: address, kinds, name, enabled."""
    url: str
    """https, on a public host: every address that the name leads to is checked."""
    events: Sequence[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]]
    """The kinds that it gets. Empty: all kinds, new ones too."""
    name: Optional[str]
    """Another name; null: none."""
    enabled: bool
    """False: nothing is sent, and events are held for 30 days."""


class WebhookDelivery(TypedDict):
    """One event for one endpoint."""
    sequence: int
    """The event's number."""
    eventId: str
    """The event: the `webhook-id` of the request."""
    type: str
    """The kind of event."""
    state: Literal["pending", "delivered", "exhausted", "held"]
    """`pending` while tries are left, `exhausted` after the last one, `held` while the endpoint is disabled."""
    attempts: int
    """How many were made."""
    nextAttemptAt: Optional[str]
    """The next attempt."""
    deliveredAt: Optional[str]
    """When it arrived."""
    createdAt: str
    """When the event happened."""
    log: Sequence[WebhookAttempt]
    """The attempts, the first one first."""


class WebhookAttempt(TypedDict):
    """One request."""
    number: int
    """Which attempt."""
    attemptedAt: str
    """When."""
    durationMs: int
    """How long it took, in milliseconds."""
    statusCode: Optional[int]
    """The receiver's status."""
    failure: Optional[str]
    """dns, connect, tls, timeout, reset, blocked or status; null: it arrived."""
    answer: Optional[str]
    """What the receiver answered, up to 4 KiB."""


class RotateWebhookSecret(TypedDict, total=False):
    """Give a webhook endpoint a new secret."""
    now: bool
    """True: it signs at once, for a secret that others have seen."""


class WebhookSecret(TypedDict):
    """The endpoint with its new secret."""
    id: str
    """The endpoint."""
    name: Optional[str]
    """The name by which a program finds it; one endpoint of a name."""
    url: str
    """Its address, with what could be a token in it shortened."""
    events: Sequence[str]
    """The kinds it gets; empty: all."""
    failures: int
    """Failed attempts in a row."""
    disabledAt: Optional[str]
    """Since when nothing is sent to it. Null: it is enabled."""
    disabledBy: Literal["hand", "failures", None]
    """What disabled it: a person or a program, or attempts that failed in a row."""
    secretTakesOverAt: Optional[str]
    """When the secret of the last rotation begins to sign."""
    createdAt: str
    """When it was added."""
    secret: str
    """The new secret. It is shown this once."""


class RedeliverEvents(TypedDict, total=False):
    """Send events to a webhook endpoint again."""
    eventId: str
    """The event: the `webhook-id` of its request."""
    since: str
    """The time from which on events are sent again."""
    delivered: bool
    """With `since`: also those that arrived."""


class Redelivered(TypedDict):
    """They are on their way."""
    redelivered: int
    """How many are in line to be sent again."""


class WebhookDeliveryPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null: a page that looked through many deliveries may have few items."""
    items: Sequence[WebhookDelivery]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class WebhookDeliveryDetails(TypedDict):
    """One delivery with its request."""
    sequence: int
    """The event's number."""
    eventId: str
    """The event: the `webhook-id` of the request."""
    type: str
    """The kind of event."""
    state: Literal["pending", "delivered", "exhausted", "held"]
    """`pending` while tries are left, `exhausted` after the last one, `held` while the endpoint is disabled."""
    attempts: int
    """How many were made."""
    nextAttemptAt: Optional[str]
    """The next attempt."""
    deliveredAt: Optional[str]
    """When it arrived."""
    createdAt: str
    """When the event happened."""
    log: Sequence[WebhookAttempt]
    """The attempts, the first one first."""
    url: str
    """Where the endpoint is now."""
    body: str
    """The bytes of the request, the same on each attempt."""


class ImportPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Import]
    """Newest first, of the newest hundred."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class Import(TypedDict):
    """An import of an uploaded file, or of the command line."""
    id: str
    """The import."""
    fileName: str
    """As it was named."""
    fileSize: int
    """Bytes."""
    state: Literal["uploaded", "waiting", "running", "done", "stopped", "failed", "cancelled", "broken_off"]
    """uploaded: not started; stopped: the file could not be read on; broken_off: of the command line, which goes on with it."""
    byMemberId: Optional[str]
    """The member who uploaded it; null: a key or the command line."""
    rows: int
    """Rows handled so far: the sum of the next four."""
    created: int
    """New contacts."""
    updated: int
    """Contacts that were changed."""
    unchanged: int
    """Rows that said nothing new."""
    refused: int
    """Rows that were not imported."""
    phonesCompleted: int
    """Local numbers that got their country code."""
    emailsLeftOut: int
    """Rows taken without their e-mail, which was none."""
    part: float
    """How much of the file is read."""
    rowsPerSecond: Optional[int]
    """Of a running one."""
    secondsLeft: Optional[int]
    """Of a running one, as it seems."""
    stoppedAt: Optional[int]
    """The line from which the file could not be read."""
    failure: Optional[ImportFault]
    """Why it failed."""
    hasRefusedRows: bool
    """They can be downloaded, for thirty days."""
    createdAt: str
    """When the file was uploaded."""
    startedAt: Optional[str]
    """When its first rows were imported."""
    finishedAt: Optional[str]
    """When it ended."""


class ImportFault(TypedDict):
    """Why it failed, or what of the mapping is refused."""
    message: str
    """In words."""
    code: str
    """`columns.` and a word of a closed list, `gave_up` (not read or stored, again and again), `gone` (the file) or `not_allowed` (whoever uploaded it); empty: read the words."""
    params: Mapping[str, Union[str, float]]
    """What the words name."""


class ImportReport(TypedDict):
    """An import, and why rows were refused."""
    id: str
    """The import."""
    fileName: str
    """As it was named."""
    fileSize: int
    """Bytes."""
    state: Literal["uploaded", "waiting", "running", "done", "stopped", "failed", "cancelled", "broken_off"]
    """uploaded: not started; stopped: the file could not be read on; broken_off: of the command line, which goes on with it."""
    byMemberId: Optional[str]
    """The member who uploaded it; null: a key or the command line."""
    rows: int
    """Rows handled so far: the sum of the next four."""
    created: int
    """New contacts."""
    updated: int
    """Contacts that were changed."""
    unchanged: int
    """Rows that said nothing new."""
    refused: int
    """Rows that were not imported."""
    phonesCompleted: int
    """Local numbers that got their country code."""
    emailsLeftOut: int
    """Rows taken without their e-mail, which was none."""
    part: float
    """How much of the file is read."""
    rowsPerSecond: Optional[int]
    """Of a running one."""
    secondsLeft: Optional[int]
    """Of a running one, as it seems."""
    stoppedAt: Optional[int]
    """The line from which the file could not be read."""
    failure: Optional[ImportFault]
    """Why it failed."""
    hasRefusedRows: bool
    """They can be downloaded, for thirty days."""
    createdAt: str
    """When the file was uploaded."""
    startedAt: Optional[str]
    """When its first rows were imported."""
    finishedAt: Optional[str]
    """When it ended."""
    refusals: Sequence[ImportRefusals]
    """Why rows were refused, the most first."""


class ImportRefusals(TypedDict):
    """Rows that were refused for one reason."""
    kind: Literal["phone_shortened", "phone_without_country", "several_phones", "phone_invalid", "email_invalid", "no_address", "no_match_address", "wrong_width", "broken_quote", "broken_line", "bad_number", "bad_date", "bad_choice", "bad_yes_no", "bad_text", "bad_attributes", "bad_tags", "bad_channel", "too_long", "bad_characters", "unreadable", "other"]
    """Why; `other`: read `reason`."""
    attribute: Optional[str]
    """The attribute that the value does not fit."""
    reason: str
    """In the words of the file of refused rows."""
    rows: int
    """How many."""
    lines: Sequence[int]
    """The first five."""


class LookAtImport(TypedDict, total=False):
    """Look at an uploaded file: its columns, and what an import would do."""
    map: Mapping[str, str]
    """For each column the field that it is: `name`, `email`, `phone` …, `attribute.KEY` or `ignore`. Without it: by the names of the columns; one that is not known fails the import with `columns.unknown`, so give what the look proposes."""
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1256", "iso-8859-6", "windows-1252"]
    """Instead of what the file looks like."""
    delimiter: Literal[",", ";", "\t", "|"]
    """Instead of what the header has most of."""
    match: Literal["any", "phone", "email", "externalId"]
    """By which address a row meets a contact."""
    allowOptIn: bool
    """Rows may opt contacts in that opted out, but for the customer's own STOP."""
    country: Optional[str]
    """Whose code local numbers get; null: they get none; absent: the workspace's."""


_ImportLookOdd = TypedDict("_ImportLookOdd", {"import": "Import"})


class ImportLook(_ImportLookOdd):
    """What a file is, and what importing it would do."""
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1256", "iso-8859-6", "windows-1252"]
    """As it is read."""
    country: Optional[str]
    """Whose code local numbers get."""
    columns: Sequence[ImportColumn]
    """In the order of the file."""
    headRows: int
    """Rows that `filled` was counted in."""
    fault: Optional[ImportFault]
    """What of the mapping is refused."""
    tried: Optional[ImportTrial]
    """What the first rows would become; null when the mapping is refused."""


class ImportColumn(TypedDict):
    """A column of the file."""
    name: str
    """As the file has it."""
    field: str
    """What it is taken for: a field, `attribute.<key>` or `ignore`."""
    by: Literal["name", "content", "nothing"]
    """What showed it."""
    valueType: Literal["text", "number", "date"]
    """The type that a new attribute of it is proposed."""
    samples: Sequence[str]
    """The first values."""
    filled: int
    """Rows of the head that have something there."""


class ImportTrial(TypedDict):
    """What the first rows would become. Nothing is stored."""
    rows: int
    """Rows that were read."""
    whole: bool
    """False: there are more."""
    refused: int
    """Rows that would be refused."""
    refusals: Sequence[ImportRefusals]
    """Why, the most first."""
    phonesCompleted: int
    """Local numbers that get their country code."""
    emailsLeftOut: int
    """Rows taken without their e-mail."""
    phonesWithoutCountry: int
    """Phones that lack it, where none is added."""
    repeated: int
    """Rows that name the same person as an earlier row."""
    first: Sequence[ImportTriedRow]
    """The first rows."""


class ImportTriedRow(TypedDict):
    """What one row would become."""
    line: int
    """In the file."""
    outcome: Literal["created", "updated", "unchanged", "refused"]
    """What it would become."""
    contactId: Optional[str]
    """The contact that it meets."""
    known: Optional[str]
    """How that contact is called now."""
    kind: Literal["phone_shortened", "phone_without_country", "several_phones", "phone_invalid", "email_invalid", "no_address", "no_match_address", "wrong_width", "broken_quote", "broken_line", "bad_number", "bad_date", "bad_choice", "bad_yes_no", "bad_text", "bad_attributes", "bad_tags", "bad_channel", "too_long", "bad_characters", "unreadable", "other", None]
    """Why it is refused."""
    reason: Optional[str]
    """The same in words."""
    attribute: Optional[str]
    """The attribute it is about."""
    name: Optional[str]
    """What the row says."""
    phone: Optional[str]
    """With its country code."""
    email: Optional[str]
    """What the row says."""
    tags: Sequence[str]
    """What the row says."""
    phoneCompleted: bool
    """The country code was added."""
    emailLeftOut: bool
    """Taken without its e-mail."""
    record: Sequence[str]
    """The cells of a refused row."""


class StartImport(TypedDict, total=False):
    """Start the import of an uploaded file."""
    map: Mapping[str, str]
    """For each column the field that it is: `name`, `email`, `phone` …, `attribute.KEY` or `ignore`. Without it: by the names of the columns; one that is not known fails the import with `columns.unknown`, so give what the look proposes."""
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-1256", "iso-8859-6", "windows-1252"]
    """Instead of what the file looks like."""
    delimiter: Literal[",", ";", "\t", "|"]
    """Instead of what the header has most of."""
    match: Literal["any", "phone", "email", "externalId"]
    """By which address a row meets a contact."""
    allowOptIn: bool
    """Rows may opt contacts in that opted out, but for the customer's own STOP."""
    country: Optional[str]
    """Whose code local numbers get; null: they get none; absent: the workspace's."""


class CreateExport(TypedDict, total=False):
    """Choose contacts to read as a file."""
    segmentId: str
    """A saved segment. It goes without `definition`."""
    definition: ContactDefinition
    fields: Sequence[Literal["id", "name", "email", "phone", "notes", "tags", "attributes", "channelType", "externalId", "optedOut", "optedOutAt", "lastSeenAt", "createdAt"]]
    """The members of a contact, in this order. Without it: all."""
    format: Literal["csv", "jsonl"]
    """`csv` when not given."""


class ContactExport(TypedDict):
    """A choice of contacts to read as a file."""
    id: str
    """The export."""
    state: Literal["ready"]
    """`ready`: `GET /v1/exports/{id}/content` gives the file, which is written while it is read."""
    format: Literal["csv", "jsonl"]
    """The form of the file."""
    fields: Sequence[str]
    """In their order."""
    segmentId: Optional[str]
    """The segment that it follows."""
    createdAt: str
    """When it was asked for."""
    expiresAt: str
    """Until when it can be read."""


class UsageHistory(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[UsageMonth]
    """Newest first; only months in which something was metered."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class UsageMonth(TypedDict):
    """What was used in one month."""
    month: str
    """2026-10: a calendar month in UTC."""
    messages: int
    """Slots of the allowance that were used: outbound messages, the failed too."""
    sent: int
    """Outbound messages."""
    received: int
    """Inbound messages."""
    failed: int
    """Outbound messages that were rejected."""
    aiReplies: int
    """Replies written by AI."""


class PlanLimits(TypedDict):
    """What the plan allows, and how much of it is used."""
    plan: Literal["free", "starter", "growth", "business"]
    """The plan."""
    suspended: bool
    """Nothing is sent."""
    items: Sequence[PlanLimit]
    """Each limit."""
    smsCredits: Optional[int]
    """What is left; null: not limited."""
    periodEnd: str
    """When the month of messages ends."""


class PlanLimit(TypedDict):
    """One limit."""
    name: str
    """messages, seats, bots, channels or aiReplies."""
    limit: Optional[int]
    """null: unlimited."""
    used: int
    """Now; of messages and AI replies in this UTC month."""
    own: bool
    """Set for this workspace in place of the plan's."""


class AuditPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[AuditEntry]
    """Newest first."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class AuditEntry(TypedDict):
    """One change, and who made it."""
    id: str
    """The entry."""
    actor: str
    """Who: `member:ID`, `key:ID`, `bot:ID`, `cli` (the command line) or `system`."""
    action: str
    """What was done, like `segment.created`. New ones come with new versions."""
    subject: str
    """The id of the record, or its name."""
    facts: Dict[str, Any]
    """Ids, names of fields and counts that belong to it."""
    at: str
    """When."""


class ChannelPage(TypedDict):
    """Read on with `cursor` until `nextCursor` is null."""
    items: Sequence[Channel]
    """Oldest first, disconnected ones too."""
    nextCursor: Optional[str]
    """Give it as `cursor` to read on. Null at the end."""


class Channel(TypedDict):
    """A connected account of a platform, without its secrets."""
    id: str
    """The channel."""
    type: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """Its kind."""
    name: str
    """Its name."""
    status: Literal["connected", "error", "disconnected"]
    """Its status."""
    account: str
    """The account's id at the platform; of web chat one that is made up."""
    sandbox: bool
    """Its platform is emulated."""
    settings: Mapping[str, str]
    """Values that are no secrets, by the names of the form."""
    apiUrl: Optional[str]
    """Null: the platform's public address."""
    hookUrl: Optional[str]
    """Where the platform calls in; null: it does not."""
    throttledUntil: Optional[str]
    """While in the future, the platform asked us to wait."""
    syncedAt: Optional[str]
    """When the platform was last asked about the account, with success."""
    lastWebhookAt: Optional[str]
    """When a call of its platform was last stored, to the minute."""
    tokenEndsAt: Optional[str]
    """When its access token ends; null: it does not, as far as is known."""
    problems: Sequence[ChannelProblem]
    """What is wrong; empty: nothing is known."""
    createdAt: str
    """When it was first connected."""


class ChannelProblem(TypedDict):
    """What is wrong with a channel."""
    kind: Literal["error", "not_set_up", "wrong_signature", "wrong_verify_token", "silent"]
    """What is wrong."""
    field: Optional[str]
    """The value to look at, by its name in the form."""
    reason: Optional[str]
    """The platform's own code and words."""
    calls: Optional[int]
    """How many calls with a wrong signature."""
    at: Optional[str]
    """Since when, or when last."""
    othersRight: bool
    """Calls with the right signature arrive too."""


class ChannelTypeList(TypedDict):
    """What a channel of each type needs."""
    items: Sequence[ChannelForm]
    """Every type."""


class ChannelFormFieldsItem(TypedDict):
    name: str
    """Its name."""
    secret: bool
    """Kept sealed and never shown again."""
    required: bool
    """Asked for at every connect."""
    pattern: Optional[str]
    """A regular expression that its values match."""
    changeable: bool
    """Can be replaced on a connected channel."""


class ChannelForm(TypedDict):
    """What a channel of a type needs."""
    type: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """The kind of channel."""
    defaultApiUrl: str
    """The platform's public address; empty: it has none."""
    fields: Sequence[ChannelFormFieldsItem]
    """The values that a connect takes, by their names."""


class _ConnectChannel(TypedDict):
    type: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """The platform."""
    name: str
    """What members call it."""
    fields: Mapping[str, str]
    """The account's values by the names that `GET /v1/channel-types` lists, secrets too. No answer shows a secret."""


class ConnectChannel(_ConnectChannel, total=False):
    """Connect an account."""
    apiUrl: str
    """In place of the platform's address: a proxy. It must be public."""


class ChannelConnected(TypedDict):
    """The channel."""
    id: str
    """The channel."""
    type: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """Its kind."""
    name: str
    """Its name."""
    status: Literal["connected", "error", "disconnected"]
    """Its status."""
    account: str
    """The account's id at the platform; of web chat one that is made up."""
    sandbox: bool
    """Its platform is emulated."""
    settings: Mapping[str, str]
    """Values that are no secrets, by the names of the form."""
    apiUrl: Optional[str]
    """Null: the platform's public address."""
    hookUrl: Optional[str]
    """Where the platform calls in; null: it does not."""
    throttledUntil: Optional[str]
    """While in the future, the platform asked us to wait."""
    syncedAt: Optional[str]
    """When the platform was last asked about the account, with success."""
    lastWebhookAt: Optional[str]
    """When a call of its platform was last stored, to the minute."""
    tokenEndsAt: Optional[str]
    """When its access token ends; null: it does not, as far as is known."""
    problems: Sequence[ChannelProblem]
    """What is wrong; empty: nothing is known."""
    createdAt: str
    """When it was first connected."""
    identitySecret: Optional[str]
    """Of web chat: signs the ids of a site's users. It is shown this once."""


class ChangeChannel(TypedDict, total=False):
    """Change a channel: its name, its values, its address."""
    name: str
    """What members call it."""
    fields: Mapping[str, str]
    """The account's values by the names that `GET /v1/channel-types` lists, secrets too. No answer shows a secret."""
    apiUrl: str
    """In place of the platform's address: a proxy. It must be public."""


class ChannelTestFault1(TypedDict):
    field: str
    """The value."""
    orField: Optional[str]
    """Another that may be the wrong one."""
    reason: str
    """The platform's code and words."""


class ChannelTest(TypedDict):
    """What the platform says of the channel's values."""
    channel: Channel
    fault: Optional[ChannelTestFault1]
    """The value that the platform refuses; null when it takes them all."""


class SetChannelPace(TypedDict):
    """Bound how fast all campaigns together send on a number."""
    most: Optional[int]
    """Messages a minute; null: no bound."""


class ChannelPace(TypedDict):
    """How fast campaigns may send on a number."""
    most: Optional[int]
    """Messages a minute of all campaigns on its number; null: no bound."""
    ceiling: Optional[int]
    """What the platform's refusals hold it to at present."""


class TemplateSync(TypedDict):
    """What reading the platform's list changed."""
    ok: bool
    """False: the list could not be read; what was known stays."""
    total: int
    """Templates that the platform has."""
    changed: int
    """Those that are new or moved to another status."""
    fault: Optional[str]
    """Why the list could not be read."""


class _CreateTemplateHeader1(TypedDict):
    kind: Literal["text"]
    """A line of text."""
    text: str
    """At most 60 characters, with one variable at most."""


class CreateTemplateHeader1(_CreateTemplateHeader1, total=False):
    example: str
    """A value for the variable, for the reviewers."""


class CreateTemplateHeader2(TypedDict):
    kind: Literal["image", "video", "document"]
    """A file, which each send gives."""
    file: str
    """An upload (`POST /v1/media`) that shows the reviewers an example."""


class CreateTemplateButtonsItem1(TypedDict):
    kind: Literal["quick_reply"]
    """Answers with its text."""
    text: str
    """Its text, at most 25 characters."""


class _CreateTemplateButtonsItem2(TypedDict):
    kind: Literal["url"]
    """Opens an address."""
    text: str
    """Its text, at most 25 characters."""
    url: str
    """The address. It may end with {{1}}, which each send fills."""


class CreateTemplateButtonsItem2(_CreateTemplateButtonsItem2, total=False):
    example: str
    """The whole address with a value, for the reviewers."""


class CreateTemplateButtonsItem3(TypedDict):
    kind: Literal["phone"]
    """Calls a number."""
    text: str
    """Its text, at most 25 characters."""
    phone: str
    """The number with its country code."""


class _CreateTemplate(TypedDict):
    channelId: str
    """The WhatsApp channel that gets it."""
    name: str
    """Lower-case letters, digits and underscores. It cannot be changed later."""
    language: str
    """A language code."""
    category: Literal["MARKETING", "UTILITY"]
    """The platform may choose another."""
    body: str
    """The text, at most 1,024 characters."""


class CreateTemplate(_CreateTemplate, total=False):
    """Submit a template for the platform's review."""
    named: bool
    """Header and body name their variables: {{first_name}}. Without it they are numbers: {{1}}. Of a template that exists it stays as it is."""
    header: Union[CreateTemplateHeader1, CreateTemplateHeader2]
    """Above the body."""
    bodyExamples: Sequence[str]
    """A value for each variable of the body, for the reviewers."""
    footer: str
    """A line below the body, at most 60 characters."""
    buttons: Sequence[Union[CreateTemplateButtonsItem1, CreateTemplateButtonsItem2, CreateTemplateButtonsItem3]]
    """At most 10, two of them addresses and one a phone number."""


class _EditTemplateHeader1(TypedDict):
    kind: Literal["text"]
    """A line of text."""
    text: str
    """At most 60 characters, with one variable at most."""


class EditTemplateHeader1(_EditTemplateHeader1, total=False):
    example: str
    """A value for the variable, for the reviewers."""


class EditTemplateHeader2(TypedDict):
    kind: Literal["image", "video", "document"]
    """A file, which each send gives."""
    file: str
    """An upload (`POST /v1/media`) that shows the reviewers an example."""


class EditTemplateButtonsItem1(TypedDict):
    kind: Literal["quick_reply"]
    """Answers with its text."""
    text: str
    """Its text, at most 25 characters."""


class _EditTemplateButtonsItem2(TypedDict):
    kind: Literal["url"]
    """Opens an address."""
    text: str
    """Its text, at most 25 characters."""
    url: str
    """The address. It may end with {{1}}, which each send fills."""


class EditTemplateButtonsItem2(_EditTemplateButtonsItem2, total=False):
    example: str
    """The whole address with a value, for the reviewers."""


class EditTemplateButtonsItem3(TypedDict):
    kind: Literal["phone"]
    """Calls a number."""
    text: str
    """Its text, at most 25 characters."""
    phone: str
    """The number with its country code."""


class _EditTemplate(TypedDict):
    body: str
    """The text, at most 1,024 characters."""


class EditTemplate(_EditTemplate, total=False):
    """Submit other content for a template."""
    named: bool
    """Header and body name their variables: {{first_name}}. Without it they are numbers: {{1}}. Of a template that exists it stays as it is."""
    header: Union[EditTemplateHeader1, EditTemplateHeader2]
    """Above the body."""
    bodyExamples: Sequence[str]
    """A value for each variable of the body, for the reviewers."""
    footer: str
    """A line below the body, at most 60 characters."""
    buttons: Sequence[Union[EditTemplateButtonsItem1, EditTemplateButtonsItem2, EditTemplateButtonsItem3]]
    """At most 10, two of them addresses and one a phone number."""


class RetentionTimesDeleted(TypedDict):
    """What was deleted since a time was made shorter last."""
    messages: int
    """Messages."""
    files: int
    """Files."""
    notes: int
    """Notes."""
    events: int
    """Events."""


class RetentionTimes(TypedDict):
    """For how long a workspace keeps its messages."""
    messageMonths: Optional[int]
    """Months for which messages are kept. Null: for good."""
    fileMonths: Optional[int]
    """Months for which files are kept. Null: as long as their messages."""
    eventDays: Optional[int]
    """Days for which events are kept. Null: 30."""
    state: Literal["off", "waiting", "deleting", "done"]
    """`waiting`: nothing is deleted before `beginsAt`. `deleting`: what is too old is being deleted. `done`: nothing older is left."""
    beginsAt: Optional[str]
    """The first moment at which something may be deleted: 24 hours after a time was made shorter. Null: nothing is set."""
    changedAt: Optional[str]
    """When it was changed last. Null: never."""
    passedAt: Optional[str]
    """When everything too old had been deleted last. Null: not yet."""
    deleted: RetentionTimesDeleted
    """What was deleted since a time was made shorter last."""


class PreviewRetention(TypedDict, total=False):
    """Count what a change of the retention would delete today."""
    messageMonths: Optional[int]
    """Months after which messages are deleted, with their files, notes and words in the search. Null: never."""
    fileMonths: Optional[int]
    """Months after which the files of messages are deleted; their messages stay. Null: with their messages."""
    eventDays: Optional[int]
    """Days after which events and their deliveries are deleted. Null: 30."""


class RetentionPreviewMessages(TypedDict):
    """Messages that would be too old today."""
    count: int
    """So many, at most 1,000,000."""
    more: bool
    """Whether there are more than that."""


class RetentionPreviewFiles(TypedDict):
    """Files of messages that stay that would be too old today."""
    count: int
    """So many, at most 1,000,000."""
    more: bool
    """Whether there are more than that."""


class RetentionPreview(TypedDict):
    """What a change of the retention would delete."""
    shorter: bool
    """Whether something would be kept for a shorter time."""
    messages: RetentionPreviewMessages
    """Messages that would be too old today."""
    files: RetentionPreviewFiles
    """Files of messages that stay that would be too old today."""
    beginsAt: str
    """When the deletion would begin, if it were set now."""


class ChangeRetention(TypedDict, total=False):
    """Change for how long messages, files and events are kept."""
    messageMonths: Optional[int]
    """Months after which messages are deleted, with their files, notes and words in the search. Null: never."""
    fileMonths: Optional[int]
    """Months after which the files of messages are deleted; their messages stay. Null: with their messages."""
    eventDays: Optional[int]
    """Days after which events and their deliveries are deleted. Null: 30."""


class PutKnowledgeTexts(TypedDict, total=False):
    """In place of `text`: the texts in both languages; one left out is removed."""
    en: str
    """In English."""
    ar: str
    """In Arabic."""


class _PutKnowledge(TypedDict):
    title: str
    """What it is called."""


class PutKnowledge(_PutKnowledge, total=False):
    """Add a snippet, or change it, by the id that it has at its origin."""
    text: str
    """Its text in the language `lang`. The text in the other language stays as it is."""
    lang: Literal["en", "ar"]
    """The language of `text`; else its letters decide."""
    texts: PutKnowledgeTexts
    """In place of `text`: the texts in both languages; one left out is removed."""
    askedAs: Sequence[str]
    """How customers ask for it. It is found by these; no answer rests on them."""
    validUntil: Optional[str]
    """After this moment no answer rests on it; a day ends at midnight UTC."""


class KnowledgeSourceTexts(TypedDict):
    """Of a snippet, its text in each language."""
    en: Optional[str]
    """The text in English."""
    ar: Optional[str]
    """The text in Arabic."""


class KnowledgeSource(TypedDict):
    """What bots may answer from."""
    id: str
    """The source's id."""
    kind: Literal["snippet", "file", "page", "saved_reply"]
    """What it is."""
    title: str
    """What it is called."""
    externalId: Optional[str]
    """The id that a program gave it."""
    texts: KnowledgeSourceTexts
    """Of a snippet, its text in each language."""
    askedAs: Sequence[str]
    """How customers ask for it."""
    address: Optional[str]
    """Of a page its address, of a file its name."""
    status: Literal["ready", "reading", "failed", "out_of_date"]
    """Whether answers may rest on it."""
    reason: Optional[str]
    """Why it could not be read."""
    languages: Sequence[Literal["en", "ar"]]
    """The languages of its chunks."""
    chunks: int
    """In how many chunks it was cut."""
    used: int
    """Answers of the last 30 days that rest on it."""
    validUntil: Optional[str]
    """After this moment no answer rests on it."""
    readAt: Optional[str]
    """When it was last read."""
    createdAt: str
    """When it was added."""
    updatedAt: str
    """When it was last changed."""


class BotListed(TypedDict):
    """A bot."""
    id: str
    """The bot's id."""
    name: str
    """Its name."""
    kind: Literal["flow", "ai", "external"]
    """What it is made of."""
    status: Literal["draft", "live", "paused", "archived"]
    """`live`: it answers."""
    version: Optional[int]
    """The published version. Null: none yet."""
    draft: bool
    """The draft differs from what is published."""
    channels: Sequence[str]
    """Ids of channels or channel types; empty: every channel."""
    mode: Literal["suggest", "autopilot", None]
    """Of an AI bot."""
    updatedAt: str
    """When its draft or state last changed."""
    answered: int
    """Answers in the last seven days."""
    handedOver: int
    """Conversations handed over in the last seven days."""


class HandOverConversation(TypedDict, total=False):
    """Hand a conversation over from its bot to people."""
    reason: Literal["asked", "no_source", "checks_failed", "model_unavailable", "model_refused", "limit_reached", "cost_cap", "loop", "stuck", "archived", "flow", "outside_scope"]
    """Why. `asked` when absent."""
    summary: str
    """What the talk was about, for members."""


class _StartVerification(TypedDict):
    to: str
    """The phone number, with its country code: 7 to 15 digits, and not a local number, which begins with 0."""


class StartVerification(_StartVerification, total=False):
    """Send a code to a number, and check it later."""
    channel: Literal["sms", "whatsapp"]
    """How to send it. `sms` when left out. `whatsapp`: by an approved AUTHENTICATION template of the workspace with one variable."""
    locale: Literal["en", "ar"]
    """The language of the text. The workspace's when left out, else English. By WhatsApp the template's; left out, any is taken when there is none in the workspace's."""
    codeLength: int
    """Digits of the code, 4 to 10; 6 by default."""
    ttlSeconds: int
    """How long the code is valid, in seconds, 60 to 3,600; 600 by default."""
    purpose: str
    """What it is for, in your own words. Codes for two purposes do not end each other."""


class Verification(TypedDict):
    """A code that was made and sent to a number. The code itself is never shown."""
    id: str
    """The verification's id."""
    status: Literal["pending", "approved", "exhausted", "expired", "canceled", "failed"]
    """`pending`: a code was sent and can be checked. `approved`: a check had the right code. `exhausted`: all tries were used. `expired`: its time is over. `canceled`: it was ended, or a new code went to the number. `failed`: the gateway or WhatsApp refused the message; `errorCode` says why."""
    to: str
    """The last four digits of the number, after two dots."""
    channel: Literal["sms", "whatsapp"]
    """How the code is sent."""
    purpose: Optional[str]
    """What it is for, as it was given."""
    requestId: str
    """The message in the log of passcodes, which `otp.status` events name."""
    triesLeft: int
    """Checks that may still be wrong."""
    errorCode: Optional[str]
    """Why the gateway refused the message, as for `POST /otp/send`."""
    createdAt: str
    """When the code was sent."""
    expiresAt: str
    """Until when the code is valid."""
    endedAt: Optional[str]
    """When it was approved, canceled, exhausted or failed."""


class CheckVerification(TypedDict):
    """Check the code that a person typed."""
    code: str
    """What the person typed. Spaces and hyphens are ignored; digits may be Arabic."""


class PersonDocument(TypedDict):
    """Everything that is stored of one person."""
    exportedAt: str
    """When it was begun."""
    workspaceId: str
    """The workspace."""
    contactId: str
    """The contact, as it is known now."""
    contact: Optional[Dict[str, Any]]
    """The contact with its attributes, as `GET /v1/contacts/{id}` shows it."""
    merged: Sequence[Dict[str, Any]]
    """Contacts that were merged into it, as they were."""
    identities: Sequence[Dict[str, Any]]
    """What channels call the person."""
    refs: Sequence[Dict[str, Any]]
    """What other systems call the person: `system` and `value`."""
    consent: Sequence[Dict[str, Any]]
    """Every change of the consent, oldest first."""
    chatProfiles: Sequence[Dict[str, Any]]
    """What pages said of a visitor of web chat."""
    campaigns: Sequence[Dict[str, Any]]
    """Campaigns that the person was in: the values that were sent, the outcome."""
    unansweredQuestions: Sequence[Dict[str, Any]]
    """What the person asked a bot that it could not answer."""
    botCases: Sequence[Dict[str, Any]]
    """Tests of bots that were made of such questions."""
    changes: Sequence[Dict[str, Any]]
    """Changes of the contact, newest first, for a year."""
    conversations: Sequence[Dict[str, Any]]
    """Each conversation with `messages` and their `files`, `notes`, `drafts`, `suggestions` and `aiTurns`."""
    messagesWithoutConversation: Sequence[Dict[str, Any]]
    """SMS of campaigns."""
    passcodes: Sequence[Dict[str, Any]]
    """Numbers and times of passcodes; no text is kept."""
    refusedImportRows: Sequence[Dict[str, Any]]
    """Rows of imports that name the person and were refused."""
    audit: Sequence[Dict[str, Any]]
    """Entries of the audit about the contact and its conversations."""
    events: Sequence[Dict[str, Any]]
    """Events that name the person: kind, time and how many endpoints received it."""


class DeleteBroadcastAnswer(TypedDict, total=False):
    pass


class DeleteLabelAnswer(TypedDict, total=False):
    pass


class WithdrawSuggestionAnswer(TypedDict, total=False):
    pass


class RemoveSavedReplyAnswer(TypedDict, total=False):
    pass


class DeleteContactAttributeAnswer(TypedDict, total=False):
    pass


class DeleteSegmentAnswer(TypedDict, total=False):
    pass


class DeleteWebhookEndpointAnswer(TypedDict, total=False):
    pass


class DeleteTemplateAnswer(TypedDict, total=False):
    pass


class RemoveKnowledgeAnswer(TypedDict, total=False):
    pass


class ListBotsAnswer(TypedDict):
    items: Sequence[BotListed]


class MessageStatusEventDataContact(TypedDict):
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The contact's name."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    externalId: Optional[str]
    """The contact's id on the channel."""


class MessageStatusEventData(TypedDict):
    messageId: str
    """The message."""
    conversationId: Optional[str]
    """Its conversation."""
    contactId: Optional[str]
    """The customer."""
    channelId: Optional[str]
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The kind of channel."""
    contact: Optional[MessageStatusEventDataContact]
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    previousStatus: Literal["sent", "delivered", "read", "failed", None]
    """Where it was before. Null when it is new."""
    status: Literal["sent", "delivered", "read", "failed"]
    """Where it is now."""
    occurredAt: str
    """When it happened."""
    errorCode: Optional[str]
    """Why it failed: the platform's code, or one of ours."""
    errorMessage: Optional[str]
    """The reason in words."""


class MessageStatusEvent(TypedDict):
    """An event of the kind `message.status`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["message.status"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: MessageStatusEventData


class MessageReceivedEventDataContact(TypedDict):
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The contact's name."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    externalId: Optional[str]
    """The contact's id on the channel."""


class MessageReceivedEventData(TypedDict):
    messageId: str
    """The message."""
    conversationId: Optional[str]
    """Its conversation."""
    contactId: Optional[str]
    """The customer."""
    channelId: Optional[str]
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The kind of channel."""
    contact: Optional[MessageReceivedEventDataContact]
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    message: Message


class MessageReceivedEvent(TypedDict):
    """An event of the kind `message.received`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["message.received"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: MessageReceivedEventData


class MessageCreatedEventDataContact(TypedDict):
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The contact's name."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    externalId: Optional[str]
    """The contact's id on the channel."""


class MessageCreatedEventData(TypedDict):
    messageId: str
    """The message."""
    conversationId: Optional[str]
    """Its conversation."""
    contactId: Optional[str]
    """The customer."""
    channelId: Optional[str]
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The kind of channel."""
    contact: Optional[MessageCreatedEventDataContact]
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    message: Message


class MessageCreatedEvent(TypedDict):
    """An event of the kind `message.created`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["message.created"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: MessageCreatedEventData


class MessageUpdatedEventDataContact(TypedDict):
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The contact's name."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    externalId: Optional[str]
    """The contact's id on the channel."""


class MessageUpdatedEventData(TypedDict):
    messageId: str
    """The message."""
    conversationId: Optional[str]
    """Its conversation."""
    contactId: Optional[str]
    """The customer."""
    channelId: Optional[str]
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The kind of channel."""
    contact: Optional[MessageUpdatedEventDataContact]
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    message: Message


class MessageUpdatedEvent(TypedDict):
    """An event of the kind `message.updated`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["message.updated"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: MessageUpdatedEventData


class MessageDeletedEventDataContact(TypedDict):
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The contact's name."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    externalId: Optional[str]
    """The contact's id on the channel."""


class MessageDeletedEventData(TypedDict):
    messageId: str
    """The message."""
    conversationId: Optional[str]
    """Its conversation."""
    contactId: Optional[str]
    """The customer."""
    channelId: Optional[str]
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The kind of channel."""
    contact: Optional[MessageDeletedEventDataContact]
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    occurredAt: str
    """When it happened."""


class MessageDeletedEvent(TypedDict):
    """An event of the kind `message.deleted`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["message.deleted"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: MessageDeletedEventData


class MediaStoredEventDataContact(TypedDict):
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    id: str
    """The contact's id."""
    name: Optional[str]
    """The contact's name."""
    phone: Optional[str]
    """Digits with the country code, without a plus sign."""
    externalId: Optional[str]
    """The contact's id on the channel."""


class MediaStoredEventData(TypedDict):
    messageId: str
    """The message."""
    conversationId: Optional[str]
    """Its conversation."""
    contactId: Optional[str]
    """The customer."""
    channelId: Optional[str]
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB", None]
    """The kind of channel."""
    contact: Optional[MediaStoredEventDataContact]
    """The contact who wrote, or got the message, as it was when the event was stored. Null when the contact is deleted."""
    mediaId: str
    """The file."""
    kind: Literal["image", "audio", "video", "document", "sticker"]
    """What the file is."""
    mimeType: Optional[str]
    """What its bytes are, whatever the sender called them."""
    fileName: Optional[str]
    """As it was named."""
    size: int
    """Bytes."""
    occurredAt: str
    """When it happened."""


class MediaStoredEvent(TypedDict):
    """An event of the kind `media.stored`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["media.stored"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: MediaStoredEventData


class NoteCreatedEventData(TypedDict):
    conversationId: str
    """The conversation."""
    contactId: str
    """The customer."""
    note: Note


class NoteCreatedEvent(TypedDict):
    """An event of the kind `note.created`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["note.created"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: NoteCreatedEventData


class _NoteUpdatedEventData(TypedDict):
    conversationId: str
    """The conversation."""
    contactId: str
    """The customer."""
    note: Note


class NoteUpdatedEventData(_NoteUpdatedEventData, total=False):
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class NoteUpdatedEvent(TypedDict):
    """An event of the kind `note.updated`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["note.updated"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: NoteUpdatedEventData


class _NoteDeletedEventData(TypedDict):
    conversationId: str
    """The conversation."""
    contactId: str
    """The customer."""
    note: Note


class NoteDeletedEventData(_NoteDeletedEventData, total=False):
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class NoteDeletedEvent(TypedDict):
    """An event of the kind `note.deleted`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["note.deleted"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: NoteDeletedEventData


class _SuggestionSettledEventData(TypedDict):
    conversationId: str
    """The conversation."""
    contactId: str
    """The customer."""
    suggestion: Suggestion


class SuggestionSettledEventData(_SuggestionSettledEventData, total=False):
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class SuggestionSettledEvent(TypedDict):
    """An event of the kind `suggestion.settled`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["suggestion.settled"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: SuggestionSettledEventData


class ConversationCreatedEventData(TypedDict):
    conversation: Conversation


class ConversationCreatedEvent(TypedDict):
    """An event of the kind `conversation.created`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["conversation.created"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ConversationCreatedEventData


class _ConversationUpdatedEventData(TypedDict):
    conversation: Conversation


class ConversationUpdatedEventData(_ConversationUpdatedEventData, total=False):
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ConversationUpdatedEvent(TypedDict):
    """An event of the kind `conversation.updated`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["conversation.updated"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ConversationUpdatedEventData


class _ContactCreatedEventData(TypedDict):
    contact: Contact


class ContactCreatedEventData(_ContactCreatedEventData, total=False):
    refs: Mapping[str, str]
    """What other systems call the contact, by the name of the system."""
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ContactCreatedEvent(TypedDict):
    """An event of the kind `contact.created`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["contact.created"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ContactCreatedEventData


class _ContactUpdatedEventData(TypedDict):
    contact: Contact


class ContactUpdatedEventData(_ContactUpdatedEventData, total=False):
    refs: Mapping[str, str]
    """What other systems call the contact, by the name of the system."""
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ContactUpdatedEvent(TypedDict):
    """An event of the kind `contact.updated`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["contact.updated"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ContactUpdatedEventData


class _ContactOptedOutEventData(TypedDict):
    contact: Contact
    source: str
    """Where the change was made, like `api`, `import` or the channel."""
    occurredAt: str
    """When it happened."""


class ContactOptedOutEventData(_ContactOptedOutEventData, total=False):
    refs: Mapping[str, str]
    """What other systems call the contact, by the name of the system."""
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ContactOptedOutEvent(TypedDict):
    """An event of the kind `contact.opted_out`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["contact.opted_out"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ContactOptedOutEventData


class _ContactOptedInEventData(TypedDict):
    contact: Contact
    source: str
    """Where the change was made, like `api`, `import` or the channel."""
    occurredAt: str
    """When it happened."""


class ContactOptedInEventData(_ContactOptedInEventData, total=False):
    refs: Mapping[str, str]
    """What other systems call the contact, by the name of the system."""
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ContactOptedInEvent(TypedDict):
    """An event of the kind `contact.opted_in`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["contact.opted_in"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ContactOptedInEventData


class _ContactMergedEventData(TypedDict):
    contactId: str
    """The contact that was kept."""
    mergedId: str
    """The contact that became part of it."""
    occurredAt: str
    """When it happened."""


class ContactMergedEventData(_ContactMergedEventData, total=False):
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ContactMergedEvent(TypedDict):
    """An event of the kind `contact.merged`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["contact.merged"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ContactMergedEventData


class _ContactDeletedEventData(TypedDict):
    contactId: str
    """The contact."""
    erased: bool
    """True when the person is forgotten, with messages and history. False for a deleted record, whose conversations and messages stay."""
    occurredAt: str
    """When it happened."""


class ContactDeletedEventData(_ContactDeletedEventData, total=False):
    by: str
    """Who made the change: `key:` and the key's id (`keyId` of `GET /v1/me`), `member:` or `bot:` and an id, or `cli`. Absent when a customer or a platform was the cause, or Parley itself."""


class ContactDeletedEvent(TypedDict):
    """An event of the kind `contact.deleted`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["contact.deleted"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ContactDeletedEventData


class BroadcastStatusEventData(TypedDict):
    previousStatus: Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED", None]
    """Where it was before. Null when it is new."""
    status: Literal["DRAFT", "SCHEDULED", "QUEUED", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]
    """Where it is now."""
    occurredAt: str
    """When it happened."""
    reason: Optional[str]
    """Why it paused or failed automatically."""
    broadcast: Broadcast


class BroadcastStatusEvent(TypedDict):
    """An event of the kind `broadcast.status`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["broadcast.status"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: BroadcastStatusEventData


class BroadcastRecipientEventDataRecipient(TypedDict):
    """The recipient."""
    contactId: str
    """The contact."""
    messageId: Optional[str]
    """The message; null where there is none."""
    reason: Optional[str]
    """Why the contact was skipped, or the code of what failed."""
    detail: Optional[str]
    """The reason in the platform's words."""


class BroadcastRecipientEventData(TypedDict):
    broadcastId: str
    """The campaign."""
    previousStatus: Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped", None]
    """Where it was before. Null when it is new."""
    status: Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]
    """Where it is now."""
    occurredAt: str
    """When it happened."""
    recipient: BroadcastRecipientEventDataRecipient
    """The recipient."""


class BroadcastRecipientEvent(TypedDict):
    """An event of the kind `broadcast.recipient`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["broadcast.recipient"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: BroadcastRecipientEventData


class TemplateStatusEventData(TypedDict):
    previousStatus: Optional[str]
    """What the platform said before."""
    status: str
    """What the platform says now, like APPROVED, PAUSED or REJECTED."""
    occurredAt: str
    """When it happened."""
    templateId: str
    """The template."""
    channelId: str
    """Its channel."""
    metaId: str
    """Its id at the platform."""
    name: str
    """Its name."""
    language: str
    """A language code."""
    reason: Optional[str]
    """The platform's reason."""


class TemplateStatusEvent(TypedDict):
    """An event of the kind `template.status`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["template.status"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: TemplateStatusEventData


class ChannelStatusEventData(TypedDict):
    previousStatus: Literal["connected", "error", "disconnected", None]
    """Where it was before. Null when it is new."""
    status: Literal["connected", "error", "disconnected"]
    """Where it is now."""
    occurredAt: str
    """When it happened."""
    channelId: str
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """Its kind."""
    name: str
    """Its name."""
    reason: Optional[str]
    """Why it is in error."""


class ChannelStatusEvent(TypedDict):
    """An event of the kind `channel.status`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["channel.status"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: ChannelStatusEventData


class OtpStatusEventData(TypedDict):
    previousStatus: Literal["sent", "delivered", "failed", "unknown", None]
    """Where it was before. Null when it is new."""
    status: Literal["sent", "delivered", "failed", "unknown"]
    """Where it is now."""
    occurredAt: str
    """When it happened."""
    requestId: str
    """`requestId` of the send."""
    provider: str
    """The SMS provider."""
    errorCode: Optional[str]
    """As `errorCode` of SmsResult."""
    error: Optional[str]
    """The gateway's own words."""


class OtpStatusEvent(TypedDict):
    """An event of the kind `otp.status`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["otp.status"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: OtpStatusEventData


class _UsageThresholdEventData(TypedDict):
    percent: Literal[80, 100]
    """How much of the month's allowance is used."""
    limit: int
    """What the plan allows."""
    usage: int
    """What is used at this moment."""
    periodStart: str
    """The first moment of the month."""
    periodEnd: str
    """The first moment of the next month."""


class UsageThresholdEventData(_UsageThresholdEventData, total=False):
    meter: Literal["messages", "aiReplies"]
    """What is counted."""


class UsageThresholdEvent(TypedDict):
    """An event of the kind `usage.threshold`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["usage.threshold"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: UsageThresholdEventData


class BotHandedOverEventData(TypedDict):
    conversationId: str
    """The conversation."""
    contactId: str
    """The customer."""
    channelId: str
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """The kind of channel."""
    botId: str
    """The bot."""
    reason: Literal["asked", "no_source", "checks_failed", "model_unavailable", "model_refused", "limit_reached", "cost_cap", "loop", "stuck", "archived", "flow", "outside_scope"]
    """Why."""
    summary: Optional[str]
    """What the talk was about, in the bot's words."""
    collected: Dict[str, Any]
    """What the bot collected, by name."""
    occurredAt: str
    """When it happened."""


class BotHandedOverEvent(TypedDict):
    """An event of the kind `bot.handed_over`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["bot.handed_over"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: BotHandedOverEventData


class BotFinishedEventData(TypedDict):
    conversationId: str
    """The conversation."""
    contactId: str
    """The customer."""
    channelId: str
    """The channel."""
    channelType: Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]
    """The kind of channel."""
    botId: str
    """The bot."""
    version: int
    """The version of the bot."""
    outcome: Literal["resolved", "assisted", "handed_over", "abandoned"]
    """How it ended."""
    topic: Optional[str]
    """What the talk was about, of the bot's own list."""
    turns: int
    """Answers that the customer got."""
    occurredAt: str
    """When it happened."""


class BotFinishedEvent(TypedDict):
    """An event of the kind `bot.finished`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["bot.finished"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: BotFinishedEventData


class WebhookDisabledEventData(TypedDict):
    endpointId: str
    """The endpoint."""
    name: Optional[str]
    """Its name."""
    url: str
    """Its address, with what could be a token in it shortened."""
    disabledBy: Literal["hand", "failures"]
    """A person or a program, or attempts that failed in a row."""
    occurredAt: str
    """When it happened."""


class WebhookDisabledEvent(TypedDict):
    """An event of the kind `webhook.disabled`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["webhook.disabled"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: WebhookDisabledEventData


class EndpointTestEventData(TypedDict):
    endpointId: str
    """The endpoint that was tested."""
    occurredAt: str
    """When it happened."""


class EndpointTestEvent(TypedDict):
    """An event of the kind `endpoint.test`."""
    id: str
    """The event's id. It is the same in every retry, and is in the header `webhook-id`."""
    type: Literal["endpoint.test"]
    apiVersion: str
    """The version of this document."""
    createdAt: str
    """When the event was stored."""
    workspaceId: str
    """The workspace."""
    sequence: int
    """Rises by one with each event of the workspace, so that a receiver notices a gap."""
    data: EndpointTestEventData


class BotTurnAnswerMessagesItemChoicesItem(TypedDict):
    text: str
    """What the button says."""
    payload: str
    """What a press returns, 64 bytes at most."""


class _BotTurnAnswerMessagesItem(TypedDict):
    text: str
    """What the customer reads."""


class BotTurnAnswerMessagesItem(_BotTurnAnswerMessagesItem, total=False):
    choices: Sequence[BotTurnAnswerMessagesItemChoicesItem]
    """Buttons where the channel has them."""


class BotTurnAnswerHandOver(TypedDict, total=False):
    """Give the conversation to a person."""
    reason: Literal["asked", "no_source", "outside_scope", "flow"]
    """Why. `flow` when absent."""
    summary: str
    """What members read."""


class BotTurnAnswer(TypedDict, total=False):
    """An answer to `bot.turn`."""
    messages: Sequence[BotTurnAnswerMessagesItem]
    """Sent in this order."""
    variables: Dict[str, Any]
    """Stored with the conversation, and part of the next call. At most 16 KiB together."""
    end: bool
    """The bot is done: the customer's next message begins again."""
    handOver: BotTurnAnswerHandOver
    """Give the conversation to a person."""


TemplateMessageResult = Union[TemplateMessageStored, TemplateMessageRefused]
"""The result of one message of a batch. `outcome` says which: `TemplateMessageStored` or `TemplateMessageRefused`."""

UpsertResult = Union[UpsertDone, UpsertRefused]
"""What one upsert of a batch did. `outcome` says which: `UpsertDone` or `UpsertRefused`."""

WebhookEvent = Union[
    MessageStatusEvent,
    MessageReceivedEvent,
    MessageCreatedEvent,
    MessageUpdatedEvent,
    MessageDeletedEvent,
    MediaStoredEvent,
    NoteCreatedEvent,
    NoteUpdatedEvent,
    NoteDeletedEvent,
    SuggestionSettledEvent,
    ConversationCreatedEvent,
    ConversationUpdatedEvent,
    ContactCreatedEvent,
    ContactUpdatedEvent,
    ContactOptedOutEvent,
    ContactOptedInEvent,
    ContactMergedEvent,
    ContactDeletedEvent,
    BroadcastStatusEvent,
    BroadcastRecipientEvent,
    TemplateStatusEvent,
    ChannelStatusEvent,
    OtpStatusEvent,
    UsageThresholdEvent,
    BotHandedOverEvent,
    BotFinishedEvent,
    WebhookDisabledEvent,
    EndpointTestEvent,
]
"""Any event: ``if event["type"] == …`` narrows ``data``. A newer server may send kinds that this version does not know."""

EventType = Literal[
    "message.status",
    "message.received",
    "message.created",
    "message.updated",
    "message.deleted",
    "media.stored",
    "note.created",
    "note.updated",
    "note.deleted",
    "suggestion.settled",
    "conversation.created",
    "conversation.updated",
    "contact.created",
    "contact.updated",
    "contact.opted_out",
    "contact.opted_in",
    "contact.merged",
    "contact.deleted",
    "broadcast.status",
    "broadcast.recipient",
    "template.status",
    "channel.status",
    "otp.status",
    "usage.threshold",
    "bot.handed_over",
    "bot.finished",
    "webhook.disabled",
    "endpoint.test",
]
"""The kinds of events, as ``types`` of ``events.list`` takes them."""

ApiErrorCode = Literal[
    "ATTACHMENT_REFUSED",
    "BODY_TOO_LARGE",
    "BROADCAST_NOT_FOUND",
    "BROADCAST_NOT_STARTABLE",
    "CHANNEL_LIMIT_REACHED",
    "CHANNEL_NEEDED",
    "CONSENT_HELD",
    "CONTACT_CONFLICT",
    "CONTACT_NEEDS_IDENTITY",
    "CONTACT_OPTED_OUT",
    "CONVERSATION_NOT_FOUND",
    "FORBIDDEN",
    "IDEMPOTENCY_IN_PROGRESS",
    "IDEMPOTENCY_KEY_REUSED",
    "INSUFFICIENT_CREDITS",
    "INTERNAL",
    "INVALID_API_KEY",
    "MALFORMED_API_KEY",
    "MALFORMED_JSON",
    "MEDIA_PENDING",
    "MESSAGE_LIMIT_REACHED",
    "MISSING_API_KEY",
    "MISSING_SCOPE:audit:read",
    "MISSING_SCOPE:bots:read",
    "MISSING_SCOPE:bots:write",
    "MISSING_SCOPE:broadcasts:draft",
    "MISSING_SCOPE:broadcasts:read",
    "MISSING_SCOPE:broadcasts:write",
    "MISSING_SCOPE:channels:read",
    "MISSING_SCOPE:channels:write",
    "MISSING_SCOPE:contacts:consent",
    "MISSING_SCOPE:contacts:erase",
    "MISSING_SCOPE:contacts:export",
    "MISSING_SCOPE:contacts:read",
    "MISSING_SCOPE:contacts:write",
    "MISSING_SCOPE:conversations:write",
    "MISSING_SCOPE:messages:draft",
    "MISSING_SCOPE:messages:read",
    "MISSING_SCOPE:messages:write",
    "MISSING_SCOPE:otp:send",
    "MISSING_SCOPE:otp:verify",
    "MISSING_SCOPE:retention:write",
    "MISSING_SCOPE:segments:write",
    "MISSING_SCOPE:team:read",
    "MISSING_SCOPE:templates:read",
    "MISSING_SCOPE:templates:send",
    "MISSING_SCOPE:templates:write",
    "MISSING_SCOPE:usage:read",
    "MISSING_SCOPE:webhooks:read",
    "MISSING_SCOPE:webhooks:write",
    "NAME_TAKEN",
    "NOT_ALLOWED_IN_STATE",
    "NOT_FETCHED",
    "NOT_FOUND",
    "NOT_SUPPORTED_HERE",
    "OTP_COUNTRY_REFUSED",
    "OTP_NUMBER_LIMITED",
    "OTP_RATE_LIMITED",
    "OVERLOADED",
    "RATE_LIMITED",
    "SMS_PROVIDER_NOT_VERIFIED",
    "STORAGE_FULL",
    "SUBSCRIPTION_SUSPENDED",
    "TEMPLATE_NOT_APPROVED",
    "TEMPLATE_PARAMETERS",
    "UNSENT_FILES_FULL",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_FAILED",
    "VERSION_MISMATCH",
]
"""What ``ParleyError.code`` says when the server refuses."""

ClientErrorCode = Literal[
    "ROUTE_NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "CONNECTION_FAILED",
    "TIMED_OUT",
    "STREAM_REPLACED",
    "UNEXPECTED_ANSWER",
]
"""What it says when the address is none of the API, and of what happens on the way to it."""

BotContact = TypedDict("BotContact", {"id": str, "firstName": Optional[str], "language": Optional[str]})

BotMessage = TypedDict(
    "BotMessage",
    {
        "id": str,
        "from": Literal["customer", "bot", "person", "program"],
        "type": str,
        "text": Optional[str],
        "pressed": Optional[str],
        "at": str,
    },
)


class BotTurn(TypedDict):
    """What Parley asks a bot that runs in a program of yours (`docs/external-bots.md`)."""

    type: Literal["bot.turn"]
    token: str
    conversationId: str
    contact: BotContact
    messages: Sequence[BotMessage]
    """The newest 20, oldest first."""
    variables: Dict[str, Any]
    """What the bot stored in this conversation with its last answer."""


WebhookErrorCode = Literal[
    "NO_SIGNATURE", "MALFORMED_SIGNATURE", "WRONG_SIGNATURE", "STALE_SIGNATURE", "MALFORMED_BODY"
]
