import type { Context, JoinFollower } from "../../context.ts";
import { deleteAssistsBefore, endLostAssists, moveAssists } from "./assist-store.ts";

/** Two months: the costs of this month and the one before can be shown. */
const KEPT_MS = 62 * 86_400_000;

/** Moves the calls of a conversation that is joined into another one. */
export const moveAssistsOf: JoinFollower = async (tx, { workspaceId, fromId, intoId }) => {
  await moveAssists(tx, workspaceId, fromId, intoId);
  return [];
};

/** Gives back what calls of lost processes hold. Gives how many. */
export const sweepAssists = (context: Pick<Context, "db" | "clock">, limit: number) =>
  endLostAssists(context.db, context.clock.now(), limit);

/** Deletes what is older than two months. Gives how many. */
export const pruneAssists = (context: Pick<Context, "db" | "clock">): Promise<number> =>
  deleteAssistsBefore(context.db, new Date(context.clock.now().getTime() - KEPT_MS));
