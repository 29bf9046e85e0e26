import { listChannels } from "../../channels/list-channels.ts";
import { searchPeople } from "../../contacts/identity/search-people.ts";
import { customerAddress } from "../../contacts/record/customer-address.ts";
import type { Context } from "../../context.ts";
import { labelsOf } from "../../desk/labels.ts";
import { searchDesk } from "../../desk/search-desk.ts";
import { invalid } from "../../errors.ts";
import { searchNotes, type NoteHit } from "../../inbox/search-notes.ts";
import { isSearchBehind } from "../../messages/search/index-messages.ts";
import { searchMessages, type MessageHit } from "../../messages/search/search-messages.ts";
import { foldWords } from "../../messages/search/search-terms.ts";
import { cardOf } from "./contact-card.ts";
import type { DeskRow } from "../../wire/desk-shapes.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

const PAGE = 10;
/** So many people's conversations are looked up in one statement. */
const PEOPLE = 50;
/** So often one request goes on to the next people when those before have no conversation. */
const MOST_TURNS = 5;
const NOTHING = { items: [], total: 0, exact: true, nextCursor: null };

/** One page of a search. */
interface Page {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** The search of people, conversations and messages: one part, or all at once. */
export const searchHandlers: Handlers<Pick<typeof inbox, "search">> = {
  async search(context, { caller: { workspaceId }, query }) {
    const { q, cursor, limit = PAGE } = query;
    const page = { cursor, limit };
    const wants = (region: string) => query.in === undefined || query.in === region;
    const [people, conversations, messages, behind] = await Promise.all([
      wants("people") ? searchPeople(context, workspaceId, q, page) : NOTHING,
      wants("conversations") ? findConversations(context, workspaceId, q, page) : NOTHING,
      wants("messages") ? findSaid(context, workspaceId, q, page) : NOTHING,
      wants("messages") && isSearchBehind(context, workspaceId),
    ]);
    return {
      people: { ...people, items: people.items.map(cardOf) },
      conversations,
      messages,
      behind,
    };
  },
};

/**
 * Conversations with this name of a label or channel, and those of the people found. The cursor names the people that
 * the page began with, and the last conversation of it.
 */
async function findConversations(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  q: string,
  page: Page,
) {
  let [people, place] = partsOf(page.cursor);
  const [labels, channels] = await Promise.all([
    labelsOf(context.db, workspaceId),
    listChannels(context, workspaceId),
  ]);
  const words = foldWords(q.trim());
  const called = (name: string) => words !== "" && foldWords(name).includes(words);
  const named = {
    labels: labels.map(({ name }) => name).filter(called),
    namedChannelIds: channels.filter(({ name }) => called(name)).map(({ id }) => id),
  };
  const isNamed = (row: DeskRow) =>
    row.labels.some((label) => named.labels.includes(label)) ||
    (row.status === "open" && named.namedChannelIds.includes(row.channelId));

  for (let turn = 1; ; turn++) {
    const found = await searchPeople(context, workspaceId, q, { cursor: people, limit: PEOPLE });
    const search = {
      contactIds: found.items.map(({ id }) => id),
      channelIds: channels.map(({ id }) => id),
      ...(people === undefined ? named : { labels: [], namedChannelIds: [] }),
    };
    const { items, nextCursor } = await searchDesk(context, workspaceId, search, {
      cursor: place,
      limit: page.limit,
    });
    // Those with a name came with the first people.
    const fresh = people === undefined ? items : items.filter((row) => !isNamed(row));
    const next =
      nextCursor !== null
        ? `${people ?? ""}/${nextCursor}`
        : found.nextCursor && `${found.nextCursor}/`;
    if (fresh.length > 0 || next === null || turn === MOST_TURNS)
      return { items: [...fresh], total: fresh.length, exact: next === null, nextCursor: next };
    [people, place] = partsOf(next);
  }
}

/** The two parts of a cursor of conversations. Throws VALIDATION_FAILED. */
function partsOf(cursor = "/"): readonly [string | undefined, string | undefined] {
  const parts = cursor.split("/");
  if (parts.length !== 2) throw invalid("cursor", "must be a nextCursor");
  const [people, place] = parts.map((part) => (part === "" ? undefined : part));
  return [people, place];
}

/** Messages and notes, as one list: both have ids that rise with time. */
async function findSaid(context: Pick<Context, "db">, workspaceId: string, q: string, page: Page) {
  const [messages, notes] = await Promise.all([
    searchMessages(context, workspaceId, q, page),
    searchNotes(context, workspaceId, q, page),
  ]);
  const all = [
    ...messages.items.map((hit) =>
      presentHit(hit, hit.direction === "inbound" ? "customer" : "us"),
    ),
    ...notes.items.map((hit) => presentHit(hit, "note")),
  ].sort((a, b) => (a.id < b.id ? 1 : -1));
  const items = all.slice(0, page.limit);
  const more = all.length > page.limit || messages.nextCursor !== null || notes.nextCursor !== null;
  return {
    items,
    total: messages.total + notes.total,
    exact: messages.exact && notes.exact,
    nextCursor: more ? (items.at(-1)?.id ?? null) : null,
  };
}

function presentHit(hit: NoteHit | MessageHit, side: "customer" | "us" | "note") {
  const { id, conversationId, contactName, channelType, excerpt } = hit;
  return {
    id,
    conversationId,
    name: contactName ?? (customerAddress(hit) || `#${hit.contactId.slice(-6)}`),
    channelType,
    at: hit.at.toISOString(),
    side,
    text: excerpt.text,
    hits: excerpt.hits.map(([from, to]) => ({ from, to })),
  };
}
