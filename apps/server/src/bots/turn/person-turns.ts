import type { JoinFollower } from "../../context.ts";
import { moveTurns } from "./turn-store.ts";

export { selectTurns as turnsOf } from "./turn-store.ts";

/** Moves the turns of a conversation that is joined into another one. */
export const moveTurnsOf: JoinFollower = async (tx, { workspaceId, fromId, intoId }) => {
  await moveTurns(tx, workspaceId, fromId, intoId);
  return [];
};
