import type { Context } from "../context.ts";
import { knowledgeOperations } from "../operations/knowledge.ts";
import { withTag } from "../lib/version-tag.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { nextVersion, replaceSynonyms, selectSynonyms } from "./knowledge-store.ts";

/** The workspace's own words of one meaning. */
export const readSynonyms = perform(
  knowledgeOperations.readSynonyms,
  async (_actor, { db }: Pick<Context, "db">, workspaceId) =>
    withTag({ groups: await selectSynonyms(db, workspaceId) }),
);

/**
 * Replaces them. Words are trimmed, each once in its group; a group of one word is dropped. Throws VERSION_MISMATCH.
 */
export const saveSynonyms = perform(
  knowledgeOperations.saveSynonyms,
  async (actor, context: Pick<Context, "db" | "ids" | "clock">, workspaceId, input, { match }) => {
    const groups = input.groups
      .map((group) => [...new Set(group.map((word) => word.trim()).filter((word) => word !== ""))])
      .filter((group) => group.length > 1);
    await context.db.transaction(async (tx) => {
      await nextVersion(tx, workspaceId, context.clock.now());
      match({ groups: await selectSynonyms(tx, workspaceId) });
      await replaceSynonyms(tx, workspaceId, groups);
      await audit(actor, context, tx, workspaceId, {
        action: "knowledge.synonyms_saved",
        subject: workspaceId,
        facts: { groups: groups.length },
      });
    });
    return withTag({ groups });
  },
);
