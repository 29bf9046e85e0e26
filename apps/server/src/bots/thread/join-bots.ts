import type { JoinFollower, ThreadJoin } from "../../context.ts";
import {
  isAssigned,
  moveAnswered,
  moveDue,
  insertDue,
  selectAnswered,
  writeAnswered,
  type AnsweredThread,
} from "../../conversations/handler.ts";
import type { Tx } from "../../db/database.ts";
import { endRuns, moveRuns } from "./run-store.ts";
import { hasPersonSince } from "./talk-store.ts";

const BEGINNING = new Date(0);

/**
 * Gives the bot and the runs of a conversation to the one that it is joined into. A person who answers either goes on in both;
 * else the bot that answers there does, and hears what the customer asked here; where no one answers there, the bot from here
 * goes on.
 */
export const joinBots: JoinFollower = async (tx, joined) => {
  await joinHandlers(tx, joined);
  return [];
};

async function joinHandlers(tx: Tx, joined: ThreadJoin): Promise<void> {
  const { workspaceId, fromId, intoId, at } = joined;
  await moveDue(tx, joined);
  const keys = [fromId, intoId].map((conversationId) => ({ workspaceId, conversationId }));
  const threads = await selectAnswered(tx, keys);
  const [from, into] = [fromId, intoId].map((id) =>
    threads.find(({ conversationId }) => conversationId === id),
  );
  if (!into) {
    const there = { workspaceId, conversationId: intoId };
    // No bot has met it. Where a person may have it, a bot begins there as anywhere, or does not.
    const isTheirs =
      from?.handler === "bot" &&
      ((await isAssigned(tx, there)) || (await hasPersonSince(tx, there, BEGINNING)));
    const moved = !isTheirs && (await moveAnswered(tx, workspaceId, fromId, intoId));
    const waitsSince = await moveRuns(tx, joined, moved);
    if (waitsSince !== null) await insertDue(tx, there, waitsSince);
    return;
  }
  const isPersons =
    from?.handler === "person" ||
    (from?.handler !== "bot" && (await isAssigned(tx, { workspaceId, conversationId: fromId })));
  if (into.handler !== "person" && isPersons) return givePerson(tx, joined, into);
  if (into.handler === "nobody" && from?.handler === "bot") {
    await moveRuns(tx, joined, true);
    const since = from.since.getTime() > 0 ? from.since : into.since;
    await writeAnswered(tx, [{ ...from, conversationId: intoId, since }], at);
    return;
  }
  const waitsSince = await moveRuns(tx, joined, false);
  if (waitsSince !== null && into.handler === "bot")
    await insertDue(tx, { workspaceId, conversationId: intoId }, waitsSince);
}

/** A person answers there too, and the bot leaves. */
async function givePerson(tx: Tx, joined: ThreadJoin, into: AnsweredThread): Promise<void> {
  const { workspaceId, at } = joined;
  await moveRuns(tx, joined, false);
  await writeAnswered(tx, [{ ...into, handler: "person" }], at);
  if (into.handler === "bot" && into.runId !== null)
    await endRuns(tx, [{ workspaceId, id: into.runId, outcome: "assisted" }], at);
}
