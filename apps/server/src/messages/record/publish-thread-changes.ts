import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { visitorTopic } from "../../lib/topics.ts";
import { numberChanges } from "./thread-store.ts";

/** A message of a web conversation that is new, or says something new (its status). */
export interface ThreadChange {
  readonly workspaceId: string;
  readonly conversationId: string | null;
  readonly channelType: string | null;
  readonly id: string;
}

/**
 * Shows changes to the visitors of web chat: each gets the next number of its conversation, under the conversation's
 * lock, so that a reader of one number has seen all before it. Streams are told with the commit, in every process. A
 * message that was never given here is never shown to a visitor. Changes of other channels are left out at no cost.
 * The messages must be stored by statements sent before, each message once per call.
 */
export function publishThreadChanges(
  context: Pick<Context, "topics">,
  tx: Tx,
  changes: readonly ThreadChange[],
): Promise<void> {
  const entries = changes.flatMap(({ workspaceId, conversationId, channelType, id }) =>
    channelType === "WEB" && conversationId !== null
      ? [{ workspaceId, conversationId, messageId: id }]
      : [],
  );
  if (entries.length === 0) return Promise.resolve();
  return numberChanges(tx, entries, context.topics.processId).then((moved) => {
    for (const { channelId, externalId, last } of moved)
      tx.afterCommit(() =>
        context.topics.dispatch(visitorTopic(channelId, externalId), {
          kind: "thread",
          sequence: last,
        }),
      );
  });
}
