import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { write } from "../write.ts";
import { dropDraft, putDraft } from "./draft-store.ts";
import type { Draft } from "./draft.ts";

export { selectDrafts as draftsOf, selectDraftsOf as draftsIn } from "./draft-store.ts";

const LONGEST = 4_096;
const MOST_FILES = 10;

/**
 * Stores the acting member's unsent text in a conversation, replacing the former one; an empty one removes the
 * draft. Throws FORBIDDEN for an actor that is not a member, NOT_FOUND, VALIDATION_FAILED.
 */
export const saveDraft = write(
  "draft.save",
  async (
    actor,
    context: Pick<Context, "db" | "clock">,
    workspaceId: string,
    conversationId: string,
    draft: Draft,
  ): Promise<void> => {
    const memberId = memberOf(actor);
    if (Array.from(draft.text).length > LONGEST)
      throw invalid("text", `must be at most ${LONGEST} characters`);
    if (draft.media.length > MOST_FILES || !draft.media.every(isId))
      throw invalid("media", `must be at most ${MOST_FILES} ids of files`);
    if (!(await findConversation(context, workspaceId, conversationId)))
      throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
    const key = { workspaceId, memberId, conversationId };
    const empty = draft.text === "" && draft.media.length === 0;
    await (empty
      ? dropDraft(context.db, key)
      : putDraft(context.db, key, draft, context.clock.now()));
  },
);
