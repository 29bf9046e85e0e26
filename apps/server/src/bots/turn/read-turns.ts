import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { PAGE_ITEMS } from "../../operations/page.ts";
import { turnOperations } from "../../operations/turns.ts";
import type { TurnJson } from "../../wire/turn.ts";
import { perform } from "../../write.ts";
import { selectBot } from "../record/bot-store.ts";
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

/** The turns of a bot, newest first. Throws NOT_FOUND. */
export const listTurns = perform(
  turnOperations.listTurns,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, cursor, limit = PAGE_ITEMS }) => {
    const bot = isId(id) ? await selectBot(context.db, workspaceId, id) : null;
    if (!bot) throw new AppError("NOT_FOUND", { explanation: "no such bot" });
    const most = Math.min(limit, MOST);
    const before = cursor !== undefined && isId(cursor) ? cursor : null;
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
    const turn = await selectTurn(context.db, workspaceId, id);
    if (!turn) throw noTurn();
    return presentTurn(turn);
  },
);

/** What a member thinks of an answer. Throws NOT_FOUND. */
export const rateTurn = perform(
  turnOperations.rateTurn,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, good, why }, { keep }) =>
    context.db.transaction(async (tx) => {
      const rated = await rateTurnRow(tx, workspaceId, id, { good, why: why ?? null });
      const turn = rated ? await selectTurn(tx, workspaceId, id) : null;
      if (!turn) throw noTurn();
      return keep(tx, presentTurn(turn));
    }),
);
