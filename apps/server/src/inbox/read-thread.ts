import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import type { Queryable } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId, lowestIdAt, MAX_ID, NIL_ID } from "../lib/ids.ts";
import type { SuggestionJson } from "../wire/suggestion.ts";
import { auditOf } from "../workspaces/list-audit.ts";
import { selectNotes, selectNotesById } from "./note-store.ts";
import { presentNote } from "./note.ts";
import { selectOpen } from "./suggestion-store.ts";
import { presentSuggestion } from "./suggestion.ts";
import {
  selectBotAuthors,
  selectThreadMessages,
  selectThreadMessagesById,
} from "./thread-store.ts";
import { botIn, presentThreadEvent, presentThreadMessage, type ThreadLine } from "./thread-line.ts";

/** The requested part of a thread. */
export interface ThreadRange {
  /** An entry's id: entries older than it. */
  readonly before?: string | undefined;
  /** An entry's id: entries newer than it. */
  readonly after?: string | undefined;
  /** Messages and notes that may have changed, up to 50. */
  readonly again?: readonly string[] | undefined;
  /** 50 when absent, 100 at most. */
  readonly limit?: number | undefined;
}

export interface Thread {
  /** Oldest first, by time and id. */
  readonly entries: readonly ThreadLine[];
  /** Whether older ones exist in the requested range: read on before the first. */
  readonly more: boolean;
  /** The open suggestions, newest first; not with older entries. */
  readonly suggestions?: SuggestionJson[];
}

const MOST = 100;
const MOST_AGAIN = 50;
/** A transaction that began earlier may commit later, so entries from this long before `after` are given again. */
const OVERLAP_MS = 10_000;

/**
 * A part of a thread: the newest entries, those before one, or those after one. After an entry also come entries
 * from up to ten seconds before it, because ids are given before a commit and another process may have been
 * slower. So a page that joins entries by id misses none. `again` adds these messages and notes as they are now.
 * Each kind is read from its own index, so a long thread costs the same as a short one. Throws NOT_FOUND,
 * VALIDATION_FAILED.
 */
export async function readThread(
  context: Pick<Context, "db">,
  workspaceId: string,
  conversationId: string,
  range: ThreadRange,
): Promise<Thread> {
  if (!(await findConversation(context, workspaceId, conversationId)))
    throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  return selectPart(context.db, workspaceId, conversationId, range);
}

/** As `readThread`, for a conversation that is known to exist. */
export async function selectPart(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
  { before, after, again = [], limit: wanted }: ThreadRange,
): Promise<Thread> {
  for (const [path, id] of Object.entries({ before, after }))
    if (id !== undefined && !isId(id)) throw invalid(path, "must be the id of an entry");
  if (again.length > MOST_AGAIN) throw invalid("again", `must be at most ${MOST_AGAIN} ids`);
  const limit = Math.min(wanted ?? 50, MOST);
  const ids = {
    above: after === undefined ? NIL_ID : shortlyBefore(after),
    below: before ?? MAX_ID,
  };
  const repeatedIds = again.filter(isId);
  const [messages, notes, audit, repeated, repeatedNotes, suggestions] = await Promise.all([
    selectThreadMessages(db, workspaceId, conversationId, ids, limit + 1),
    selectNotes(db, workspaceId, conversationId, ids, limit + 1),
    auditOf(db, workspaceId, [conversationId], ids.below, limit + 1),
    repeatedIds.length === 0
      ? []
      : selectThreadMessagesById(db, workspaceId, repeatedIds, conversationId),
    repeatedIds.length === 0 ? [] : selectNotesById(db, workspaceId, repeatedIds, conversationId),
    before === undefined ? selectOpen(db, workspaceId, conversationId) : undefined,
  ]);
  const bots = await selectBotAuthors(
    db,
    workspaceId,
    audit.flatMap((line) => [line.actor, botIn(line)]),
  );
  const newestFirst: ThreadLine[] = [
    ...messages.map(presentThreadMessage),
    ...notes.map(presentNote),
    ...audit.flatMap((line) => (line.id > ids.above ? (presentThreadEvent(line, bots) ?? []) : [])),
  ].sort((a, b) => compare(b.id, a.id));
  const page = newestFirst.slice(0, limit);
  const shown = new Set(page.map(({ id }) => id));
  const states: ThreadLine[] = [
    ...repeated.map(presentThreadMessage),
    ...repeatedNotes.map(presentNote),
  ].filter(({ id }) => !shown.has(id));
  return {
    entries: [...page, ...states].sort((a, b) => compare(a.at, b.at) || compare(a.id, b.id)),
    more: newestFirst.length > limit,
    ...(suggestions && { suggestions: suggestions.map(presentSuggestion) }),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The lowest id from this long before an id: the first 48 bits of an id are its millisecond. */
function shortlyBefore(id: string): string {
  const millisecond = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return lowestIdAt(new Date(millisecond - OVERLAP_MS));
}
