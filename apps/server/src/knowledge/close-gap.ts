import type { Actor } from "../actor.ts";
import type { Context, JoinFollower, MergeFollower } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { knowledgeOperations } from "../operations/knowledge.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import {
  closeGroup,
  deleteGapsOf,
  isAskedByOthers,
  lockGroup,
  moveGapsOfContact,
  moveGapsOfThread,
  selectAsker,
  selectGapsOf,
  selectGroups,
  type GapRow,
  deleteGapsBefore,
} from "./gap-store.ts";
import { nextVersion } from "./knowledge-store.ts";
import { idOf, notFound } from "./source-id.ts";
import { lockSource } from "./source-store.ts";
import { insertSnippet, rewriteSnippet } from "./write-snippet.ts";

type GapContext = Pick<Context, "db" | "ids" | "clock" | "wake">;
/** The most ways to ask that a snippet keeps. */
const MOST_ASKED_AS = 50;

/** Open questions, the last asked first. */
export const listGaps = perform(
  knowledgeOperations.listGaps,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const after = cursorOf(cursor);
    const groups = await selectGroups(db, workspaceId, { after, limit: limit + 1 });
    const { items, last } = cutPage(groups, limit);
    return {
      items: items.map(({ last: _last, lastAskedAt, ...one }) => ({
        ...one,
        lastAskedAt: lastAskedAt.toISOString(),
      })),
      nextCursor: last?.id ?? null,
    };
  },
);

/** Closes a group of questions. Throws NOT_FOUND, and VALIDATION_FAILED without exactly one of answer and notOurs. */
export const closeGap = perform(
  knowledgeOperations.closeGap,
  async (actor, context: GapContext, workspaceId, input, { keep }) => {
    const ours = input.notOurs !== true;
    if (ours === (input.answer === undefined))
      throw invalid("answer", "must be given, or notOurs as true; not both");
    if (!isId(input.id)) throw noGap();
    return context.db.transaction(async (tx) => {
      // Before the group's rows: as every change of knowledge does.
      if (ours) await nextVersion(tx, workspaceId, context.clock.now());
      const asked = await lockGroup(tx, workspaceId, input.id);
      if (asked.length === 0) throw noGap();
      const sourceId =
        input.answer === undefined
          ? null
          : await answerGap(actor, context, tx, workspaceId, asked, {
              ...input,
              answer: input.answer,
            });
      await closeGroup(tx, workspaceId, input.id, {
        state: sourceId === null ? "not_ours" : "answered",
        sourceId,
        at: context.clock.now(),
      });
      await audit(actor, context, tx, workspaceId, {
        action: "gap.closed",
        subject: input.id,
        facts: { asked: asked.length, sourceId },
      });
      return keep(tx, { sourceId });
    });
  },
);

async function answerGap(
  actor: Actor,
  context: GapContext,
  tx: Tx,
  workspaceId: string,
  asked: readonly GapRow[],
  input: {
    readonly answer: string;
    readonly sourceId?: string | undefined;
    readonly title?: string | undefined;
  },
): Promise<string> {
  const words = [...new Set(asked.map(({ question }) => question))];
  if (input.sourceId === undefined) {
    const title = input.title ?? words[0]?.slice(0, 200) ?? "";
    const made = await insertSnippet(actor, context, tx, workspaceId, {
      title,
      text: input.answer,
      askedAs: words.slice(0, MOST_ASKED_AS),
    });
    return made.id;
  }
  const source = await lockSource(tx, workspaceId, { id: idOf(input.sourceId) });
  if (!source) throw notFound();
  if (source.kind !== "snippet")
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "an answer goes into a snippet" });
  await rewriteSnippet(actor, context, tx, workspaceId, source, {
    answer: input.answer,
    askedAs: [...new Set([...source.askedAs, ...words])].slice(0, MOST_ASKED_AS),
  });
  return source.id;
}

/** The contact whose words a question of a group is. Throws NOT_FOUND. */
export async function askerOf(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  groupId: string,
  question: string,
): Promise<string | null> {
  const asked = isId(groupId) ? await selectAsker(db, workspaceId, groupId, question) : null;
  if (!asked) throw noGap();
  return asked.contactId;
}

const noGap = (): AppError =>
  new AppError("NOT_FOUND", { explanation: "there is no such open question" });

/** The questions of the merged contact become the other one's. */
export const mergeGaps: MergeFollower = async (_context, tx, { workspaceId, mergedId, keepId }) => {
  await moveGapsOfContact(tx, workspaceId, { mergedId, keepId });
  return [];
};

/** Questions follow their conversation into the one that it is joined with. */
export const joinGaps: JoinFollower = async (tx, { workspaceId, fromId, intoId }) => {
  await moveGapsOfThread(tx, workspaceId, { fromId, intoId });
  return [];
};

/** What a person asked and no source answered, for the export. */
export const personGaps = selectGapsOf;

/**
 * Deletes some of what contacts asked, also from the snippets that their words went into. Gives how many; 0 is the end.
 */
export async function eraseGaps(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<number> {
  await nextVersion(tx, workspaceId, context.clock.now());
  const gone = await deleteGapsOf(tx, workspaceId, contactIds, limit);
  for (const { question, sourceId } of gone) {
    if (sourceId === null || (await isAskedByOthers(tx, workspaceId, sourceId, question))) continue;
    const source = await lockSource(tx, workspaceId, { id: sourceId });
    if (!source?.askedAs.includes(question)) continue;
    await rewriteSnippet("system", context, tx, workspaceId, source, {
      askedAs: source.askedAs.filter((one) => one !== question),
      // A snippet that was made of the question has it as its title.
      ...(source.title === question.slice(0, 200) && { title: "…" }),
    });
  }
  return gone.length;
}

/** Deletes questions that customers asked, with ids below this one. Snippets that were made of them stay. Gives how many. */
export const expireGaps = deleteGapsBefore;
