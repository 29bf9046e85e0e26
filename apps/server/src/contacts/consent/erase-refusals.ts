import type { Queryable, Tx } from "../../db/database.ts";
import type { Person } from "../record/person.ts";
import { selectRefusalsOf, blankRefusals, type RefusalOf } from "./refusal-search-store.ts";

export type Names = Pick<Person, "phones" | "emails" | "externalIds">;

/** Refused rows of files that name the person, among the next `window` rows after a place. */
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
 * Blanks these rows: the refusal stays and is counted, the cells and the reason's words go. `after` and the
 * answer's `last` are places; null means the end.
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
