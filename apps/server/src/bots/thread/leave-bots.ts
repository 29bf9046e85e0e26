import { isPerson } from "../../actor.ts";
import type { Context, HandlerChange, HandlerFollower } from "../../context.ts";
import { selectAnswered, writeAnswered, type AnsweredThread } from "../../conversations/handler.ts";
import type { Tx } from "../../db/database.ts";
import { lockUnsentOf, SUPERSEDED } from "../../messages/record/withdraw-replies.ts";
import { settleMessages } from "../../messages/record/settle-messages.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { finishedEvent } from "../hand-over/run-events.ts";
import { endRuns, type RunEnd } from "./run-store.ts";

interface Leaving {
  readonly change: HandlerChange;
  readonly thread: AnsweredThread;
}

/**
 * Takes conversations from their bots, in the transaction in which a person wrote, was assigned or resolved: the version
 * rises, so that no answer that was made before can be stored, the run ends, and what the bot has not begun to send is
 * stored as failed. Conversations that no bot has met cost one statement.
 */
export const leaveBots: HandlerFollower = async (context, tx, changes) => {
  const threads = await selectAnswered(tx, changes);
  const leaving = changes.flatMap((change): Leaving[] => {
    const thread = threads.find(({ conversationId }) => conversationId === change.conversationId);
    return thread && thread.handler !== change.to ? [{ change, thread }] : [];
  });
  if (leaving.length === 0) return { changed: new Map(), settle: () => Promise.resolve([]) };
  const now = context.clock.now();
  await writeAnswered(
    tx,
    leaving.map(({ change, thread }) => afterwards(change, thread, now)),
    now,
  );
  const fromBots = leaving.filter(({ thread }) => thread.handler === "bot");
  const ended = await endRuns(tx, fromBots.flatMap(endOf), now);
  for (const { change } of fromBots) await note(context, tx, change);
  // What a visitor of a web chat was sent is delivered with the commit.
  const unsent = await lockUnsentOf(
    tx,
    fromBots.filter(({ change }) => change.channelType !== "WEB").map(({ thread }) => thread),
  );
  return {
    changed: new Map(
      leaving.map(({ change: { conversationId, to }, thread: { botId } }) => [
        conversationId,
        { kind: to, botId },
      ]),
    ),
    settle: async () => {
      const events = await settleMessages(
        context,
        tx,
        unsent.map((one) => ({
          ...one,
          ...SUPERSEDED,
          messageId: one.id,
          providerMessageId: null,
          status: "failed",
          at: now,
        })),
      );
      const finished = ended.flatMap((run) => {
        const of = changes.find(({ conversationId }) => conversationId === run.conversationId);
        return of ? [finishedEvent({ ...of, id: of.conversationId }, run)] : [];
      });
      return [...events, ...finished];
    },
  };
};

function afterwards(
  { to }: HandlerChange,
  thread: AnsweredThread,
  now: Date,
): Omit<AnsweredThread, "version"> {
  const ends = to === "nobody";
  return {
    ...thread,
    handler: to,
    since: ends ? now : thread.since,
    handedReason: ends ? null : thread.handedReason,
  };
}

/** A run that a person steps into was assisted; one whose conversation a person resolves without a word is resolved. */
function endOf({ change, thread: { workspaceId, runId } }: Leaving): RunEnd[] {
  const outcome = change.to === "nobody" ? "resolved" : "assisted";
  return runId === null ? [] : [{ workspaceId, id: runId, outcome }];
}

/** The line of the thread. Resolving has its own. */
async function note(context: Context, tx: Tx, { to, by, ...key }: HandlerChange): Promise<void> {
  if (to === "nobody") return;
  const actor = by ?? "system";
  const facts = isPerson(by) ? {} : { by: by === null ? "phone" : "program" };
  const entry = { action: "conversation.taken_over", subject: key.conversationId, facts } as const;
  await audit(actor, context, tx, key.workspaceId, entry);
}
