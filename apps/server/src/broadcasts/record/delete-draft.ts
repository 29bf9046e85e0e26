import type { Context } from "../../context.ts";
import { notInState } from "../../errors.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { write } from "../../write.ts";
import { broadcastStatusEvent, type Broadcast } from "./broadcast.ts";
import { deleteDraftRows, lockDraft } from "./broadcast-store.ts";
import { findBroadcast } from "./find-broadcast.ts";

/**
 * Deletes a draft. Its tests stay, as campaigns of their own. Receivers learn of it as of a cancelled campaign. `match`
 * throws to refuse. Errors: `BROADCAST_NOT_FOUND`; `NOT_ALLOWED_IN_STATE` unless it is a DRAFT that never had an audience.
 */
export const deleteDraft = write(
  "broadcast.delete",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    match?: (current: Broadcast) => void,
  ): Promise<void> => {
    const { status } = await findBroadcast(context, workspaceId, id);
    const at = context.clock.now();
    await context.db.transaction(async (tx) => {
      const draft = await lockDraft(tx, { workspaceId, id });
      if (draft === null || draft.totalCount > 0) {
        if (draft)
          throw notInState(
            "DRAFT with an audience",
            ["DRAFT without one"],
            "a part of its audience is stored already: cancel it",
          );
        const explanation = `a ${status} campaign cannot be deleted: it must be DRAFT`;
        throw notInState(status, ["DRAFT"], explanation);
      }
      match?.(draft);
      await deleteDraftRows(tx, draft);
      await audit(actor, context, tx, workspaceId, { action: "broadcast.deleted", subject: id });
      const ended = { ...draft, status: "CANCELLED", completedAt: at } as const;
      await emitEvents(context, tx, [broadcastStatusEvent(ended, "DRAFT", at)]);
    });
  },
);
