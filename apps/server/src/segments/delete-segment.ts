import { write } from "../write.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { audit } from "../workspaces/write-audit.ts";
import { deleteSegmentRow } from "./segment-store.ts";

/**
 * Removes a segment; its contacts stay. Refused while a scheduled or started campaign uses it, which is named: its
 * audience would become empty. Drafts do not block it. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE.
 */
export const deleteSegment = write(
  "segment.delete",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "segmentUsers">,
    workspaceId: string,
    id: string,
  ): Promise<void> => {
    await context.db.transaction(async (tx) => {
      const names = isId(id) ? await context.segmentUsers(tx, workspaceId, id) : [];
      if (names.length > 0)
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: `the segment is used by ${names.map((name) => JSON.stringify(name)).join(", ")}`,
        });
      const name = isId(id) ? await deleteSegmentRow(tx, workspaceId, id) : null;
      if (name === null)
        throw new AppError("NOT_FOUND", { explanation: `there is no segment ${id}` });
      await audit(actor, context, tx, workspaceId, {
        action: "segment.deleted",
        subject: id,
        facts: { name },
      });
    });
  },
);
