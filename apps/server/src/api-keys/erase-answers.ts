import type { Tx } from "../db/database.ts";
import { rewriteAnswers, selectAnswers } from "./answer-store.ts";

/**
 * Answers that are kept for repeated requests and name one of these ids are written anew by `rewrite` (null: as it is).
 * They stay, so that a repeated request does not make the contact again. Gives how many.
 */
export async function eraseAnswers(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  rewrite: (body: string) => string | null,
): Promise<number> {
  const rows = await selectAnswers(tx, workspaceId, ids);
  const changed = rows.flatMap((row) => {
    const body = rewrite(row.body);
    return body === null ? [] : [{ ...row, body }];
  });
  await rewriteAnswers(tx, workspaceId, changed);
  return changed.length;
}
