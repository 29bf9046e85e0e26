import { isId } from "../lib/ids.ts";

/** Every kind of event an endpoint can ask for (contract §5, Webhook request). */
export const EVENT_KINDS = [
  "message.status",
  "message.received",
  "message.created",
  "conversation.created",
  "conversation.updated",
  "contact.created",
  "contact.updated",
  "contact.opted_out",
  "contact.opted_in",
  "broadcast.status",
  "template.status",
  "channel.status",
  "otp.status",
  "usage.threshold",
  "endpoint.test",
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Whether it is a kind of the closed list. */
export function isEventKind(text: string): text is EventKind {
  return (EVENT_KINDS as readonly string[]).includes(text);
}

/**
 * What every message event names. Null where an SMS has none: it has no conversation and no channel. `contact` (`id`, `name`,
 * `phone`, `externalId`) is added when the event is stored.
 */
export interface MessageFacts {
  readonly messageId: string;
  readonly conversationId: string | null;
  readonly contactId: string | null;
  readonly channelId: string | null;
  readonly channelType: string | null;
}

/**
 * The wholes below are the API's own shapes (spec "Resources and their fields", contract §5), written down here
 * structurally because this folder lies below the ones that own them. All times are ISO 8601 texts.
 */
export interface MessageRecord {
  readonly id: string;
  readonly conversationId: string | null;
  readonly contactId: string | null;
  readonly direction: "inbound" | "outbound";
  readonly type: string;
  readonly text: string | null;
  readonly attachments: readonly unknown[];
  readonly status: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly source: string;
  readonly providerMessageId: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
  readonly deliveredAt: string | null;
  readonly readAt: string | null;
}

export interface ConversationRecord {
  readonly id: string;
  readonly contactId: string;
  readonly channelId: string;
  readonly channelType: string;
  readonly status: string;
  readonly assigneeId: string | null;
  readonly labels: readonly string[];
  readonly unreadCount: number;
  readonly windowExpiresAt: string | null;
  readonly lastMessageAt: string | null;
  readonly createdAt: string;
}

export interface ContactRecord {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly channelType: string | null;
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly optedOut: boolean;
  readonly optedOutAt: string | null;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
}

export interface BroadcastRecord {
  readonly id: string;
  readonly name: string;
  /** Absent or null for an SMS campaign. */
  readonly channelId?: string | null;
  readonly channelType: string;
  readonly kind: string;
  readonly status: string;
  readonly templateId: string | null;
  readonly body: string | null;
  readonly scheduledAt: string | null;
  readonly rateLimitPerMinute: number;
  readonly totalCount: number;
  readonly sentCount: number;
  readonly deliveredCount: number;
  readonly readCount: number;
  readonly failedCount: number;
  readonly skippedCount: number;
  readonly createdAt: string;
}

/** The `data` member of each kind. */
export interface EventData {
  "message.status": MessageFacts & {
    /** Null for a message that was born `failed`. */
    readonly previousStatus: string | null;
    readonly status: string;
    readonly errorCode: string | null;
    readonly errorMessage: string | null;
    readonly occurredAt: string;
  };
  "message.received": MessageFacts & { readonly message: MessageRecord };
  "message.created": MessageFacts & { readonly message: MessageRecord };
  "conversation.created": { readonly conversation: ConversationRecord };
  "conversation.updated": { readonly conversation: ConversationRecord };
  "contact.created": { readonly contact: ContactRecord };
  "contact.updated": { readonly contact: ContactRecord };
  "contact.opted_out": {
    readonly contact: ContactRecord;
    readonly source: string;
    readonly occurredAt: string;
  };
  "contact.opted_in": {
    readonly contact: ContactRecord;
    readonly source: string;
    readonly occurredAt: string;
  };
  "broadcast.status": {
    /** Null for a campaign that was just made. */
    readonly previousStatus: string | null;
    readonly status: string;
    /** Why the engine paused or failed it. */
    readonly reason: string | null;
    readonly broadcast: BroadcastRecord;
    readonly occurredAt: string;
  };
  "template.status": {
    readonly templateId: string;
    readonly channelId: string;
    readonly metaId: string;
    readonly name: string;
    readonly language: string;
    readonly previousStatus: string | null;
    readonly status: string;
    readonly reason: string | null;
    readonly occurredAt: string;
  };
  "channel.status": {
    readonly channelId: string;
    readonly channelType: string;
    readonly name: string;
    readonly previousStatus: string | null;
    readonly status: string;
    readonly reason: string | null;
    readonly occurredAt: string;
  };
  /** Never the text of the passcode. */
  "otp.status": {
    readonly requestId: string;
    readonly provider: string;
    readonly previousStatus: string | null;
    readonly status: string;
    readonly errorCode: string | null;
    readonly error: string | null;
    readonly occurredAt: string;
  };
  "usage.threshold": {
    readonly percent: 80 | 100;
    readonly limit: number;
    readonly usage: number;
    readonly periodStart: string;
    readonly periodEnd: string;
  };
  /** Goes to the named endpoint alone, whatever kinds it asked for. */
  "endpoint.test": { readonly endpointId: string; readonly occurredAt: string };
}

/** An event to be stored with `emitEvents` in the transaction that caused it. */
export type NewEvent = {
  [K in EventKind]: {
    readonly workspaceId: string;
    readonly type: K;
    readonly data: EventData[K];
  };
}[EventKind];

/** `apiVersion` in every body (spec, Versioning). */
export const API_VERSION = "1.0.0";

/** What closes `data` and the body. */
export const BODY_END = "}}";

function dataText(data: NewEvent["data"], contactId: string | null): string {
  const text = JSON.stringify(data);
  if (!("messageId" in data)) return `${text}}`;
  const open = `${text.slice(0, -1)},"contact":`;
  return contactId === null ? `${open}null${BODY_END}` : open;
}

/**
 * The body of an event in two pieces: its sequence number, known only to the database, goes between them. With `contactId`
 * what the database knows of that contact follows the second, and after it `BODY_END`.
 */
export function bodyAround(
  event: NewEvent,
  id: string,
  createdAt: Date,
): { head: string; tail: string; contactId: string | null } {
  const { data } = event;
  const named = "messageId" in data ? data.contactId : null;
  const contactId = named !== null && isId(named) ? named : null;
  const head = JSON.stringify({
    id,
    type: event.type,
    apiVersion: API_VERSION,
    createdAt: createdAt.toISOString(),
    workspaceId: event.workspaceId,
  });
  return {
    head: `${head.slice(0, -1)},"sequence":`,
    tail: `,"data":${dataText(data, contactId)}`,
    contactId,
  };
}
