import type { Queryable, Tx } from "../db/database.ts";
import { selectNaming, selectNamingKinds, writeBodies } from "./rewrite-store.ts";

/**
 * Looks at the next `window` events of a workspace after `after`, and rewrites those that hold one of `words`.
 * `rewrite` gets each body and returns the new one, or null to leave it. It makes no difference whether the event was
 * delivered. Sequences stay. The receivers' answers to rewritten events are deleted, because an answer may repeat the
 * words. `last` is the last event that was looked at, or null at the end.
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

/** Kind, time and number of deliveries of the events that hold one of `words`, among the next `window` events. */
export function findNamingEvents(
  db: Queryable,
  workspaceId: string,
  look: { readonly after: number; readonly window: number; readonly words: readonly string[] },
): ReturnType<typeof selectNamingKinds> {
  return selectNamingKinds(db, workspaceId, look);
}
