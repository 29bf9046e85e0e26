import { ApiError } from "../../api/api-error.ts";
import type { ContactCard, OpenedConversation, ThreadEntry, ThreadPage } from "../../api/shapes.ts";

/** How many threads a tab keeps; the one that was shown longest ago is dropped first. */
const THREADS_KEPT = 30;
/** How many entries of a thread a tab keeps while it is not shown. */
const ENTRIES_KEPT = 200;

export type Suggestion = NonNullable<ThreadPage["suggestions"]>[number];

export interface ThreadShown {
  readonly state: "empty" | "loading" | "ready" | "failed";
  /** Oldest first. */
  readonly entries: readonly ThreadEntry[];
  /** Whether older ones exist on the server. */
  readonly more: boolean;
  /** The first message that the member had not seen when they opened the thread; null: none. */
  readonly firstNew: string | null;
  /** Suggested replies that no member has decided on, newest first. */
  readonly suggestions: readonly Suggestion[];
  /** The number of the row's change up to which all is here; −1: nothing was read. */
  readonly change: number;
  /** What else the server told of it; undefined until it has answered. */
  readonly opened: Omit<OpenedConversation, "thread"> | undefined;
  readonly error: unknown;
}

const NO_THREAD: ThreadShown = {
  state: "empty",
  entries: [],
  more: false,
  firstNew: null,
  suggestions: [],
  change: -1,
  opened: undefined,
  error: undefined,
};

/**
 * The threads that this tab has read. Answers may be put in in any order and repeatedly: an entry replaces the one
 * with its id. React reads snapshots. The store makes no calls (`thread-work.ts`).
 */
export class ThreadStore {
  /** In the order of their last use. */
  readonly #threads = new Map<string, ThreadShown>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly thread = (id: string): ThreadShown => this.#threads.get(id) ?? NO_THREAD;

  /** The thread is shown now: the others lose entries. */
  use(id: string): void {
    const thread = this.thread(id);
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    for (const old of [...this.#threads.keys()].slice(0, -THREADS_KEPT)) this.#threads.delete(old);
  }

  loading(id: string): void {
    if (this.thread(id).state !== "ready") this.#set(id, { state: "loading" });
  }

  /** What was read before stays on the screen, unless the conversation was deleted. */
  failed(id: string, error: unknown): void {
    const deleted = error instanceof ApiError && error.status === 404;
    if (deleted || this.thread(id).state !== "ready") this.#set(id, { state: "failed", error });
  }

  /**
   * The first answer, or a later complete one. Older entries that were read stay, as long as they join the new
   * ones.
   */
  open(id: string, answer: OpenedConversation): void {
    const { thread, ...opened } = answer;
    const before = this.thread(id);
    const first = thread.entries[0];
    const joins = before.entries.some((entry) => entry.id === first?.id);
    this.#set(id, {
      state: "ready",
      opened,
      change: answer.row.change,
      error: undefined,
      suggestions: thread.suggestions ?? [],
      entries: joins ? merged(before.entries, thread.entries) : thread.entries,
      more: joins ? before.more : thread.more,
    });
  }

  /** Marks where the new messages begin, each time that the thread is opened. */
  markNew(id: string, unread: number): void {
    const inbound = this.thread(id).entries.filter(isInbound);
    const first = unread > 0 ? inbound.at(-Math.min(unread, inbound.length)) : undefined;
    const firstNew = first?.id ?? null;
    if (this.thread(id).firstNew !== firstNew) this.#set(id, { firstNew });
  }

  addOlder(id: string, page: ThreadPage): void {
    const before = this.thread(id);
    this.#set(id, {
      entries: merged(before.entries, page.entries),
      more: page.more,
    });
  }

  /** New entries, and old ones that changed. Those that are here in the same words make nothing to be drawn again. */
  add(id: string, entries: readonly ThreadEntry[]): void {
    const before = this.thread(id);
    if (before.state !== "ready") return;
    const known = new Map(before.entries.map((entry) => [entry.id, JSON.stringify(entry)]));
    const news = entries.filter((entry) => known.get(entry.id) !== JSON.stringify(entry));
    if (news.length > 0) this.#set(id, { entries: merged(before.entries, news) });
  }

  /** The open suggestions as the server has them now. The same ones make nothing to be drawn again. */
  suggest(id: string, suggestions: readonly Suggestion[] = []): void {
    const { state, suggestions: before } = this.thread(id);
    if (state === "ready" && JSON.stringify(before) !== JSON.stringify(suggestions))
      this.#set(id, { suggestions });
  }

  /** This tab has used or discarded it: the server's answer need not be waited for. */
  forgetSuggestion(id: string, suggestionId: string): void {
    this.suggest(
      id,
      this.thread(id).suggestions.filter((one) => one.id !== suggestionId),
    );
  }

  /** Everything up to this change of the row was read. */
  readUpTo(id: string, change: number): void {
    if (this.thread(id).change < change) this.#set(id, { change });
  }

  setContact(id: string, contact: ContactCard): void {
    const { opened } = this.thread(id);
    if (opened !== undefined) this.#set(id, { opened: { ...opened, contact } });
  }

  /**
   * The thread is hidden: entries far back are dropped, so that a long day does not fill the memory. What was being read
   * of it comes no more.
   */
  leave(id: string): void {
    const thread = this.#threads.get(id);
    if (thread?.state === "loading") this.#set(id, { state: "empty" });
    else if (thread !== undefined && thread.entries.length > ENTRIES_KEPT)
      this.#set(id, { entries: thread.entries.slice(-ENTRIES_KEPT), more: true });
  }

  #set(id: string, change: Partial<ThreadShown>): void {
    this.#threads.set(id, { ...this.thread(id), ...change });
    for (const listener of this.#listeners) listener();
  }
}

const isInbound = (entry: ThreadEntry): boolean =>
  entry.kind === "message" && entry.direction === "inbound";

/** Both lists as one: each id once with its later version, by time and then by id. */
export function merged(
  before: readonly ThreadEntry[],
  added: readonly ThreadEntry[],
): readonly ThreadEntry[] {
  const byId = new Map(before.map((entry) => [entry.id, entry]));
  for (const entry of added) byId.set(entry.id, later(byId.get(entry.id), entry));
  return [...byId.values()].sort((a, b) => compare(a.at, b.at) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const RANK = { received: 0, queued: 0, sent: 1, delivered: 2, read: 3, failed: 4 } as const;

/** Answers may overtake each other: a delivered message does not become only sent again. */
function later(known: ThreadEntry | undefined, entry: ThreadEntry): ThreadEntry {
  if (known?.kind !== "message" || entry.kind !== "message") return entry;
  return RANK[known.status] > RANK[entry.status] ? { ...entry, status: known.status } : entry;
}

/**
 * Entries that may still change: the newest 40 of our messages that were not read and did not fail, and the newest
 * ten notes.
 */
export function unsettled(entries: readonly ThreadEntry[]): readonly string[] {
  const messages = entries
    .filter(
      (entry) =>
        entry.kind === "message" &&
        ((entry.direction === "outbound" && entry.status !== "read" && entry.status !== "failed") ||
          entry.attachments.some(({ status }) => status === "pending")),
    )
    .slice(-40);
  const notes = entries.filter((entry) => entry.kind === "note" && !entry.deleted).slice(-10);
  return [...messages, ...notes].map(({ id }) => id);
}
