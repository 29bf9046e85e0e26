import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { dropLabel, selectLabelled, upsertLabel } from "../desk/labels.ts";
import { AppError, invalid } from "../errors.ts";
import { isStorable } from "../lib/storable.ts";
import { audit } from "../workspaces/write-audit.ts";
import { labels } from "../operations/labels.ts";
import { perform } from "../write.ts";
import { tidyLabels, updateWithin } from "./update-conversation.ts";

/** Conversations of one round; then it looks for more. */
const BATCH = 200;

/**
 * Gives a label its color, and a new name if one is given: conversations of the inbox with the old name get the
 * new one, each by a change of its own. After an interruption, calling it again finishes the work. Throws
 * VALIDATION_FAILED.
 */
export const putLabel = perform(
  labels.putLabel,
  async (actor, context: Context, workspaceId, { name: old, color, newName }) => {
    const from = nameOf(old);
    const name = newName === undefined ? from : nameOf(newName, "newName");
    await context.db.transaction(async (tx) => {
      await upsertLabel(tx, workspaceId, { name, color });
      await audit(actor, context, tx, workspaceId, {
        action: "label.put",
        subject: name,
        facts: { color, ...(name !== from && { from }) },
      });
    });
    if (name !== from) {
      await relabel(actor, context, workspaceId, from, [name]);
      await dropLabel(context.db, workspaceId, from);
    }
    return { name, color };
  },
);

/** Removes a label from the workspace and from its conversations in the inbox. Throws NOT_FOUND. */
export const deleteLabel = perform(
  labels.deleteLabel,
  async (actor, context: Context, workspaceId, { name: named }) => {
    const name = nameOf(named);
    const relabelled = await relabel(actor, context, workspaceId, name, []);
    await context.db.transaction(async (tx) => {
      if (!(await dropLabel(tx, workspaceId, name)) && relabelled === 0)
        throw new AppError("NOT_FOUND", { explanation: "no such label" });
      await audit(actor, context, tx, workspaceId, { action: "label.deleted", subject: name });
    });
    return {};
  },
);

async function relabel(
  actor: Actor,
  context: Context,
  workspaceId: string,
  from: string,
  addLabels: readonly string[],
): Promise<number> {
  for (let changed = 0; ;) {
    const ids = await selectLabelled(context.db, workspaceId, from, BATCH);
    for (const id of ids)
      await context.db.transaction((tx) =>
        updateWithin(actor, context, tx, workspaceId, id, { addLabels, removeLabels: [from] }),
      );
    changed += ids.length;
    if (ids.length < BATCH) return changed;
  }
}

function nameOf(text: string, path = "name"): string {
  const [name] = tidyLabels([text]);
  if (name === undefined || Array.from(name).length > 80 || !isStorable(name))
    throw invalid(path, "must be 1 to 80 characters, none of them U+0000");
  return name;
}
