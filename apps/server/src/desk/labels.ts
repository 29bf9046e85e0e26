import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isStorable } from "../lib/storable.ts";
import { labels } from "../operations/labels.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { perform } from "../write.ts";
import { selectLabel, selectLabels, type Label } from "./label-store.ts";

export { dropLabel, selectLabelled, upsertLabel, type Label } from "./label-store.ts";

/** As many labels as the inbox shows. */
const ALL = 1_000;

/** The workspace's labels that have a color, by name; the first 1,000. */
export function labelsOf(db: Queryable, workspaceId: string): Promise<Label[]> {
  return selectLabels(db, workspaceId, { after: "", limit: ALL });
}

export const listLabels = perform(
  labels.listLabels,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { cursor = "", limit = PAGE_ITEMS }) => {
    const found = await selectLabels(db, workspaceId, { after: cursor, limit: limit + 1 });
    const items = found.slice(0, limit);
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.name ?? null) : null };
  },
);

export const readLabel = perform(
  labels.readLabel,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { name }) => {
    const label = isStorable(name)
      ? await selectLabel(db, workspaceId, name.trim().toLowerCase())
      : null;
    if (!label) throw new AppError("NOT_FOUND", { explanation: "no such label" });
    return label;
  },
);
