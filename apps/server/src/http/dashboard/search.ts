import { listChannels } from "../../channels/list-channels.ts";
import { searchPeople } from "../../contacts/identity/search-people.ts";
import { customerAddress } from "../../contacts/record/customer-address.ts";
import type { Context } from "../../context.ts";
import { labelsOf } from "../../desk/labels.ts";
import { searchDesk } from "../../desk/search-desk.ts";
import { searchMessages, type MessageHit } from "../../messages/search/search-messages.ts";
import { foldWords } from "../../messages/search/search-terms.ts";
import { cardOf } from "./contact-card.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

const PAGE = 10;
/** How many people's conversations are looked up. */
const MOST_PEOPLE = 50;
const NOTHING = { items: [], total: 0, exact: true, nextCursor: null };

/** The search of people, conversations and messages: one part, or all at once. */
export const searchHandlers: Handlers<Pick<typeof inbox, "search">> = {
  async search(context, { caller: { workspaceId }, query }) {
    const { q, cursor, limit = PAGE } = query;
    const wants = (region: string) => query.in === undefined || query.in === region;
    const [people, conversations, messages] = await Promise.all([
      wants("people") ? searchPeople(context, workspaceId, q, { cursor, limit }) : NOTHING,
      wants("conversations") ? findConversations(context, workspaceId, q, limit) : NOTHING,
      wants("messages") ? searchMessages(context, workspaceId, q, { cursor, limit }) : NOTHING,
    ]);
    return {
      people: { ...people, items: people.items.map(cardOf) },
      conversations,
      messages: { ...messages, items: messages.items.map(presentHit) },
    };
  },
};

/** Conversations of the people found, and conversations with this name of a label or channel. */
async function findConversations(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  q: string,
  limit: number,
) {
  const [people, labels, channels] = await Promise.all([
    searchPeople(context, workspaceId, q, { limit: MOST_PEOPLE }),
    labelsOf(context.db, workspaceId),
    listChannels(context, workspaceId),
  ]);
  const words = foldWords(q.trim());
  const called = (name: string) => words !== "" && foldWords(name).includes(words);
  const search = {
    contactIds: people.items.map(({ id }) => id),
    channelIds: channels.map(({ id }) => id),
    labels: labels.map(({ name }) => name).filter(called),
    namedChannelIds: channels.filter(({ name }) => called(name)).map(({ id }) => id),
  };
  const rows = await searchDesk(context, workspaceId, search, limit + 1);
  const items = rows.slice(0, limit);
  const exact = rows.length <= limit && people.nextCursor === null;
  return { items: [...items], total: items.length, exact, nextCursor: null };
}

const presentHit = ({ id, contactName, at, excerpt, ...hit }: MessageHit) => ({
  messageId: id,
  conversationId: hit.conversationId,
  name: contactName ?? (customerAddress(hit) || `#${id.slice(-6)}`),
  channelType: hit.channelType,
  at: at.toISOString(),
  direction: hit.direction,
  text: excerpt.text,
  hits: excerpt.hits.map(([from, to]) => ({ from, to })),
});
