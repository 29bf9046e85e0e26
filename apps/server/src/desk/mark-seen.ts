import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import type { MineOf } from "../wire/desk-shapes.ts";
import { isId } from "../lib/ids.ts";
import { deskTopic } from "../lib/topics.ts";
import { endNotices, memberOf } from "../workspaces/member-notice.ts";
import { write } from "../write.ts";
import { insertMentions, upsertSeen } from "./own-part-store.ts";
import { mineOf } from "./read-desk.ts";

/**
 * The acting member has seen this many of the customer's messages. One less than there are marks the conversation
 * unread. Notes that name the member are seen with it. Throws FORBIDDEN for an actor that is no member, and
 * NOT_FOUND.
 */
export const markSeen = write(
  "conversation.see",
  async (
    actor,
    context: Pick<Context, "clock" | "db" | "topics">,
    workspaceId: string,
    conversationId: string,
    seen: number,
  ): Promise<MineOf> => {
    const memberId = memberOf(actor);
    const key = { workspaceId, memberId, conversationId };
    const known = isId(conversationId) && (await upsertSeen(context.db, key, seen));
    const [mine] = known ? await mineOf(context.db, workspaceId, memberId, [conversationId]) : [];
    if (!mine) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    if (await endNotices(context, context.db, workspaceId, conversationId, { looked: memberId }))
      // No row of the inbox changed, so the streams would not notice.
      void context.topics.publish(deskTopic(workspaceId), { kind: "notice", memberId });
    return mine;
  },
);

/** A note names these members. The conversation is in their view of mentions until they open it. */
export function mentionMembers(
  tx: Tx,
  workspaceId: string,
  conversationId: string,
  memberIds: readonly string[],
): void {
  if (memberIds.length > 0) tx.later(insertMentions(tx, workspaceId, conversationId, memberIds));
}
