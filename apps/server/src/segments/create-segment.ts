import { write } from "../write.ts";
import type { Context } from "../context.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { Tx } from "../db/database.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { invalid } from "../errors.ts";
import { parseDefinition } from "./parse-definition.ts";
import { insertSegment } from "./segment-store.ts";
import type { SegmentJson } from "../wire/segment.ts";

const MAX_NAME = 200;

/**
 * Saves a segment. The definition is stored as it was given; an invalid rule is refused by name (contract §5,
 * Segments). A worker makes the count for display soon after. Throws VALIDATION_FAILED.
 */
export const createSegment = write(
  "segment.create",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    input: { readonly name: string; readonly definition: unknown },
    options: { readonly within?: (tx: Tx, segment: SegmentJson) => Promise<void> } = {},
  ): Promise<SegmentJson> => {
    const name = checkedSegmentName(input.name);
    parseDefinition(input.definition, await attributeDefinitions(context, workspaceId));
    const definition = JSON.stringify(input.definition);
    return context.db.transaction(async (tx) => {
      const [segment] = await insertSegment(tx, {
        workspaceId,
        id: context.ids.next(),
        name,
        definition,
        createdAt: context.clock.now(),
      });
      if (!segment) throw new Error("the segment was not stored");
      await audit(actor, context, tx, workspaceId, {
        action: "segment.created",
        subject: segment.id,
      });
      await options.within?.(tx, segment);
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      return segment;
    });
  },
);

/** A segment's name, trimmed. Throws VALIDATION_FAILED. */
export function checkedSegmentName(given: unknown): string {
  const name = typeof given === "string" ? given.trim() : "";
  if (
    name === "" ||
    Array.from(name).length > MAX_NAME ||
    !name.isWellFormed() ||
    name.includes("\0")
  ) {
    throw invalid("name", `must be text of 1 to ${MAX_NAME} characters`);
  }
  return name;
}
