import { write } from "../write.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { SegmentJson } from "../wire/segment.ts";
import { deleteSegmentRow, lockSegment } from "./segment-store.ts";

/**
 * Removes a segment; its contacts stay. Refused while a scheduled or started campaign uses it, or a flow asks for it that
 * answers or is paused; these are named. Drafts do not block it. `match` is called under its lock. Throws NOT_FOUND,
 * NOT_ALLOWED_IN_STATE.
 */
export const deleteSegment = write(
  "segment.delete",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "segmentUsers">,
    workspaceId: string,
    id: string,
    match: (current: SegmentJson) => void = () => {},
  ): Promise<void> => {
    await context.db.transaction(async (tx) => {
      const current = isId(id) ? await lockSegment(tx, workspaceId, id) : undefined;
      if (!current) throw new AppError("NOT_FOUND", { explanation: "there is no such segment" });
      match(current);
      const names: string[] = [];
      for (const users of context.segmentUsers) names.push(...(await users(tx, workspaceId, id)));
      if (names.length > 0)
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: `the segment is used by ${names.map((name) => JSON.stringify(name)).join(", ")}`,
        });
      await deleteSegmentRow(tx, workspaceId, id);
      await audit(actor, context, tx, workspaceId, {
        action: "segment.deleted",
        subject: id,
        facts: { name: current.name },
      });
    });
  },
);
