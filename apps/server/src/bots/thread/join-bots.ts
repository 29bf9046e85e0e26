import type { JoinFollower } from "../../context.ts";
import { moveAnswered } from "../../conversations/handler.ts";
import { moveRuns } from "./run-store.ts";

/**
 * Gives the bot and the runs of a conversation to the one that it is joined into. Who answers there goes on answering: the
 * other's open run ends then.
 */
export const joinBots: JoinFollower = async (tx, joined) => {
  const { workspaceId, fromId, intoId } = joined;
  await moveRuns(tx, joined, await moveAnswered(tx, workspaceId, fromId, intoId));
};
