import type { Context, HandlerChange, HandlersLeft } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";

export {
  isAssigned,
  moveAnswered,
  moveDue,
  insertDue,
  postponeDue,
  selectAnswered,
  selectDueThreads,
  claimDueThread,
  writeAnswered,
  type AnsweredThread,
  type DueThread,
  type ThreadId,
} from "./handler-store.ts";

/** No one answers: a conversation that no bot has met. */
export const NOBODY = { kind: "nobody", botId: null } as const;

const NOTHING: HandlersLeft = { changed: new Map(), settle: () => Promise.resolve([]) };

/**
 * Gives locked conversations to a person, or to no one, and asks all followers. Call it before slots are reserved, and its
 * `settle` afterwards. Without a change it runs no statement.
 */
export async function changeHandlers(
  context: Context,
  tx: Tx,
  changes: readonly HandlerChange[],
): Promise<HandlersLeft> {
  if (changes.length === 0) return NOTHING;
  const left: HandlersLeft[] = [];
  for (const follow of context.handlerFollowers) left.push(await follow(context, tx, changes));
  return {
    changed: new Map(left.flatMap(({ changed }) => [...changed])),
    async settle() {
      const events: NewEvent[] = [];
      for (const one of left) events.push(...(await one.settle()));
      return events;
    },
  };
}
