import { MEDIA_KINDS, type MediaKind } from "../channels/adapter.ts";
import { choicesOf } from "../messages/record/choices.ts";
import type { AttachmentJson } from "../wire/attachment.ts";
import { firstNameOf } from "./first-name.ts";

/** A file of a message as the widget shows it. Null while it is not known. */
interface ChatAttachment {
  readonly type: MediaKind;
  readonly url: string | null;
  readonly mimeType: string | null;
  readonly fileName: string | null;
  readonly size: number | null;
}

/** A message as its visitor sees it (docs/web-chat.md). */
export interface ChatMessage {
  readonly id: string;
  readonly clientId: string | null;
  readonly from: "visitor" | "agent";
  /** The first name of the member who wrote it; null: a program, or the visitor. */
  readonly agentName: string | null;
  readonly text: string | null;
  readonly attachments: readonly ChatAttachment[];
  /** The words of the answers that are offered; absent: none are. */
  readonly choices?: readonly string[];
  readonly status: string;
  readonly createdAt: string;
}

/** A message's row with the changes of the conversation that made and last changed it. */
export interface ThreadRow {
  readonly id: string;
  readonly conversationId: string;
  readonly direction: "inbound" | "outbound";
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
  readonly status: string;
  readonly providerMessageId: string | null;
  /** The name of the member who wrote it. */
  readonly memberName: string | null;
  readonly createdAt: Date;
  readonly readAt: Date | null;
  readonly chatCreated: number;
  readonly chatChanged: number;
}

/** The id of a visitor's message on the channel: the same browser's same `clientId` is the same message. */
export const chatMessageId = (visitorId: string, clientId: string): string =>
  `${visitorId}:${clientId}`;

/** Only the fields named here reach a visitor. `visitorId`: the browser that reads, which knows its own `clientId`s. */
export function presentThreadRow(row: ThreadRow, visitorId: string): ChatMessage {
  const choices = choicesOf(row.attachments);
  const mine = chatMessageId(visitorId, "");
  return {
    id: row.id,
    clientId: row.providerMessageId?.startsWith(mine)
      ? row.providerMessageId.slice(mine.length)
      : null,
    from: row.direction === "inbound" ? "visitor" : "agent",
    agentName: row.memberName === null ? null : firstNameOf(row.memberName),
    text: row.text,
    attachments: row.attachments.flatMap(presentAttachment),
    ...(choices.length > 0 && { choices: choices.map(({ text }) => text) }),
    status: visitorStatusOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** The state of a visitor's own message: we have it, then an agent saw it. */
export function visitorStatusOf(row: Pick<ThreadRow, "direction" | "status" | "readAt">): string {
  if (row.direction === "outbound") return row.status;
  return row.readAt === null ? "sent" : "read";
}

function presentAttachment(one: AttachmentJson): ChatAttachment[] {
  const type = MEDIA_KINDS.find((kind) => kind === one.type);
  if (type === undefined) return [];
  const { url = null, mimeType = null, fileName = null, size = null } = one;
  return [{ type, url, mimeType, fileName, size }];
}
