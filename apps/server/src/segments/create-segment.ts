import { write } from "../write.ts";
import type { Context } from "../context.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { Tx } from "../db/database.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { AppError, invalid } from "../errors.ts";
import { parseDefinition } from "./parse-definition.ts";
import { insertSegment, lockNames, selectIdOfName } from "./segment-store.ts";
import type { SegmentJson } from "../wire/segment.ts";

const MAX_NAME = 200;

/**
 * Saves a segment. The definition is stored as it was given; an invalid rule is refused by name (contract §5,
 * Segments). A worker makes the count for display soon after. Throws VALIDATION_FAILED,
 * and NAME_TAKEN when another segment has the name.
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
      await checkNameIsFree(tx, workspaceId, name, null);
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

/**
 * Makes sure that no other segment than `own` has the name, until the transaction ends. Older segments may share one: they
 * stay. Throws NAME_TAKEN.
 */
export async function checkNameIsFree(
  tx: Tx,
  workspaceId: string,
  name: string,
  own: string | null,
): Promise<void> {
  await lockNames(tx, workspaceId);
  const other = await selectIdOfName(tx, workspaceId, name, own);
  if (other !== null)
    throw new AppError("NAME_TAKEN", {
      details: [{ path: "name", message: `is the name of the segment ${other}` }],
    });
}
