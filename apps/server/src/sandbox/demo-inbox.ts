import { DEMO, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { conversationOfCustomer } from "../conversations/find-conversation.ts";
import { putLabel } from "../conversations/put-label.ts";
import { updateConversation } from "../conversations/update-conversation.ts";
import { writeNote } from "../inbox/notes.ts";
import { createSavedReply } from "../inbox/write-saved-reply.ts";
import { createView } from "../inbox/write-view.ts";
import { DEMO_LABELS, DEMO_SAVED_REPLIES, DEMO_TALKS, demoPhone } from "./demo-data.ts";

const SNOOZE_MS = 18 * 3_600_000;

/**
 * Does a team's work in the demo's WhatsApp conversations: notes, labels, assignments to the owner, a snooze and an end.
 * It also makes the saved replies and a view. `owner` is a member.
 */
export async function workTheInbox(
  owner: Actor,
  context: Context,
  workspaceId: string,
  channelId: string,
): Promise<void> {
  for (const label of DEMO_LABELS) await putLabel(DEMO, context, workspaceId, label);
  for (const reply of DEMO_SAVED_REPLIES)
    await createSavedReply(owner, context, workspaceId, { ...reply, shared: true });
  await createView(owner, context, workspaceId, {
    name: "Urgent or failed",
    filter: {
      all: [
        [{ field: "status", any: ["open"] }],
        [
          { field: "failed", is: true },
          { field: "label", any: ["urgent"] },
        ],
      ],
    },
    shared: true,
  });
  const assigneeId = owner.kind === "member" ? owner.memberId : null;
  const until = new Date(context.clock.now().getTime() + SNOOZE_MS);
  // The oldest first: a note puts its conversation at the top of the list.
  for (const { contact, note, labels, mine, state } of DEMO_TALKS.toReversed()) {
    const id = await conversationOfCustomer(context.db, workspaceId, channelId, demoPhone(contact));
    if (id === null) continue;
    if (note !== undefined) await writeNote(owner, context, workspaceId, { id, text: note });
    await updateConversation(owner, context, workspaceId, id, {
      ...(labels && { labels }),
      ...(mine && { assigneeId }),
      ...(state && { status: state }),
      ...(state === "snoozed" && { until }),
    });
  }
}
