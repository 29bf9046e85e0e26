import type { Queryable } from "../db/database.ts";
import { selectLabels, type Label } from "./label-store.ts";

export { dropLabel, selectLabelled, upsertLabel, type Label } from "./label-store.ts";

/** The workspace's labels that have a color, by name. */
export function labelsOf(db: Queryable, workspaceId: string): Promise<Label[]> {
  return selectLabels(db, workspaceId);
}
