import type { SettleAttachment } from "../../media/fetch-media.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { lockMessage, patchAttachment } from "./attachment-store.ts";
import { selectMessageById } from "./message-store.ts";
import { fileEvent } from "./message.ts";

/** Settles a file under the lock of its message, and writes the facts into the message's `attachments`. */
export const settleAttachment: SettleAttachment = async (context, tx, file, settle) => {
  await lockMessage(tx, file);
  const facts = await settle();
  if (facts === null) return;
  await patchAttachment(tx, file, facts);
  if (facts.status !== "stored") return;
  const { workspaceId, messageId, id: mediaId, kind } = file;
  const message = await selectMessageById(tx, { workspaceId, id: messageId });
  if (!message) return;
  const { mimeType, fileName, size } = facts;
  const occurredAt = context.clock.now().toISOString();
  const stored = { mediaId, kind, mimeType, fileName, size, occurredAt };
  await emitEvents(context, tx, [fileEvent(message, stored)]);
};
