import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { GapReason } from "../wire/knowledge.ts";
import { insertGap, selectOpenQuestions } from "./gap-store.ts";
import { gramsOfWord } from "./grams.ts";
import { queryWords } from "./expand-query.ts";
import { langOf } from "./source.ts";

/** Newest open questions that a new one is compared with. */
const COMPARED = 300;
/** Two questions are alike when their content words share this much of their letter grams (Jaccard). */
const ALIKE = 0.5;
/** The longest question that is kept, in characters. */
const LONGEST = 300;

/**
 * Keeps a question that the knowledge did not answer, in the transaction that handed the conversation over. Alike open
 * questions share a group. An empty question is not kept.
 */
export async function recordGap(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  given: {
    readonly question: string;
    readonly why: GapReason;
    readonly contactId: string | null;
    readonly conversationId: string | null;
    readonly botId: string | null;
  },
): Promise<void> {
  const question = given.question.replaceAll(/\s+/gu, " ").trim().slice(0, LONGEST).toWellFormed();
  if (!/\p{L}/u.test(question)) return;
  const own = gramSet(question);
  const id = context.ids.next();
  const open = await selectOpenQuestions(tx, workspaceId, COMPARED);
  const alike = open.find((one) => similarity(own, gramSet(one.question)) >= ALIKE);
  await insertGap(tx, workspaceId, {
    ...given,
    id,
    groupId: alike?.groupId ?? id,
    question,
    lang: langOf(question),
    askedAt: context.clock.now(),
  });
}

const gramSet = (question: string): ReadonlySet<string> =>
  new Set(queryWords(question).flatMap(gramsOfWord));

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of a) if (b.has(gram)) shared += 1;
  return shared / (a.size + b.size - shared || 1);
}
