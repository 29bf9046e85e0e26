import type { Context } from "../../context.ts";
import { previewOf } from "../../desk/desk-change.ts";
import { draftsOf } from "../../inbox/save-draft.ts";
import type { MineOf } from "../../wire/desk-shapes.ts";

/** Adds the beginnings of the member's drafts in these conversations to the member's other own data of them. */
export async function addDrafts(
  context: Pick<Context, "db">,
  member: { readonly workspaceId: string; readonly memberId: string },
  conversationIds: readonly string[],
  mine: readonly MineOf[],
): Promise<MineOf[]> {
  const drafts = await draftsOf(context.db, member.workspaceId, member.memberId, conversationIds);
  const parts = new Map(mine.map((part) => [part.conversationId, part]));
  for (const { conversationId, text } of drafts) {
    const part = parts.get(conversationId) ?? {
      conversationId,
      seen: 0,
      keptUnread: false,
      mentioned: false,
    };
    parts.set(conversationId, { ...part, draft: previewOf(text) });
  }
  return [...parts.values()];
}
