import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { recordGap } from "../../knowledge/record-gap.ts";
import { cursorOf } from "../../lib/cut-page.ts";
import { isId } from "../../lib/ids.ts";
import { PAGE_ITEMS } from "../../operations/page.ts";
import { turnOperations } from "../../operations/turns.ts";
import type { TurnJson } from "../../wire/turn.ts";
import { perform } from "../../write.ts";
import { selectBot } from "../record/bot-store.ts";
import { selectNewest } from "../thread/talk-store.ts";
import { lastWords } from "./think.ts";
import { rateTurnRow, selectTurn, selectTurns, type Turn } from "./turn-store.ts";

const MOST = 200;

/** A turn as members see it. */
export const presentTurn = ({ runId: _run, ratedGood, rating, ...turn }: Turn): TurnJson => ({
  ...turn,
  text: turn.text ?? "",
  createdAt: turn.createdAt.toISOString(),
  settledAt: turn.settledAt?.toISOString() ?? null,
  good: ratedGood,
  why: rating,
});

const noTurn = () => new AppError("NOT_FOUND", { explanation: "no such turn" });

/** The turns of a bot, newest first. Throws NOT_FOUND, and VALIDATION_FAILED for a cursor that no page gave. */
export const listTurns = perform(
  turnOperations.listTurns,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, cursor, limit = PAGE_ITEMS }) => {
    const bot = isId(id) ? await selectBot(context.db, workspaceId, id) : null;
    if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
    const most = Math.min(limit, MOST);
    const before = cursorOf(cursor);
    const found = await selectTurns(
      context.db,
      workspaceId,
      { botId: id },
      { before, limit: most + 1 },
    );
    const items = found.slice(0, most).map(presentTurn);
    return { items, nextCursor: found.length > most ? (items.at(-1)?.id ?? null) : null };
  },
);

/** The newest turns of a bot or of a conversation, for the command line. */
export async function recentTurns(
  context: Pick<Context, "db">,
  workspaceId: string,
  of: { readonly botId: string } | { readonly conversationId: string },
): Promise<TurnJson[]> {
  const found = await selectTurns(context.db, workspaceId, of, { before: null, limit: MOST });
  return found.map(presentTurn);
}

/** One turn. Throws NOT_FOUND. */
export const readTurn = perform(
  turnOperations.readTurn,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    const turn = isId(id) ? await selectTurn(context.db, workspaceId, id) : null;
    if (!turn) throw noTurn();
    return presentTurn(turn);
  },
);

/** What a member thinks of an answer. A bad one leaves its question as a gap, once. Throws NOT_FOUND. */
export const rateTurn = perform(
  turnOperations.rateTurn,
  async (_actor, context: Context, workspaceId, { id, good, why }, { keep }) => {
    const before = isId(id) ? await selectTurn(context.db, workspaceId, id) : null;
    if (!before) throw noTurn();
    const thread = await findConversation(context, workspaceId, before.conversationId);
    return context.db.transaction(async (tx) => {
      const newlyBad = await rateTurnRow(tx, workspaceId, id, { good, why: why ?? null });
      const turn = await selectTurn(tx, workspaceId, id);
      if (!turn) throw noTurn();
      if (newlyBad) await leaveGap(context, tx, workspaceId, turn, thread?.contactId ?? null);
      return keep(tx, presentTurn(turn));
    });
  },
);

/** Keeps the question that a turn answered badly, for a member to answer. */
async function leaveGap(
  context: Context,
  tx: Tx,
  workspaceId: string,
  { conversationId, botId, createdAt, messageId }: Turn,
  contactId: string | null,
): Promise<void> {
  const talk = await selectNewest(tx, { workspaceId, conversationId });
  const before = talk
    .filter(({ id, at }) => (messageId === null ? at <= createdAt : id < messageId))
    .reverse();
  await recordGap(context, tx, workspaceId, {
    question: lastWords(before),
    why: "rated_bad",
    contactId,
    conversationId,
    botId,
  });
}
