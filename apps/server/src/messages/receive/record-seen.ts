import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { settleMessages } from "../record/settle-messages.ts";
import { selectSeen, type SeenUpTo } from "../record/thread-store.ts";

export type { SeenUpTo } from "../record/thread-store.ts";

/**
 * Settles what windows of web chat tell: every message of ours up to `upTo` was delivered or read. That includes
 * messages that the outbox has not settled as sent yet, because the window has them only from us. Ids of other
 * conversations change nothing.
 */
export async function recordSeen(
  context: Context,
  tx: Tx,
  marks: readonly SeenUpTo[],
): Promise<Settled<void>[]> {
  const at = context.clock.now();
  const seen = await selectSeen(tx, marks);
  const settlements = seen.flatMap(({ index, id }) => {
    const mark = marks[index];
    if (!mark) return [];
    const { workspaceId, channelId, status } = mark;
    // On web chat our own id is also the platform's id.
    const ids = { workspaceId, channelId, messageId: id, providerMessageId: id };
    return [{ ...ids, status, at, errorCode: null, errorMessage: null }];
  });
  await emitEvents(context, tx, await settleMessages(context, tx, settlements));
  return marks.map(() => ({ ok: true, value: undefined }));
}
