import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { RunAgain, type Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { isStorable } from "../lib/storable.ts";
import { savedReplies } from "../operations/saved-replies.ts";
import { permitRight } from "../policies.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform, write } from "../write.ts";
import {
  countSavedReplies,
  dropSavedReply,
  insertSavedReply,
  lockSavedReply,
  lockSharedReply,
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
      await leaveRoom(tx, workspaceId, memberId);
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

/**
 * Changes a saved reply; members that are left out stay. `match` is called under its lock. Throws as `createSavedReply`, and
 * NOT_FOUND.
 */
export const updateSavedReply = write(
  "saved_reply.update",
  async (
    actor,
    context: SavedContext,
    workspaceId: string,
    id: string,
    patch: { readonly [Name in keyof SavedReplyInput]?: SavedReplyInput[Name] | undefined },
    match: (current: SavedReply) => void = () => {},
  ): Promise<SavedReply> => {
    return context.db.transaction(async (tx) => {
      const before = await lockWritable(actor, tx, workspaceId, id);
      match(before);
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
    await context.db.transaction(async (tx) =>
      remove(actor, context, tx, workspaceId, await lockWritable(actor, tx, workspaceId, id)),
    );
  },
);

async function remove(
  actor: Actor,
  context: SavedContext,
  tx: Tx,
  workspaceId: string,
  before: SavedReply,
): Promise<void> {
  const { id, media, memberId, title } = before;
  await dropSavedReply(tx, workspaceId, id);
  await changeFiles(context, tx, { workspaceId, memberId }, media, []);
  await follow(context, tx, workspaceId, before, null);
  await audit(actor, context, tx, workspaceId, {
    action: "saved_reply.deleted",
    subject: id,
    facts: memberId === null ? { name: title } : {},
  });
}

/**
 * Creates what the team shares under a shortcut, or changes it; its files stay. The same twice changes nothing more. Throws
 * VALIDATION_FAILED.
 */
export const putSavedReply = perform(
  savedReplies.putSavedReply,
  (actor, context: SavedContext, workspaceId, given) =>
    context.db.transaction(async (tx) => {
      const { shortcut, title, text } = tidy({ ...NEW, ...given });
      const before = await lockSharedReply(tx, workspaceId, shortcut);
      const reply = { ...(before ?? { ...NEW, id: context.ids.next() }), shortcut, title, text };
      if (before === null) {
        await leaveRoom(tx, workspaceId, null);
        // Somebody else made it in this moment: read it.
        if (!(await insertSavedReply(tx, workspaceId, reply, context.clock.now())))
          throw new RunAgain();
      } else if (before.title !== title || before.text !== text) {
        await replaceSavedReply(tx, workspaceId, reply);
        await follow(context, tx, workspaceId, reply, reply);
      } else return record(reply);
      const action = before === null ? "saved_reply.created" : "saved_reply.updated";
      await audit(actor, context, tx, workspaceId, { action, subject: reply.id });
      return record(reply);
    }),
);

/** What is new: shared, without files. */
const NEW = { id: "", memberId: null, media: [] } as const;

const record = ({ id, shortcut, title, text }: SavedReply) => ({ id, shortcut, title, text });

/** Deletes what the team shares under a shortcut. Throws NOT_FOUND. */
export const removeSavedReply = perform(
  savedReplies.removeSavedReply,
  (actor, context: SavedContext, workspaceId, { shortcut }) =>
    context.db.transaction(async (tx) => {
      const before = isStorable(shortcut)
        ? await lockSharedReply(tx, workspaceId, folded(shortcut))
        : null;
      if (before === null) throw missing();
      await remove(actor, context, tx, workspaceId, before);
      return {};
    }),
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

async function leaveRoom(tx: Tx, workspaceId: string, memberId: string | null): Promise<void> {
  if ((await countSavedReplies(tx, workspaceId, memberId)) >= MOST)
    throw invalid("shortcut", `cannot be added: there are ${MOST} saved replies`);
}

const missing = (): AppError => new AppError("NOT_FOUND", { explanation: "no such saved reply" });

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
  if (!found || (found.memberId !== null && found.memberId !== memberOf(actor))) throw missing();
  if (found.memberId === null) permitRight(actor, "inbox.share");
  return found;
}

const folded = (shortcut: string): string => shortcut.normalize("NFC").toLowerCase();

function tidy(reply: SavedReply): SavedReply {
  const shortcut = folded(reply.shortcut);
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
