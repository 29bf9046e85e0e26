import type { Context, MergeFollower } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { moveCasesOf, selectCasesOf } from "./case-store.ts";
import { removeCases } from "./write-case.ts";

/** The most cases of a person that the export lists. */
const MOST = 1_000;

/** The cases that a person's words were made into, for the export. */
export const personCases = (
  tx: Context["db"],
  workspaceId: string,
  contactIds: readonly string[],
) => selectCasesOf(tx, workspaceId, contactIds, MOST);

/** Deletes some cases with the words of contacts, and their answers. Gives how many; 0 is the end. */
export async function eraseCases(
  context: Pick<Context, "clock">,
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<number> {
  const found = await selectCasesOf(tx, workspaceId, contactIds, limit);
  if (found.length > 0)
    await removeCases(
      context,
      tx,
      workspaceId,
      found.map(({ id }) => id),
    );
  return found.length;
}

/** The cases of the merged contact become the other one's. */
export const mergeCases: MergeFollower = async (
  _context,
  tx,
  { workspaceId, mergedId, keepId },
) => {
  await moveCasesOf(tx, workspaceId, { mergedId, keepId });
  return [];
};
