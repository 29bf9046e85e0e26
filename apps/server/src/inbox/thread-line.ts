import { memberFileAddress } from "../media/sign-link.ts";
import type { AttachmentJson } from "../wire/attachment.ts";
import {
  HAND_OVER_REASONS,
  type HandOverReason,
  type MessageSource,
  type MessageStatus,
} from "../wire/words.ts";
import type { AuditLine } from "../workspaces/list-audit.ts";
import type { NoteLine } from "./note.ts";

/** A message with everything that a thread shows of it. */
export interface ThreadMessage {
  readonly id: string;
  readonly conversationId: string | null;
  readonly createdAt: Date;
  readonly direction: "inbound" | "outbound";
  readonly type: string;
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
  readonly status: MessageStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly source: MessageSource;
  readonly author: string | null;
  readonly broadcastId: string | null;
  readonly broadcastName: string | null;
  /** The name of the bot that wrote it; null: no bot did. */
  readonly botName: string | null;
  /** Whether a model wrote it; null: no bot did, or it is older than that this is stored. */
  readonly byModel: boolean | null;
  /** Whether that bot is an AI assistant. */
  readonly byAiBot: boolean | null;
  /** The turn of a model that wrote it; null: none, or it is not kept any more. */
  readonly turnId: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
  /** It has not left the outbox. */
  readonly waits: boolean;
  readonly memberId: string | null;
  readonly clientId: string | null;
  readonly resendOf: string | null;
  readonly quoted: {
    readonly id: string;
    readonly direction: "inbound" | "outbound";
    readonly source: MessageSource;
    readonly author: string | null;
    readonly text: string | null;
    readonly types: readonly string[];
  } | null;
}

/** The message that a customer's message answers. */
export interface QuotedLine {
  readonly id: string;
  readonly direction: "inbound" | "outbound";
  readonly source: MessageSource;
  readonly authorId: string | null;
  /** The first 200 characters. */
  readonly text: string | null;
  /** The type of its file or other content; null: it is text alone. */
  readonly type: string | null;
}

/** An entry of a thread: a message of either side. Times are ISO 8601. */
export interface MessageLine {
  readonly kind: "message";
  readonly id: string;
  readonly at: string;
  readonly direction: "inbound" | "outbound";
  readonly type: string;
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
  readonly status: MessageStatus | "queued";
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly source: MessageSource;
  readonly authorId: string | null;
  readonly authorName: string | null;
  readonly byAi: boolean;
  readonly turnId: string | null;
  readonly clientId: string | null;
  readonly resendOf: string | null;
  readonly broadcastId: string | null;
  readonly sentAt: string | null;
  readonly deliveredAt: string | null;
  readonly readAt: string | null;
  /** Null: it quotes none, or one that is not known here. */
  readonly quoted: QuotedLine | null;
}

/** An entry of a thread: what somebody did with the conversation. */
export interface EventLine {
  readonly kind: "event";
  readonly id: string;
  readonly at: string;
  readonly what: ThreadEventKind;
  /** As the audit names the actor. */
  readonly by: string;
  readonly assigneeId: string | null;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly until: string | null;
  /** The name of the bot that did it; null: no bot did. */
  readonly byName: string | null;
  /** Why a bot handed over. */
  readonly reason: HandOverReason | null;
}

/** One line of a thread. */
export type ThreadLine = MessageLine | NoteLine | EventLine;

/** The audit's names for what a thread shows. Other entries of a conversation are not shown. */
const EVENT_OF = {
  "conversation.assigned": "assigned",
  "conversation.labelled": "labelled",
  "conversation.resolved": "resolved",
  "conversation.open": "reopened",
  "conversation.snoozed": "snoozed",
  "conversation.snooze_ended": "snooze_ended",
  "conversation.joined": "joined",
  "conversation.bot_began": "bot_began",
  "conversation.bot_handed_over": "bot_handed_over",
  "conversation.taken_over": "taken_over",
  "conversation.given_back": "given_back",
} as const;
type ThreadEventKind = (typeof EVENT_OF)[keyof typeof EVENT_OF];

/** The actions of the audit that a thread shows. */
const isThreadEvent = (action: string): action is keyof typeof EVENT_OF =>
  Object.hasOwn(EVENT_OF, action);

/** A file's address for members ends with their session; the one that is stored would work for whoever has it. */
const forMembers = (one: AttachmentJson): AttachmentJson =>
  one.mediaId === undefined || !one.url ? one : { ...one, url: memberFileAddress(one.mediaId) };

/** A message as the thread shows it. */
export function presentThreadMessage(message: ThreadMessage): MessageLine {
  return {
    kind: "message",
    id: message.id,
    at: message.createdAt.toISOString(),
    direction: message.direction,
    type: message.type,
    text: message.text,
    attachments: message.attachments.map(forMembers),
    status: message.status === "sent" && message.waits ? "queued" : message.status,
    errorCode: message.errorCode,
    errorMessage: message.errorMessage,
    source: message.source,
    authorId: message.memberId ?? memberIn(message.author),
    authorName: message.broadcastName ?? message.botName,
    byAi: message.byModel ?? (message.turnId !== null || message.byAiBot === true),
    turnId: message.turnId,
    clientId: message.clientId,
    resendOf: message.resendOf,
    broadcastId: message.broadcastId,
    sentAt: message.sentAt?.toISOString() ?? null,
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    readAt: message.readAt?.toISOString() ?? null,
    quoted: message.quoted && presentQuoted(message.quoted),
  };
}

function presentQuoted(quoted: NonNullable<ThreadMessage["quoted"]>): QuotedLine {
  const { id, direction, source, author, text, types } = quoted;
  const type = types.find((one) => one !== "quote" && one !== "forwarded") ?? null;
  return { id, direction, source, authorId: memberIn(author), text, type };
}

/** An entry of the audit as the thread shows it; null for other kinds. */
export function presentThreadEvent(
  { id, actor, action, facts, createdAt }: AuditLine,
  botNames: ReadonlyMap<string, string>,
): EventLine | null {
  if (!isThreadEvent(action)) return null;
  const told = new Map<string, unknown>(Object.entries(facts));
  // Taking over and giving back have a line of their own.
  if (action === "conversation.assigned" && told.has("beside")) return null;
  return {
    kind: "event",
    id,
    at: createdAt.toISOString(),
    what: EVENT_OF[action],
    by: actor,
    assigneeId: assigneeIn(action, told),
    added: textsIn(told.get("added")),
    removed: textsIn(told.get("removed")),
    until: textIn(told.get("until")),
    byName: botNames.get(actor) ?? botNames.get(botIn({ facts })) ?? null,
    reason: HAND_OVER_REASONS.find((one) => one === told.get("reason")) ?? null,
  };
}

/** The member that an entry is about; null: none. */
function assigneeIn(action: string, told: ReadonlyMap<string, unknown>): string | null {
  if (action === "conversation.assigned") return textIn(told.get("to"));
  return action === "conversation.joined" ? textIn(told.get("assignedTo")) : null;
}

/** The bot that an entry is about, as the audit names actors. */
export const botIn = ({ facts }: Pick<AuditLine, "facts">): string =>
  "botId" in facts && typeof facts.botId === "string" ? `bot:${facts.botId}` : "";

/** The id of the member in an actor's name; null: there is none. */
function memberIn(author: string | null): string | null {
  return author?.startsWith("member:") ? author.slice("member:".length) : null;
}

const textIn = (value: unknown): string | null => (typeof value === "string" ? value : null);
const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
