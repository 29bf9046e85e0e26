import type { Context } from "../../context.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { deleteOldestNews, type RecipientNews } from "./recipient-news-store.ts";

const AT_ONCE = 500;

/**
 * Emits `broadcast.recipient` for recipients whose state moved, in the order in which each moved, and gives how many. An
 * event and the row that it is made of change hands in one transaction, so none is lost and none is emitted twice.
 */
export function emitRecipientNews(context: Context): Promise<number> {
  return context.db.transaction(async (tx) => {
    const news = await deleteOldestNews(tx, AT_ONCE);
    await emitEvents(context, tx, news.map(eventOf));
    return news.length;
  });
}

const eventOf = (one: RecipientNews): NewEvent => {
  const { workspaceId, broadcastId, contactId, messageId, previous, status, reason, detail } = one;
  return {
    workspaceId,
    type: "broadcast.recipient",
    data: {
      broadcastId,
      previousStatus: previous,
      status,
      recipient: { contactId, messageId, reason, detail },
      occurredAt: one.at.toISOString(),
    },
  };
};
