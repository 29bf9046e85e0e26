import { actorName, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import {
  conversationEvent,
  presentConversation,
  type ShownConversation,
} from "../../conversations/conversation.ts";
import { changeHandlers, selectAnswered, writeAnswered } from "../../conversations/handler.ts";
import { lockShown } from "../../conversations/touch-conversations.ts";
import { updateWithin } from "../../conversations/update-conversation.ts";
import type { Tx } from "../../db/database.ts";
import { changeDesk } from "../../desk/desk-change.ts";
import { deskRow } from "../../desk/read-desk.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { botOperations } from "../../operations/bots.ts";
import type { DeskRow } from "../../wire/desk-shapes.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { memberOf } from "../../workspaces/member-notice.ts";
import { perform } from "../../write.ts";
import { handOver } from "../hand-over/hand-over.ts";

/** Takes a conversation over: it is the member's, and its bot writes nothing more. Throws NOT_FOUND. */
export const takeOver = perform(
  botOperations.takeOver,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      const found = await lockFound(tx, workspaceId, id);
      const assigneeId = memberOf(actor);
      // Who is assigned answers: that takes it from the bot, too.
      if (found.assigneeId !== assigneeId)
        await updateWithin(actor, context, tx, workspaceId, id, { assigneeId });
      else {
        const change = { ...found, conversationId: id, by: actorName(actor) };
        const left = await changeHandlers(context, tx, [{ ...change, to: "person" }]);
        await show(actor, context, tx, found, left.changed.get(id));
        await emitEvents(context, tx, await left.settle());
      }
      return keep(tx, await rowOf(tx, workspaceId, id));
    }),
);

/** No one answers and no one has it: the customer's next message starts a bot. Throws NOT_FOUND. */
export const giveBack = perform(
  botOperations.giveBack,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      await giveBackWithin(actor, context, tx, workspaceId, id);
      return keep(tx, await rowOf(tx, workspaceId, id));
    }),
);

/** The same by a program. */
export const giveConversationBack = perform(
  botOperations.giveConversationBack,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      await giveBackWithin(actor, context, tx, workspaceId, id);
      return keep(tx, presentConversation(await lockFound(tx, workspaceId, id)));
    }),
);

/** Hands a conversation over from its bot, on a program's word. Where no bot answers nothing changes. Throws NOT_FOUND. */
export const handOverConversation = perform(
  botOperations.handOverConversation,
  (actor, context: Context, workspaceId, { id, reason = "asked", summary }, { keep }) =>
    context.db.transaction(async (tx) => {
      await lockFound(tx, workspaceId, id);
      const given = { workspaceId, conversationId: id, reason, summary: summary ?? null };
      await handOver(context, tx, { ...given, by: actor });
      return keep(tx, presentConversation(await lockFound(tx, workspaceId, id)));
    }),
);

/** Gives a conversation back in the caller's transaction. Throws NOT_FOUND. */
export async function giveBackWithin(
  actor: Actor,
  context: Context,
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<void> {
  const found = await lockFound(tx, workspaceId, id);
  const key = { workspaceId, conversationId: id };
  const [thread] = await selectAnswered(tx, [key]);
  const change = { ...found, conversationId: id, by: actorName(actor) };
  const left = await changeHandlers(context, tx, [{ ...change, to: "nobody" }]);
  const botId = thread?.botId ?? null;
  // A conversation that no bot has met: what was said until now does not keep one from it.
  if (!thread) {
    const nobody = { ...key, handler: "nobody", botId, runId: null, handedReason: null } as const;
    const now = context.clock.now();
    await writeAnswered(tx, [{ ...nobody, since: now }], now);
  }
  await audit(actor, context, tx, workspaceId, {
    action: "conversation.given_back",
    subject: id,
  });
  if (found.assigneeId === null) await show(actor, context, tx, found, { kind: "nobody", botId });
  else await updateWithin(actor, context, tx, workspaceId, id, { assigneeId: null }, "given_back");
  await emitEvents(context, tx, await left.settle());
}

async function lockFound(tx: Tx, workspaceId: string, id: string): Promise<ShownConversation> {
  const found = isId(id) ? await lockShown(tx, workspaceId, id) : null;
  if (!found) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  return found;
}

/** Only who answers changed: receivers and the inbox see it. */
async function show(
  actor: Actor,
  context: Context,
  tx: Tx,
  conversation: ShownConversation,
  handler: ShownConversation["handler"] | undefined,
): Promise<void> {
  if (!handler) return;
  const changed = { ...conversation, handler };
  await emitEvents(context, tx, [conversationEvent("conversation.updated", changed, actor)]);
  changeDesk(tx, [{ conversation }]);
}

async function rowOf(tx: Tx, workspaceId: string, id: string): Promise<DeskRow> {
  await tx.sendLast();
  const row = await deskRow(tx, workspaceId, id);
  if (!row)
    throw new AppError("NOT_FOUND", { explanation: "the conversation is not in the inbox" });
  return row;
}
