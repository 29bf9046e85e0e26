import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { updateWithin, type ConversationPatch } from "../conversations/update-conversation.ts";
import { lockConversations } from "../conversations/touch-conversations.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import type { Actor } from "../actor.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { copyUploads } from "../media/copy-uploads.ts";
import {
  acceptMessage,
  type NewReply,
  type OpenedThread,
} from "../messages/accept/accept-message.ts";
import { quoteIn } from "../messages/record/quote.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { endNotices, memberOf } from "../workspaces/member-notice.ts";
import { write } from "../write.ts";
import { dropDraft } from "./draft-store.ts";
import { presentThreadMessage, type MessageLine, type ThreadMessage } from "./thread-line.ts";
import {
  insertMessageAuthor,
  selectMessageOfClient,
  selectThreadMessagesById,
} from "./thread-store.ts";

/** A reply that a member writes in the dashboard. */
export interface DeskReply {
  /** The id that the browser gave the message: the same on each retry. */
  readonly clientId: string;
  readonly text?: string | undefined;
  /** Uploads, at most ten; also files of the message that this one repeats. */
  readonly media?: readonly string[] | undefined;
  /** The message of the conversation that it quotes. One that repeats a message quotes the same one without it. */
  readonly replyTo?: string | undefined;
  /** The failed message of the conversation that this one repeats. */
  readonly resendOf?: string | undefined;
  /** What happens to the conversation in the same transaction. */
  readonly afterwards?: ConversationPatch | undefined;
}

/** Another request with the same client id stored its message first: this one is undone. */
class StoredBefore extends Error {}

/**
 * Sends a reply of the acting member as every reply is sent (`acceptMessage`, with its errors and failed
 * messages). In the same transaction its author and client id are stored, an unassigned conversation becomes the
 * member's, the member's draft is removed, and `afterwards` is done. A repeated client id gives the message that
 * the first request stored and does nothing. Throws FORBIDDEN, NOT_FOUND, VALIDATION_FAILED,
 * NOT_SUPPORTED_HERE, IDEMPOTENCY_KEY_REUSED for the client id of another request, conversation or member.
 */
export const sendReply = write(
  "reply.send",
  async (
    actor,
    context: Context,
    workspaceId: string,
    conversationId: string,
    reply: DeskReply,
  ): Promise<MessageLine> => {
    const memberId = memberOf(actor);
    const { clientId } = reply;
    if (!isId(clientId)) throw invalid("clientId", "must be a UUID in lower case");
    const key = { workspaceId, memberId, conversationId };
    const once = { clientId, requestHash: hashRequest(reply) };
    return sentOnce(context, key, once, async () => {
      if (!(await findConversation(context, workspaceId, conversationId)))
        throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
      const repeated = await readResend(context, key, reply.resendOf);
      const attachments = await ownFiles(actor, context, workspaceId, repeated, reply.media ?? []);
      const replyTo = reply.replyTo ?? quoteIn(repeated?.attachments ?? [])?.replyTo;
      const input = {
        conversationId,
        text: reply.text ?? null,
        ...(attachments.length > 0 && { attachments }),
        ...(replyTo !== undefined && { replyTo }),
      };
      const resendOf = repeated?.id ?? null;
      return acceptWithAuthor(actor, context, key, { ...reply, ...once, resendOf, input });
    });
  },
);

/**
 * What `send` gives, or the message that an equal request stored before this one or meanwhile. What refuses this one then
 * does not matter: the file may belong to that message by now, or it was the last one of the plan. `conversationId` null:
 * the request itself says in which conversation it is. Throws what `send` throws, and IDEMPOTENCY_KEY_REUSED.
 */
export async function sentOnce(
  context: Pick<Context, "db">,
  key: AuthorKey,
  asked: OnceKey,
  send: () => Promise<MessageLine>,
): Promise<MessageLine> {
  const stored = await messageOfClient(context, key, asked);
  if (stored) return stored;
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof AppError || error instanceof StoredBefore)) throw error;
    const first = await messageOfClient(context, key, asked);
    if (!first) throw error;
    return first;
  }
}

/**
 * Stores a member's message with its author, its client id and what belongs to it (`sendReply`), within `sentOnce`. `open` is
 * as in `acceptMessage`. Throws what `acceptMessage` throws.
 */
export async function acceptWithAuthor(
  actor: Actor,
  context: Context,
  key: ReplyKey,
  reply: OnceKey & {
    readonly resendOf: string | null;
    readonly input: NewReply;
    readonly afterwards?: ConversationPatch | undefined;
    /** What else is stored with the message. What it throws undoes the message. */
    readonly beside?: (tx: Tx, messageId: string) => Promise<void>;
    readonly open?: (tx: Tx) => Promise<OpenedThread>;
  },
): Promise<MessageLine> {
  const { workspaceId, memberId } = key;
  const { clientId, requestHash, resendOf, open } = reply;
  const { id } = await acceptMessage(actor, context, workspaceId, reply.input, {
    open,
    within: async (tx, message) => {
      const opened = { ...key, conversationId: message.conversationId ?? "" };
      const row = { messageId: message.id, memberId, clientId, resendOf, requestHash };
      if (!(await insertMessageAuthor(tx, workspaceId, row))) throw new StoredBefore();
      await reply.beside?.(tx, message.id);
      await dropDraft(tx, opened);
      if (message.status !== "failed")
        await endNotices(context, tx, workspaceId, opened.conversationId, { replied: memberId });
      await follow(actor, context, tx, opened, reply.afterwards);
    },
  });
  return lineOf(context, workspaceId, id);
}

/** The author and the conversation; null: the request itself says which. */
interface AuthorKey {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly conversationId: string | null;
}

/** The author and the conversation. */
export interface ReplyKey extends AuthorKey {
  readonly conversationId: string;
}

/** What makes two requests the same: the browser's id, and what it asks for under it. */
export interface OnceKey {
  readonly clientId: string;
  readonly requestHash: Buffer;
}

/** The hash of what a browser asks for under its id; the order of the members does not count. */
export function hashRequest(request: object): Buffer {
  const sorted = (_name: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash("sha256").update(JSON.stringify(request, sorted)).digest();
}

/**
 * The message that an earlier request stored under the client id; null: there is none. Throws IDEMPOTENCY_KEY_REUSED when
 * that was another request, or another member's or conversation's.
 */
async function messageOfClient(
  context: Pick<Context, "db">,
  { workspaceId, memberId, conversationId }: AuthorKey,
  { clientId, requestHash }: OnceKey,
): Promise<MessageLine | null> {
  const known = await selectMessageOfClient(context.db, workspaceId, clientId);
  if (!known) return null;
  const [message] = await selectThreadMessagesById(context.db, workspaceId, [known.messageId]);
  const same = known.requestHash?.equals(requestHash) ?? conversationId !== null;
  const here = conversationId === null || message?.conversationId === conversationId;
  if (!message || !same || !here || known.memberId !== memberId)
    throw new AppError("IDEMPOTENCY_KEY_REUSED");
  return presentThreadMessage(message);
}

async function lineOf(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<MessageLine> {
  const [message] = await selectThreadMessagesById(context.db, workspaceId, [id]);
  if (!message) throw new AppError("NOT_FOUND", { explanation: "the message was erased" });
  return presentThreadMessage(message);
}

/** Only a failed message of ours in the same conversation can be repeated. */
async function readResend(
  context: Pick<Context, "db">,
  { workspaceId, conversationId }: ReplyKey,
  id: string | undefined,
): Promise<ThreadMessage | null> {
  if (id === undefined) return null;
  const [message] = isId(id)
    ? await selectThreadMessagesById(context.db, workspaceId, [id], conversationId)
    : [];
  if (message?.direction !== "outbound" || message.status !== "failed")
    throw invalid("resendOf", "must be a failed message of this conversation");
  return message;
}

/** A file belongs to one message: for those of the repeated message this one gets copies, which share their bytes. */
async function ownFiles(
  actor: Actor,
  context: Context,
  workspaceId: string,
  repeated: ThreadMessage | null,
  media: readonly string[],
): Promise<readonly string[]> {
  const carried = new Set(repeated?.attachments.map(({ mediaId }) => mediaId));
  const again = media.filter((id) => carried.has(id));
  const copies = await copyUploads(actor, context, context.db, workspaceId, again);
  return media.map((id) => copies.get(id) ?? id);
}

/** An unassigned conversation becomes the author's; then come the member's own changes. */
async function follow(
  actor: Actor,
  context: Context,
  tx: Tx,
  { workspaceId, memberId, conversationId }: ReplyKey,
  afterwards: ConversationPatch = {},
): Promise<void> {
  const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
  const takes =
    found?.assigneeId === null &&
    (await listMembers(tx, workspaceId)).some(({ id }) => id === memberId);
  const patch = { ...(takes && { assigneeId: memberId }), ...afterwards };
  if (Object.keys(patch).length > 0)
    await updateWithin(actor, context, tx, workspaceId, conversationId, patch);
}
