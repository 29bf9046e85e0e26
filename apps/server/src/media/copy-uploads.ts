import { actorName, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import { insertCopies } from "./media-store.ts";
import { UNUSED_MS } from "./upload-media.ts";

/**
 * Copies files of ours, so that another message can carry them. Each copy is an upload of its own: it shares the
 * bytes of its source, and is removed after a day if no message takes it. Returns the id of each copy by the id of
 * its source. Files that no longer exist have no copy.
 */
export async function copyUploads(
  actor: Actor,
  context: Pick<Context, "clock" | "ids">,
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const now = context.clock.now();
  const copies = [...new Set(ids.filter(isId))].map((of) => ({ of, id: context.ids.next() }));
  if (copies.length === 0) return new Map();
  const made = await insertCopies(db, workspaceId, copies, {
    author: actorName(actor),
    deleteAt: new Date(now.getTime() + UNUSED_MS),
    now,
  });
  const idOf = new Map(copies.map(({ of, id }) => [of, id]));
  return new Map([...idOf].filter(([, id]) => made.has(id)));
}
