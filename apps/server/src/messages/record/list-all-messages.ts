import type { Context } from "../../context.ts";
import { cursorOf, cutPage } from "../../lib/cut-page.ts";
import { conversations } from "../../operations/conversations.ts";
import { PAGE_ITEMS } from "../../operations/page.ts";
import { perform } from "../../write.ts";
import { MAX_MESSAGE_PAGE } from "./find-message.ts";
import { selectMessagePage } from "./message-store.ts";
import { presentMessage } from "./message.ts";

/**
 * A page of the workspace's messages, newest first: of conversations, and of campaigns by SMS, which have none. A message
 * that exists all the time is shown exactly once to who reads page after page. Throws VALIDATION_FAILED for a `cursor` that
 * no page gave.
 */
export const listAllMessages = perform(
  conversations.listAllMessages,
  async (_, { db }: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const most = Math.min(limit, MAX_MESSAGE_PAGE);
    const rows = await selectMessagePage(db, workspaceId, cursorOf(cursor), most + 1);
    const { items, last } = cutPage(rows, most);
    return { items: items.map(presentMessage), nextCursor: last?.id ?? null };
  },
);
