import type { Queryable, Tx } from "../../db/database.ts";
import type { Person } from "../record/person.ts";
import { selectRefusalsOf, blankRefusals, type RefusalOf } from "./refusal-search-store.ts";

export type Names = Pick<Person, "phones" | "emails" | "externalIds">;

/** Rows of files that were refused and name the person, among the next `window` after a place. */
export function findRefusals(
  db: Queryable,
  workspaceId: string,
  names: Names,
  after: string,
  window: number,
): Promise<{ readonly rows: readonly RefusalOf[]; readonly last: string | null }> {
  return selectRefusalsOf(db, workspaceId, names, after, window);
}

/**
 * Blanks them: that a row was refused stays and is counted, its cells and the words about them go. `after` and the
 * answer's `last` are places; null: it was the end.
 */
export async function eraseRefusals(
  tx: Tx,
  workspaceId: string,
  names: Names,
  after: string,
  window: number,
): Promise<{ readonly last: string | null; readonly blanked: number }> {
  const { rows, last } = await selectRefusalsOf(tx, workspaceId, names, after, window);
  await blankRefusals(tx, workspaceId, rows);
  return { last, blanked: rows.length };
}
