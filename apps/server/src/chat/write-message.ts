import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { clean } from "../messages/receive/inbound-content.ts";
import { receiveEvent } from "../messages/receive/receive-events.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { Guest } from "./chat-channel.ts";
import {
  chatMessageId,
  presentThreadRow,
  type ChatMessage,
  type ThreadRow,
} from "./chat-message.ts";
import { findUploads, uploadIn } from "./chat-uploads.ts";
import { storeVisitorProfile } from "./store-visitor-profile.ts";
import { selectByChatId, selectContactId } from "./thread-store.ts";
import { externalIdOf } from "./visitor-token.ts";

export interface VisitorMessage {
  /** The browser's own id of the message. The same id again is the same message. */
  readonly clientId: string;
  readonly text?: string;
  /** Ids of uploads of this browser. */
  readonly attachments?: readonly string[];
}

/**
 * Takes in what a visitor wrote, in the same way as every channel (`receive-events.ts`): contact, conversation,
 * events, meter, stop words. Resolves after the commit. `created` is false when this browser's `clientId` was
 * known already. Throws VALIDATION_FAILED when there is neither text nor file, or a file is not this browser's, and
 * IDEMPOTENCY_KEY_REUSED when the `clientId` belongs to another text or other files.
 */
export async function writeMessage(
  context: Context,
  { account, visitor, row }: Guest,
  input: VisitorMessage,
): Promise<{ readonly message: ChatMessage; readonly created: boolean }> {
  const { workspaceId, channelId } = account;
  const text = input.text === undefined || input.text.trim() === "" ? null : input.text;
  const uploads = input.attachments ?? [];
  if (text === null && uploads.length === 0)
    throw invalid("text", "is required without attachments");
  const externalId = externalIdOf(visitor);
  const chatId = chatMessageId(visitor.visitorId, input.clientId);
  const key = { workspaceId, channelId, chatId };
  const known = async () => {
    const stored = await selectByChatId(context.db, key);
    if (stored === null) return null;
    checkSame(stored, text, uploads);
    return { message: presentThreadRow(stored, visitor.visitorId), created: false };
  };
  let files: Awaited<ReturnType<typeof findUploads>> = [];
  try {
    files = await findUploads(context, visitor, workspaceId, uploads);
  } catch (error) {
    // The message was sent before, and now owns its files.
    const before = await known();
    if (before === null) throw error;
    return before;
  }
  const created = await receiveEvent(context, {
    account: { workspaceId, channelId, channelType: "WEB" },
    event: {
      kind: "message",
      accountExternalId: account.externalId,
      externalMessageId: chatId,
      from: { externalId, phone: null, name: row?.profile.name ?? null },
      occurredAt: context.clock.now(),
      content: {
        type: text === null ? String(files[0]?.["type"]) : "text",
        text,
        attachments: files,
      },
      opensWindow: true,
    },
  });
  const stored = await selectByChatId(context.db, key);
  if (stored === null) throw new AppError("OVERLOADED");
  if (!created) checkSame(stored, text, uploads);
  if (created && (row !== null || visitor.userId !== null))
    await describe(context, workspaceId, stored.conversationId, visitor.userId, row?.profile ?? {});
  return { message: presentThreadRow(stored, visitor.visitorId), created };
}

/** Throws IDEMPOTENCY_KEY_REUSED when the stored message is another one than the browser sends under its id. */
function checkSame(stored: ThreadRow, text: string | null, uploads: readonly string[]): void {
  const ids = stored.attachments.flatMap(({ mediaId }) => mediaId ?? []);
  const same =
    stored.text === (text === null ? null : clean(text)) &&
    ids.length === uploads.length &&
    ids.every((id, index) => id === uploadIn(uploads[index] ?? ""));
  if (!same) throw new AppError("IDEMPOTENCY_KEY_REUSED");
}

/** The contact may have been created just now. It gets what the page said of the person before. */
async function describe(
  context: Context,
  workspaceId: string,
  conversationId: string,
  userId: string | null,
  profile: Parameters<typeof storeVisitorProfile>[5],
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const contactId = await selectContactId(tx, workspaceId, conversationId);
    if (contactId === null) return;
    const events = await storeVisitorProfile(context, tx, workspaceId, contactId, userId, profile);
    if (events.length > 0) await emitEvents(context, tx, events);
  });
}
