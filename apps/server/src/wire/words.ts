/**
 * The closed lists of words in the JSON of both APIs. This file imports nothing, so that code which needs a list at run
 * time does not load the schemas, and a browser can read it.
 */

/** `apiVersion` in every event (spec, Versioning). */
export const API_VERSION = "1.0.0";

/**
 * What an API key may do (spec, Authentication §6; those beyond the nine of the spec open routes that the spec does not
 * have). Each opens at least one route of v1.
 */
export const SCOPES = [
  "contacts:read",
  "contacts:write",
  "messages:write",
  "messages:read",
  "otp:send",
  "templates:read",
  "broadcasts:read",
  "broadcasts:write",
  "usage:read",
  "conversations:write",
  "templates:send",
  "team:read",
  "contacts:consent",
  "contacts:erase",
  "segments:write",
  "messages:draft",
  "broadcasts:draft",
  "webhooks:read",
  "webhooks:write",
  "contacts:export",
  "audit:read",
  "channels:read",
  "channels:write",
  "templates:write",
  "bots:read",
  "bots:write",
  "otp:verify",
  "retention:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * What happens when an assistant sends with a key:
 * - ask: the person at the assistant is asked, and only their yes sends
 * - approve: it becomes a suggestion, which a member sends
 * - free: it is sent
 */
export const KEY_SENDS = ["ask", "approve", "free"] as const;
export type KeySends = (typeof KEY_SENDS)[number];

/** What a custom attribute of contacts can hold. */
export const ATTRIBUTE_TYPES = ["text", "number", "date", "boolean", "choice"] as const;

/** The channel types of the contract. SMS is not one of them: it has its own `SmsProvider`. */
export const CHANNEL_TYPES = [
  "WHATSAPP",
  "MESSENGER",
  "INSTAGRAM",
  "TELEGRAM",
  "TIKTOK",
  "WEB",
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/**
 * - connected: in use
 * - error: the platform refuses its credentials or the account; nothing is sent until they are replaced
 * - disconnected: given up; its history stays, its secrets are gone
 */
export const CHANNEL_STATUSES = ["connected", "error", "disconnected"] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

export const CONVERSATION_STATUSES = ["open", "snoozed", "resolved"] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** The statuses of an outbound message. An inbound one is `received` for ever. */
export const OUTBOUND_STATUSES = ["sent", "delivered", "read", "failed"] as const;
export type OutboundStatus = (typeof OUTBOUND_STATUSES)[number];
export type MessageStatus = OutboundStatus | "received";

/** The statuses of a code that was sent to a number. */
export const VERIFICATION_STATUSES = [
  "pending",
  "approved",
  "exhausted",
  "expired",
  "canceled",
  "failed",
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** What members did with a suggested reply. */
export const SUGGESTION_STATES = ["open", "used", "edited", "discarded"] as const;
export type SuggestionState = (typeof SUGGESTION_STATES)[number];

export const MESSAGE_SOURCES = ["api", "dashboard", "broadcast", "bot", "channel"] as const;
export type MessageSource = (typeof MESSAGE_SOURCES)[number];

export const BROADCAST_KINDS = ["WHATSAPP_TEMPLATE", "TEXT", "SMS"] as const;
export type BroadcastKind = (typeof BROADCAST_KINDS)[number];

/** An SMS campaign is of type WHATSAPP: both address the phone number. */
export const BROADCAST_CHANNEL_TYPES = ["WHATSAPP", "TELEGRAM"] as const;
export type BroadcastChannelType = (typeof BROADCAST_CHANNEL_TYPES)[number];

export const BROADCAST_STATUSES = [
  "DRAFT",
  "SCHEDULED",
  "QUEUED",
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "CANCELLED",
  "FAILED",
] as const;
export type BroadcastStatus = (typeof BROADCAST_STATUSES)[number];

/** Why Parley stops a campaign. A platform's refusal has the platform's own code. */
export const STOP_CODES = [
  "MESSAGE_LIMIT_REACHED",
  "SUBSCRIPTION_SUSPENDED",
  "INSUFFICIENT_CREDITS",
  "TEMPLATE_NOT_APPROVED",
  "TEMPLATE_CHANGED",
  "SEGMENT_GONE",
  "SMS_PROVIDER_NOT_VERIFIED",
  "CHANNEL_ERROR",
  "CHANNEL_DISCONNECTED",
  "HEADER_MEDIA_GONE",
  "MEDIA_GONE",
  "FAILURE_RATE",
  "SCHEDULE_MISSED",
  "RESTORED",
] as const;
export type StopCode = (typeof STOP_CODES)[number];

/**
 * pending → sending → sent → delivered → read, or failed, or skipped with a reason (contract §5, Recipients).
 * `sending`: the intent to call is committed, the call may have begun, and the recipient is never taken again.
 */
export const RECIPIENT_STATUSES = [
  "pending",
  "sending",
  "sent",
  "delivered",
  "read",
  "failed",
  "skipped",
] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/**
 * The statuses of a passcode in the API. `unknown`: the answer was lost (time-out, crash), and a receipt may still
 * tell.
 */
export const OTP_STATUSES = ["sent", "delivered", "failed", "unknown"] as const;
export type ToldOtpStatus = (typeof OTP_STATUSES)[number];

export const PLANS = ["free", "starter", "growth", "business"] as const;
export type Plan = (typeof PLANS)[number];

/** Codes of 402: a plan, a balance or a rate of the workspace does not allow it. */
export const LIMIT_CODES = [
  "MESSAGE_LIMIT_REACHED",
  "SEAT_LIMIT_REACHED",
  "BOT_LIMIT_REACHED",
  "CHANNEL_LIMIT_REACHED",
  "AI_REPLY_LIMIT_REACHED",
  "SUBSCRIPTION_SUSPENDED",
  "INSUFFICIENT_CREDITS",
  "OTP_RATE_LIMITED",
] as const;
export type LimitCode = (typeof LIMIT_CODES)[number];

/** Every kind of event that an endpoint can ask for (contract §5, Webhook request). */
export const EVENT_KINDS = [
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
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Kinds that an endpoint gets only when it names them, and that are stored only while one does. */
export const OPT_IN_KINDS = ["broadcast.recipient"] as const satisfies readonly EventKind[];

/** The gateways that can carry SMS. Each has a file in `sms/providers/`. */
export const SMS_PROVIDERS = [
  "twilio",
  "vonage",
  "infobip",
  "unifonic",
  "kwtsms",
  "http",
  "smpp",
] as const;
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

/** The encodings in which spreadsheets and older systems of the region write files of contacts. */
export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1256",
  "iso-8859-6",
  "windows-1252",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** By which address a row of a file finds its contact. `any`: by id, external id, phone, e-mail, in that order. */
export const MATCHES = ["any", "phone", "email", "externalId"] as const;
export type MatchBy = (typeof MATCHES)[number];

/** The states of an uploaded file of contacts: it waits, it runs, or how it ended. */
export const IMPORT_FILE_STATES = [
  "uploaded",
  "waiting",
  "running",
  "done",
  "stopped",
  "failed",
  "cancelled",
] as const;
export type ImportFileState = (typeof IMPORT_FILE_STATES)[number];

/** The states of any import. `broken_off`: one of the command line was interrupted, and the same command resumes it. */
export const IMPORT_STATES = [...IMPORT_FILE_STATES, "broken_off"] as const;

/**
 * Why a row is refused, as a closed list for which an interface has words. `other` is shown in the reason's own
 * words.
 */
export const REFUSAL_KINDS = [
  "phone_shortened",
  "phone_without_country",
  "several_phones",
  "phone_invalid",
  "email_invalid",
  "no_address",
  "no_match_address",
  "wrong_width",
  "broken_quote",
  "broken_line",
  "bad_number",
  "bad_date",
  "bad_choice",
  "bad_yes_no",
  "bad_text",
  "bad_attributes",
  "bad_tags",
  "bad_channel",
  "too_long",
  "bad_characters",
  "unreadable",
  "other",
] as const;

/** The orders of a list of contacts. In both orders of names, contacts without a name come last. */
export const CONTACT_ORDERS = ["newest", "oldest", "name", "name-desc"] as const;
export type ContactOrder = (typeof CONTACT_ORDERS)[number];
/** The orders in which programs read contacts. */
export const CONTACT_SEARCH_ORDERS = ["newest", "updatedAt"] as const;

/** `test`: channels of the sandbox only. */
export const WORKSPACE_KINDS = ["live", "test"] as const;
export type WorkspaceKind = (typeof WORKSPACE_KINDS)[number];

/** What an emulator can stand for: SMS, and all channel types except web chat, whose other end is a page of ours. */
export const SANDBOX_TYPES = [
  "WHATSAPP",
  "MESSENGER",
  "INSTAGRAM",
  "TELEGRAM",
  "TIKTOK",
  "SMS",
] as const;
export type SandboxType = (typeof SANDBOX_TYPES)[number];

/** The faults of a send in the sandbox. Which of them exist depends on the platform (docs/sandbox.md). */
export const TROUBLES = [
  "rejected",
  "undeliverable",
  "template",
  "account",
  "opted-out",
  "token",
  "throttled",
  "throttled-hint",
  "unreachable",
  "lost-taken",
  "lost",
  "hang",
  "slow",
  "sent-only",
  "no-status",
  "twice",
  "backwards",
  "early",
  "late",
  "corrected",
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Everything a rule of a segment can ask (contract §5, Segments). */
export const RULE_OPS = [
  "eq",
  "neq",
  "contains",
  "not_contains",
  "starts_with",
  "in",
  "not_in",
  "exists",
  "not_exists",
  "gt",
  "gte",
  "lt",
  "lte",
  "before",
  "after",
  "within_days",
  "not_within_days",
] as const;

/** The built-in views of the inbox, in the order of the navigation. Others are `channel-ID`, `label-NAME` and `view-ID`. */
export const DESK_VIEWS = [
  "mine",
  "unassigned",
  "unanswered",
  "window",
  "mentions",
  "all",
  "snoozed",
  "resolved",
  "bot",
  "handed",
] as const;

/** The most that one view may hold. Every page of every member counts the views, so a large one costs everybody. */
export const VIEW_BOUNDS = { groups: 20, rules: 20, values: 100, length: 200 } as const;

/** The kinds of files as people see them. */
export const MEDIA_KINDS = ["image", "audio", "video", "document", "sticker"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** The categories in which a template can be submitted. */
export const TEMPLATE_CATEGORIES = ["MARKETING", "UTILITY"] as const;

/** What bots are made of. */
export const BOT_KINDS = ["flow", "ai", "external"] as const;
export type BotKind = (typeof BOT_KINDS)[number];

/** `archived`: it answers no more and does not count for the plan. */
export const BOT_STATUSES = ["draft", "live", "paused", "archived"] as const;
export type BotStatus = (typeof BOT_STATUSES)[number];

/** `suggest`: members send what it writes. `autopilot`: it answers. */
export const BOT_MODES = ["suggest", "autopilot"] as const;
export const BOT_TONES = ["friendly", "neutral", "formal"] as const;
/** When a bot begins, by the workspace's opening hours. */
export const BOT_WHENS = ["always", "outside_hours", "during_hours", "by_assistant"] as const;

/** Who answers a conversation. */
export const HANDLERS = ["nobody", "bot", "person"] as const;
export type HandlerKind = (typeof HANDLERS)[number];

/** Why a bot hands a conversation over to a person. */
export const HAND_OVER_REASONS = [
  "asked",
  "no_source",
  "checks_failed",
  "model_unavailable",
  "model_refused",
  "limit_reached",
  "cost_cap",
  "loop",
  "stuck",
  "archived",
  "flow",
  "outside_scope",
] as const;
export type HandOverReason = (typeof HAND_OVER_REASONS)[number];

/** What a model makes of a text that a member wrote: other words, or another language. */
export const REWRITINGS = ["friendlier", "shorter", "formal", "en", "ar"] as const;
export type Rewriting = (typeof REWRITINGS)[number];

/** How the work of a bot in a conversation ended. */
export const RUN_OUTCOMES = ["resolved", "assisted", "handed_over", "abandoned"] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** How the provider of a language model is spoken to. */
export const MODEL_PROTOCOLS = ["openai-chat", "anthropic-messages"] as const;

/** The outcome of a call of a language model. */
export const MODEL_OUTCOMES = [
  "ok",
  "throttled",
  "unreachable",
  "timeout",
  "refused",
  "truncated",
  "malformed",
  "misconfigured",
] as const;

/** How a turn of a model ended. `open`: it goes on. `classified`: it chose a topic, which is no reply. */
export const TURN_STATUSES = [
  "open",
  "classified",
  "began",
  "sent",
  "suggested",
  "superseded",
  "handed_over",
  "failed",
] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];
