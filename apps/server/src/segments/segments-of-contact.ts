import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Sql } from "../db/sql.ts";
import { selectFits, selectSegmentsNamed } from "./segment-store.ts";
import { compileSegment } from "./segment-sql.ts";
import type { Definition } from "./segment.ts";

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
  const segments = (await selectSegmentsNamed(db, workspaceId, names)).flatMap(
    ({ name, definition }) => {
      const where = readable(definition, clock.now());
      return where ? [{ name, where }] : [];
    },
  );
  if (segments.length === 0) return [];
  const conditions = segments.map(({ where }) => where);
  const fits = await selectFits(db, workspaceId, contactId, conditions);
  return [...new Set(segments.flatMap(({ name }, n) => (fits[n] ? [name] : [])))];
}

function readable(definition: Definition, now: Date): Sql | null {
  try {
    return compileSegment(definition, now);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
