import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { deskIdsOf, deskRows, type DeskMember } from "../desk/read-desk.ts";
import { AppError } from "../errors.ts";
import type { DeskRow } from "../wire/desk-shapes.ts";
import type { ViewTerms } from "../wire/in-view.ts";
import { updateConversation, type ConversationPatch } from "./update-conversation.ts";

/** Which conversations: these, or all conversations of a view when the change begins. */
export type WhichConversations =
  | { readonly ids: readonly string[] }
  | { readonly terms: ViewTerms; readonly unread: boolean };

/** Only admins may change more than this many at once. */
const MANY = 200;
/** One request changes at most this many. The caller repeats it for the rest. */
const MOST = 2_000;

/**
 * Changes many conversations in the same way. Each has a transaction of its own (`updateConversation`), so events
 * and audit are those of a single change. Ids without a conversation are left out. Returns how many there were,
 * and the first 200 as they are now. Throws FORBIDDEN for an agent who wants more than 200, VALIDATION_FAILED.
 */
export async function changeConversations(
  actor: Actor,
  context: Context,
  member: DeskMember,
  which: WhichConversations,
  patch: ConversationPatch,
): Promise<{ readonly changed: number; readonly rows: readonly DeskRow[] }> {
  const { workspaceId } = member;
  const ids =
    "ids" in which ? [...new Set(which.ids)] : await deskIdsOf(context, member, which, MOST);
  if (ids.length > MANY && actor.kind === "member" && actor.role === "agent")
    throw new AppError("FORBIDDEN", {
      explanation: "only admins change more than 200 conversations at once",
    });
  let changed = 0;
  for (const id of ids) {
    try {
      await updateConversation(actor, context, workspaceId, id, patch);
      changed += 1;
    } catch (error) {
      // Gone meanwhile, by a merge or an erasure.
      if (!(error instanceof AppError) || error.code !== "NOT_FOUND") throw error;
    }
  }
  const shown = await deskRows(context.db, workspaceId, ids.slice(0, MANY));
  return { changed, rows: shown };
}
