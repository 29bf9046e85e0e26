import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { audit, type AuditEntry } from "../../workspaces/write-audit.ts";
import { write } from "../../write.ts";
import {
  dropConsentWord,
  selectConsentWords,
  upsertConsentWord,
  type ConsentWord,
} from "./consent-word-store.ts";
import { mayBeConsentWord, readConsentWord, spellingOf, type OwnWords } from "./stop-words.ts";

export type { ConsentWord } from "./consent-word-store.ts";

/** How many words of its own a workspace may have. */
const MOST = 100;

/** The workspace's own opt-out and opt-in words. */
export async function listOwnWords(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<ConsentWord[]> {
  return selectConsentWords(context.db, [workspaceId]);
}

/**
 * The own words of the workspaces, by workspace, that received a text which may be such a word. Reads nothing when
 * there is no such text.
 */
export async function ownWordsFor(
  db: Queryable,
  texts: readonly { readonly workspaceId: string; readonly text: string | null }[],
): Promise<ReadonlyMap<string, OwnWords>> {
  const asked = texts.filter(({ text }) => text !== null && mayBeConsentWord(text));
  if (asked.length === 0) return new Map();
  const rows = await selectConsentWords(db, [
    ...new Set(asked.map(({ workspaceId }) => workspaceId)),
  ]);
  const found = new Map<string, Map<string, ConsentWord["wish"]>>();
  for (const { workspaceId, word, wish } of rows) {
    const words = found.get(workspaceId) ?? new Map<string, ConsentWord["wish"]>();
    found.set(workspaceId, words.set(word, wish));
  }
  return found;
}

type WordContext = Pick<Context, "db" | "ids" | "clock">;

/**
 * Adds a word: a message of only this word opts its sender out, or in again. Throws VALIDATION_FAILED for a text
 * that cannot be a word, for a word that every workspace has, and for the 101st.
 */
export const addOwnWord = write(
  "consent_word.add",
  async (
    actor,
    context: WordContext,
    workspaceId: string,
    { text, wish }: { readonly text: string; readonly wish: ConsentWord["wish"] },
  ): Promise<ConsentWord> => {
    const shown = text.trim();
    if (!mayBeConsentWord(shown)) throw invalid("text", "must be a word or two, of letters");
    if (readConsentWord(shown) !== null) throw invalid("text", "is already a built-in stop word");
    const word = { word: spellingOf(shown), wish, shown };
    await context.db.transaction(async (tx) => {
      if (!(await upsertConsentWord(tx, workspaceId, word, MOST)))
        throw invalid("text", `there are ${MOST} words already: remove one first`);
      const entry: AuditEntry = {
        action: "consent_word.added",
        subject: word.word,
        facts: { wish },
      };
      await audit(actor, context, tx, workspaceId, entry);
    });
    return word;
  },
);

/** Removes a word. Consents that it changed stay. Throws NOT_FOUND. */
export const removeOwnWord = write(
  "consent_word.remove",
  async (actor, context: WordContext, workspaceId: string, text: string): Promise<void> => {
    const word = spellingOf(text);
    await context.db.transaction(async (tx) => {
      if (!(await dropConsentWord(tx, workspaceId, word)))
        throw new AppError("NOT_FOUND", { explanation: "this is no word of the workspace" });
      await audit(actor, context, tx, workspaceId, {
        action: "consent_word.removed",
        subject: word,
      });
    });
  },
);
