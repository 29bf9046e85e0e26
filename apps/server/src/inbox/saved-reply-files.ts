import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { copyUploads } from "../media/copy-uploads.ts";
import type { Media } from "../media/media.ts";
import { findMedia } from "../media/open-media.ts";
import { discardUpload, retainFreshUpload } from "../media/retain-upload.ts";
import { checkKeptBytes } from "../media/unsent-room.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { write } from "../write.ts";
import { selectSavedFiles, selectSavedReply } from "./saved-reply-store.ts";

/**
 * Keeps the new files of a saved reply, which is stored already, and releases those that it no longer has. Throws
 * VALIDATION_FAILED for a file that is not a fresh upload (a file that something else has would be removed with that),
 * and UNSENT_FILES_FULL when all files of its member's saved replies, or of the shared ones (`memberId` null), have
 * too many bytes.
 */
export async function changeFiles(
  context: Pick<Context, "clock" | "config">,
  tx: Tx,
  { workspaceId, memberId }: { readonly workspaceId: string; readonly memberId: string | null },
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  for (const [index, id] of after.entries())
    if (
      after.indexOf(id) !== index ||
      !(before.includes(id) || (await retainFreshUpload(tx, { workspaceId, id })))
    )
      throw invalid(`media[${index}]`, "must be a file that was uploaded for it");
  for (const id of before)
    if (!after.includes(id)) await discardUpload(tx, { workspaceId, id }, context.clock.now());
  if (after.every((id) => before.includes(id))) return;
  const ids = await selectSavedFiles(tx, workspaceId, memberId);
  const author = memberId === null ? null : `member:${memberId}`;
  await checkKeptBytes(tx, context.config, { workspaceId, author }, ids);
}

/** The files of a saved reply that the member may use, in its order. Throws NOT_FOUND. */
export async function savedReplyFiles(
  context: Pick<Context, "db">,
  { workspaceId, memberId }: { readonly workspaceId: string; readonly memberId: string },
  id: string,
): Promise<readonly Media[]> {
  const reply = isId(id) ? await selectSavedReply(context.db, workspaceId, id) : null;
  if (!reply || (reply.memberId !== null && reply.memberId !== memberId))
    throw new AppError("NOT_FOUND", { explanation: "no such saved reply" });
  const files = await Promise.all(reply.media.map((file) => findMedia(context, workspaceId, file)));
  return files.filter((file) => file?.state === "stored").filter((file) => file !== null);
}

/** Copies a saved reply's files for one message of the acting member. Throws FORBIDDEN, NOT_FOUND. */
export const copySavedReplyFiles = write(
  "saved_reply.attach",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string,
    id: string,
  ): Promise<readonly Media[]> => {
    const files = await savedReplyFiles(context, { workspaceId, memberId: memberOf(actor) }, id);
    const ids = files.map((file) => file.id);
    const copies = await copyUploads(actor, context, context.db, workspaceId, ids);
    const made = await Promise.all(
      ids.map((source) => findMedia(context, workspaceId, copies.get(source) ?? "")),
    );
    return made.filter((file) => file !== null);
  },
);
