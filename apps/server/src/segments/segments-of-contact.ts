import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Sql } from "../db/sql.ts";
import { selectFits, selectSegmentsKnownAs } from "./segment-store.ts";
import { compileSegment } from "./segment-sql.ts";
import type { Definition } from "./segment.ts";

/** A segment that a flow names: by the name that it had then, and by its id where that was kept. */
export interface KnownSegment {
  readonly name: string;
  readonly id?: string | undefined;
}

/**
 * Those of these segments that a contact is in now, by the names under which they were known. One that is no longer there is
 * not among them, nor is one whose rules cannot be read any more. Of segments that share a name one suffices.
 */
export async function segmentsOfContact(
  { db, clock }: Pick<Context, "db" | "clock">,
  workspaceId: string,
  contactId: string,
  known: readonly KnownSegment[],
): Promise<string[]> {
  if (known.length === 0) return [];
  const ids = known.flatMap(({ id }) => id ?? []);
  const names = known.flatMap(({ id, name }) => (id === undefined ? name : []));
  const found = await selectSegmentsKnownAs(db, workspaceId, ids, names);
  const segments = known.flatMap(({ name, id }) =>
    found
      .filter((one) => (id === undefined ? one.name === name : one.id === id))
      .flatMap(({ definition }) => {
        const where = readable(definition, clock.now());
        return where ? [{ name, where }] : [];
      }),
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
