import type { Context } from "../../context.ts";
import type { Conversation } from "../../conversations/conversation.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { changeDesk, previewOf, writerOf, type DeskChange } from "../../desk/desk-change.ts";
import { publishGone } from "../../desk/desk-gone.ts";
import { deskMarks, type DeskMark } from "../../desk/read-desk.ts";
import { deskNews, moveDeskFollow } from "../../webhooks/desk-news.ts";
import { selectLastWords, type LastWord, type LastWords } from "./follow-desk-store.ts";

const WORKSPACES = 500;
/** How many events of one workspace one look reads. */
const WINDOW = 2_000;
const BATCH = 100;

/**
 * Brings into the inbox what its rows were not told when it happened: replies of programs, bots and phone apps,
 * failures, and joined conversations. So the hot path pays nothing for them. Events name the conversations, and the
 * messages say what each row should show. So two processes at the same events write nothing twice. Messages of
 * campaigns change no row. Gives a number above 0 while there may be more to do.
 */
export async function followDesk(context: Pick<Context, "db">): Promise<number> {
  const { db } = context;
  const gone = await publishGone(db);
  const news = await deskNews(db, WORKSPACES, WINDOW);
  const keys = news.flatMap(({ workspaceId, conversationIds }) =>
    conversationIds.map((id) => ({ workspaceId, id })),
  );
  for (let from = 0; from < keys.length; from += BATCH)
    await refreshRows(context, keys.slice(from, from + BATCH));
  if (news.length > 0) await moveDeskFollow(db, news);
  return gone + news.filter(({ looked }) => looked === WINDOW).length;
}

async function refreshRows(
  { db }: Pick<Context, "db">,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const conversations = await lockConversations(tx, keys);
    const [marks, words] = await Promise.all([deskMarks(tx, keys), selectLastWords(tx, keys)]);
    const markOf = new Map(marks.map((one) => [one.id, one]));
    const wordsOf = new Map(words.map((one) => [one.conversationId, one]));
    changeDesk(
      tx,
      conversations.flatMap((conversation) => {
        const said = wordsOf.get(conversation.id);
        return said ? (changeOf(conversation, markOf.get(conversation.id), said) ?? []) : [];
      }),
    );
  });
}

/**
 * What the row lacks. Null when it lacks nothing, or when no customer wrote in the conversation, so that it is not in
 * the inbox.
 */
function changeOf(
  conversation: Conversation,
  mark: DeskMark | undefined,
  { inbound, outbound, answerId }: LastWords,
): DeskChange | null {
  if (!mark && !inbound) return null;
  const isNew = (word: LastWord | null, known: string | null | undefined): word is LastWord =>
    word !== null && word.id > (known ?? "");
  const newIn = isNew(inbound, mark?.lastInboundId);
  const newOut = isNew(outbound, mark?.lastOutboundId);
  const failed = outbound?.status === "failed";
  const isLast = outbound !== null && outbound.id > (inbound?.id ?? "");
  const last = isLast ? outbound : inbound;
  const isAnswered =
    answerId !== null && answerId > (inbound?.id ?? "") && answerId > (mark?.lastOutboundId ?? "");
  const isNoted = mark?.previewSide === "note" && last !== null && mark.deskAt > last.at;
  const change: DeskChange = {
    conversation,
    ...(newIn && { inbound: 1 }),
    ...(newIn && !isAnswered && { waiting: "customer", actedAt: inbound.at }),
    // A message that answers nobody leaves the customer waiting, also when it is the last one.
    ...(newOut && isAnswered && { waiting: "nobody" }),
    ...(newOut && { lastOutboundId: outbound.id }),
    ...(outbound !== null && (mark?.failed ?? false) !== failed && { failed }),
    ...(last !== null &&
      (isLast ? newOut : newIn) &&
      !isNoted && {
        said: {
          id: last.id,
          kind: last.type,
          preview: previewOf(last.text),
          ...(isLast
            ? { side: "us" as const, by: writerOf(last.source, last.author) }
            : { side: "customer" as const, by: null }),
        },
      }),
  };
  const { conversation: _, ...changed } = change;
  return Object.keys(changed).length > 0 || !mark || isOther(conversation, mark) ? change : null;
}

/** Whether the conversation has changed since its row was written. */
const isOther = (conversation: Conversation, mark: DeskMark): boolean =>
  conversation.status !== mark.status ||
  conversation.assigneeId !== mark.assigneeId ||
  conversation.unreadCount > 0 !== mark.unread ||
  conversation.windowExpiresAt?.getTime() !== mark.windowExpiresAt?.getTime() ||
  conversation.labels.join("\n") !== mark.labels.join("\n");
