import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { permitRight } from "../policies.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import {
  countSavedReplies,
  insertSavedReply,
  lockSavedReply,
  removeSavedReply,
  replaceSavedReply,
} from "./saved-reply-store.ts";
import { changeFiles } from "./saved-reply-files.ts";
import type { SavedReply } from "./saved-reply.ts";

export { selectSavedReplies as savedRepliesOf } from "./saved-reply-store.ts";

type SavedContext = Pick<Context, "db" | "ids" | "clock" | "config" | "savedReplyFollowers">;

export interface SavedReplyInput {
  /** Letters, digits, `_` and `-`, up to 40. */
  readonly shortcut: string;
  readonly title: string;
  readonly text: string;
  /** Uploads that are sent with the text; the saved reply keeps them. */
  readonly media?: readonly string[] | undefined;
}

/** Limited, because every page of the dashboard has all of them. */
const MOST = 500;
const MOST_FILES = 10;

/**
 * Creates a saved reply of the acting member, or a shared one (`shared`, for owners and admins). Throws FORBIDDEN,
 * VALIDATION_FAILED, CONFLICT when the shortcut is taken, UNSENT_FILES_FULL when its files are too much.
 */
export const createSavedReply = write(
  "saved_reply.create",
  async (
    actor,
    context: SavedContext,
    workspaceId: string,
    input: SavedReplyInput & { readonly shared: boolean },
  ): Promise<SavedReply> => {
    if (input.shared) permitRight(actor, "inbox.share");
    const memberId = input.shared ? null : memberOf(actor);
    const reply = tidy({ ...input, media: input.media ?? [], memberId, id: context.ids.next() });
    return context.db.transaction(async (tx) => {
      if ((await countSavedReplies(tx, workspaceId, memberId)) >= MOST)
        throw invalid("shortcut", `cannot be added: there are ${MOST} saved replies`);
      const made = await insertSavedReply(tx, workspaceId, reply, context.clock.now());
      if (!made) throw taken();
      await changeFiles(context, tx, { workspaceId, memberId }, [], reply.media);
      await audit(actor, context, tx, workspaceId, {
        action: "saved_reply.created",
        subject: reply.id,
      });
      return reply;
    });
  },
);

/** Changes a saved reply; members that are left out stay. Throws as `createSavedReply`, and NOT_FOUND. */
export const updateSavedReply = write(
  "saved_reply.update",
  async (
    actor,
    context: SavedContext,
    workspaceId: string,
    id: string,
    patch: { readonly [Name in keyof SavedReplyInput]?: SavedReplyInput[Name] | undefined },
  ): Promise<SavedReply> => {
    return context.db.transaction(async (tx) => {
      const before = await lockWritable(actor, tx, workspaceId, id);
      const reply = tidy({
        ...before,
        shortcut: patch.shortcut ?? before.shortcut,
        title: patch.title ?? before.title,
        text: patch.text ?? before.text,
        media: patch.media ?? before.media,
      });
      if (!(await replaceSavedReply(tx, workspaceId, reply))) throw taken();
      await changeFiles(context, tx, { ...before, workspaceId }, before.media, reply.media);
      await follow(context, tx, workspaceId, reply, reply);
      await audit(actor, context, tx, workspaceId, { action: "saved_reply.updated", subject: id });
      return reply;
    });
  },
);

/** Deletes a saved reply. Throws FORBIDDEN, NOT_FOUND. */
export const deleteSavedReply = write(
  "saved_reply.delete",
  async (actor, context: SavedContext, workspaceId: string, id: string): Promise<void> => {
    await context.db.transaction(async (tx) => {
      const before = await lockWritable(actor, tx, workspaceId, id);
      const { media, memberId, title } = before;
      await removeSavedReply(tx, workspaceId, id);
      await changeFiles(context, tx, { workspaceId, memberId }, media, []);
      await follow(context, tx, workspaceId, before, null);
      await audit(actor, context, tx, workspaceId, {
        action: "saved_reply.deleted",
        subject: id,
        facts: memberId === null ? { name: title } : {},
      });
    });
  },
);

/** Has those who use shared ones follow, under the saved reply's lock. Only its member uses a member's own one. */
async function follow(
  context: SavedContext,
  tx: Tx,
  workspaceId: string,
  { id, memberId }: SavedReply,
  now: SavedReply | null,
): Promise<void> {
  if (memberId !== null) return;
  for (const follower of context.savedReplyFollowers)
    await follower(context, tx, workspaceId, { id, now });
}

const taken = (): AppError =>
  new AppError("CONFLICT", { explanation: "another saved reply has this shortcut" });

/** Another member's own one does not exist for the actor; only owners and admins write shared ones. */
async function lockWritable(
  actor: Actor,
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<SavedReply> {
  const found = isId(id) ? await lockSavedReply(tx, workspaceId, id) : null;
  if (!found || (found.memberId !== null && found.memberId !== memberOf(actor)))
    throw new AppError("NOT_FOUND", { explanation: "no such saved reply" });
  if (found.memberId === null) permitRight(actor, "inbox.share");
  return found;
}

function tidy(reply: SavedReply): SavedReply {
  const shortcut = reply.shortcut.normalize("NFC").toLowerCase();
  if (!/^[\p{L}\p{N}_-]{1,40}$/u.test(shortcut))
    throw invalid("shortcut", "must be 1 to 40 letters, digits, _ and -");
  const title = reply.title.trim();
  if (title === "" || title.length > 80) throw invalid("title", "must be 1 to 80 characters");
  if (reply.text.trim() === "" || Array.from(reply.text).length > 4_096)
    throw invalid("text", "must be 1 to 4096 characters");
  if (reply.media.length > MOST_FILES || !reply.media.every(isId))
    throw invalid("media", `must be at most ${MOST_FILES} ids of files`);
  return { ...reply, shortcut, title };
}
