import type { Context } from "../../context.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { conversationsAfter } from "../../conversations/find-conversation.ts";
import { changeDesk, previewOf, writerOf, type DeskChange } from "../../desk/desk-change.ts";
import { deskIds } from "../../desk/read-desk.ts";
import type { Db } from "../../db/database.ts";
import { dropBackfill, lockBackfill, moveBackfill, selectLastSaid } from "./backfill-store.ts";

const BATCH = 200;

/**
 * Brings a batch of older conversations into the inbox, in the order of their ids. Conversations in which no customer
 * wrote stay out: campaigns opened them. Gives how many it looked at; null when all are in the inbox, or when another
 * process works on them.
 */
export async function backfillDesk(context: Pick<Context, "background">): Promise<number | null> {
  const limit = Math.max(10, Math.ceil(await context.background.size(BATCH)));
  return context.background.piece((db: Db) =>
    db.transaction(async (tx) => {
      const place = await lockBackfill(tx);
      if (!place) return null;
      const keys = await conversationsAfter(tx, place, limit);
      const conversations = await lockConversations(tx, keys);
      const [there, said] = [await deskIds(tx, keys), await selectLastSaid(tx, keys)];
      const lastOf = new Map(said.map((one) => [one.conversationId, one]));
      const last = keys.at(-1);
      await (last && keys.length === limit ? moveBackfill(tx, last) : dropBackfill(tx));
      changeDesk(
        tx,
        conversations.flatMap((conversation): DeskChange[] => {
          const message = lastOf.get(conversation.id);
          if (!message || there.has(conversation.id)) return [];
          const side = message.direction === "inbound" ? "customer" : "us";
          return [
            {
              conversation,
              actedAt: message.at,
              ...(side === "customer" &&
                conversation.status !== "resolved" && { waiting: "customer" }),
              inbound: conversation.unreadCount,
              said: {
                id: message.id,
                kind: message.type,
                preview: previewOf(message.text),
                side,
                by: side === "us" ? writerOf(message.source, message.author) : null,
              },
            },
          ];
        }),
      );
      return Math.max(1, keys.length);
    }),
  );
}
