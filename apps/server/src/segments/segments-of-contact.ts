import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { selectHolds, selectSegmentsNamed } from "./segment-store.ts";
import { compileSegment } from "./segment-sql.ts";

/**
 * Those of these names whose segments a contact is in now. A name without a segment is not among them, nor is one whose
 * rules cannot be read any more. Of segments that share a name one suffices.
 */
export async function segmentsOfContact(
  { db, clock }: Pick<Context, "db" | "clock">,
  workspaceId: string,
  contactId: string,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const held = new Set<string>();
  for (const { name, definition } of await selectSegmentsNamed(db, workspaceId, names))
    try {
      const where = compileSegment(definition, clock.now());
      if (await selectHolds(db, workspaceId, contactId, where)) held.add(name);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  return [...held];
}
