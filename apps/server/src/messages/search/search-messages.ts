import type { Context } from "../../context.ts";
import { foundPage, type FoundPage, type SearchPage } from "./found-page.ts";
import { MESSAGES, selectFound, type FoundMessage } from "./search-store.ts";

export type MessageHit = FoundPage<FoundMessage>["items"][number];

/** Messages that have all words of the text, by the rules of `foundPage`. Campaigns are left out. */
export const searchMessages = (
  { db }: Pick<Context, "db">,
  workspaceId: string,
  search: string,
  page: SearchPage,
): Promise<FoundPage<FoundMessage>> =>
  foundPage(db, workspaceId, search, page, {
    ...MESSAGES,
    read: (ids) => selectFound(db, workspaceId, ids),
  });
