import { Readable } from "node:stream";
import { admitVisitor, findChatChannel } from "../chat/chat-channel.ts";
import { uploadChatFile } from "../chat/chat-uploads.ts";
import { identityHash } from "../chat/identity-proof.ts";
import { openSession } from "../chat/open-session.ts";
import { writeMessage } from "../chat/write-message.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type { Said, SayInput } from "../lib/sandbox-slot.ts";
import { findMessage } from "../messages/record/find-message.ts";
import { placeOf } from "./place-of.ts";

/** The customer who writes when the caller names none. */
const USUAL_VISITOR = "visitor-1234";

/**
 * Writes in a web chat as a user whose id the site vouches for, so that the same `from` is always the same person.
 * Session, upload and message are the operations behind the chat window's own calls, so all their limits apply and
 * their errors are thrown. It needs no running server.
 */
export async function sayAsVisitor(
  context: Context,
  channelId: string,
  input: Omit<SayInput, "replyTo">,
): Promise<Said> {
  const { from = USUAL_VISITOR, name, text, file } = input;
  if (from === "" || from.length > 64) throw invalid("from", "must have 1 to 64 characters");
  const account = await findChatChannel(context, channelId);
  const hash = identityHash(account.secrets["identitySecret"] ?? "", from);
  const user = { id: from, hash, ...(name !== undefined && { name }) };
  const { token } = await openSession(context, account, { user }, "127.0.0.1");
  const guest = await admitVisitor(context, account, token);
  const upload =
    file && (await uploadChatFile(context, guest, { ...file, body: Readable.from([file.bytes]) }));
  const { message } = await writeMessage(context, guest, {
    clientId: context.ids.next(),
    ...(text !== undefined && { text }),
    ...(upload && { attachments: [upload.id] }),
  });
  const stored = placeOf(await findMessage(context, account.workspaceId, message.id));
  const place = stored ?? { messageId: message.id, conversationId: null, contactId: null };
  return { from, platformMessageId: message.id, takenIn: true, ...place };
}
