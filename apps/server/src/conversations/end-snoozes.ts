import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import { changeDesk } from "../desk/desk-change.ts";
import { dueSnoozes, isSnoozeDue } from "../desk/snoozes.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { keptAssignee } from "../workspaces/save-profile.ts";
import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import { conversationEvent } from "./conversation.ts";
import { lockShown, writeDesk } from "./conversation-store.ts";

/**
 * Opens the conversations that reached the end of their snooze, up to `limit`, each in a transaction of its own.
 * Returns how many were due. Two processes may find the same one: after it gets the lock, the second one sees that
 * it is done.
 */
export async function endSnoozes(
  context: Pick<Context, "db" | "ids" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const now = context.clock.now();
  const due = await dueSnoozes(context.db, now, limit);
  for (const key of due)
    await context.db.transaction(async (tx) => {
      const before = await lockShown(tx, key.workspaceId, key.id);
      if (!before || !(await isSnoozeDue(tx, key, now))) return;
      const assigneeId = await keptAssignee(tx, before);
      const conversation = { ...before, status: "open", assigneeId } as const;
      await writeDesk(tx, conversation);
      const entry: AuditEntry = { action: "conversation.snooze_ended", subject: key.id };
      await audit(SYSTEM, context, tx, key.workspaceId, entry);
      await emitEvents(context, tx, [conversationEvent("conversation.updated", conversation)]);
      changeDesk(tx, [{ conversation, actedAt: now }]);
    });
  return due.length;
}
