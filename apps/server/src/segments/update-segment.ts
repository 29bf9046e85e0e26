import { write } from "../write.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import type { Context } from "../context.ts";
import { audit } from "../workspaces/write-audit.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { checkedSegmentName, checkNameIsFree } from "./create-segment.ts";
import { parseDefinition } from "./parse-definition.ts";
import { lockNames, lockSegment, updateSegmentRow } from "./segment-store.ts";
import type { SegmentJson } from "../wire/segment.ts";

const CHANGEABLE = ["name", "definition"] as const;

/**
 * Gives a segment another name or definition; what is left out stays. A campaign that has stored its audience
 * keeps it; a scheduled one reads the definition when it starts. A new definition has no count until the worker
 * made one. `match` is called under its lock. Throws NOT_FOUND, VALIDATION_FAILED, NAME_TAKEN.
 */
export const updateSegment = write(
  "segment.update",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    id: string,
    patch: { readonly name?: string | undefined; readonly definition?: unknown },
    match: (current: SegmentJson) => void = () => {},
  ): Promise<SegmentJson> => {
    const name = patch.name === undefined ? null : checkedSegmentName(patch.name);
    if (patch.definition !== undefined)
      parseDefinition(patch.definition, await attributeDefinitions(context, workspaceId));
    return context.db.transaction(async (tx) => {
      if (name !== null) await lockNames(tx, workspaceId);
      const before = isId(id) ? await lockSegment(tx, workspaceId, id) : undefined;
      if (!before) throw new AppError("NOT_FOUND", { explanation: "there is no such segment" });
      match(before);
      if (name !== null && name !== before.name) await checkNameIsFree(tx, workspaceId, name, id);
      const [segment] = await updateSegmentRow(tx, {
        workspaceId,
        id,
        name: name ?? before.name,
        definition: JSON.stringify(patch.definition ?? before.definition),
        at: context.clock.now(),
      });
      if (!segment) throw new AppError("NOT_FOUND");
      await audit(actor, context, tx, workspaceId, {
        action: "segment.updated",
        subject: id,
        facts: { changed: CHANGEABLE.filter((field) => patch[field] !== undefined) },
      });
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      return segment;
    });
  },
);
