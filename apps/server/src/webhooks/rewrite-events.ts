import type { Queryable, Tx } from "../db/database.ts";
import { selectNaming, selectNamingKinds, writeBodies } from "./rewrite-store.ts";

/**
 * Looks at the next `window` events of a workspace and rewrites those that name one of `words` and that `rewrite`
 * changes (null: as it is), whether or not they were delivered. The sequence keeps its numbers. The receivers' answers
 * to them are deleted, because an answer may repeat the words. Gives the last event that was looked at; null: the end.
 */
export async function rewriteEvents(
  tx: Tx,
  workspaceId: string,
  look: { readonly after: number; readonly window: number; readonly words: readonly string[] },
  rewrite: (body: string) => string | null,
): Promise<{ readonly last: number | null; readonly rewritten: number }> {
  const page = await selectNaming(tx, workspaceId, look);
  const changed = page.rows.flatMap(({ sequence, body }) => {
    const next = rewrite(body);
    return next === null ? [] : [{ sequence, body: next }];
  });
  await writeBodies(tx, workspaceId, changed);
  return { last: page.looked < look.window ? null : page.last, rewritten: changed.length };
}

/** Kind, time and number of deliveries of the events that name one of `ids`, within the next `window` events. */
export function findNamingEvents(
  db: Queryable,
  workspaceId: string,
  look: { readonly after: number; readonly window: number; readonly words: readonly string[] },
): ReturnType<typeof selectNamingKinds> {
  return selectNamingKinds(db, workspaceId, look);
}
