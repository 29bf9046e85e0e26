import { ApiError } from "../../api/api-error.ts";
import type { AnswerOf, InputOf } from "../../api/call.ts";
import { Rereading } from "../../live/rereading.ts";
import type { DeskRow, MineOf } from "../../api/shapes.ts";
import { unsettled, type ThreadStore } from "./thread-store.ts";

const PAGE = 50;
/** How many pages are read to catch up; a tab that missed more begins anew. */
const CATCH_UP = 10;

type Calls = "openConversation" | "readThread";
export type ThreadServer = {
  readonly [N in Calls]: (input: InputOf<N>) => Promise<AnswerOf<N>>;
};

/** The list's rows. */
export interface ThreadRows {
  /** The number of the row's last change, as this tab knows it. */
  readonly changeOf: (id: string) => number;
  readonly learn: (row: DeskRow, mine: MineOf) => void;
}

/** Reads threads. Calls for one thread do not run at the same time. */
export class ThreadWork {
  readonly #store: ThreadStore;
  readonly #server: ThreadServer;
  readonly #rows: ThreadRows;
  readonly #readings = new Map<string, Rereading>();
  readonly #older = new Set<string>();
  /** The conversation on the screen. */
  #shown: string | null = null;
  /** Read after a break: of these the customer's details may be old too. */
  readonly #missed = new Set<string>();

  constructor(store: ThreadStore, server: ThreadServer, rows: ThreadRows) {
    this.#store = store;
    this.#server = server;
    this.#rows = rows;
  }

  /** The conversation is on the screen until it is left: a read of it that fails is repeated until one succeeds. */
  show(id: string): void {
    this.#shown = id;
  }

  /** Reads what is shown of a conversation up to this change of its row, unless it is here or on its way. */
  async open(id: string, change = -1): Promise<void> {
    const thread = this.#store.thread(id);
    if (thread.state === "ready" && thread.change >= change) return;
    this.#store.loading(id);
    await (this.#readings.get(id)?.underWay ?? this.refresh(id));
  }

  /**
   * Reads new entries, and the states of those that may change. While the thread is being read, it is read once more
   * afterwards.
   */
  refresh(id: string): Promise<void> {
    return this.#readingOf(id).hint();
  }

  /** Hints may have been lost: the conversation on the screen is read now. */
  async resume(): Promise<void> {
    if (this.#shown === null) return;
    this.#missed.add(this.#shown);
    await this.#readingOf(this.#shown).resume();
  }

  /** The conversation was left: an answer that is still on its way would only hold up those of the next one. */
  leave(id: string): void {
    if (this.#shown === id) this.#shown = null;
    this.#readings.get(id)?.stop();
    this.#readings.delete(id);
    this.#store.leave(id);
  }

  /** Reads the page before the oldest entry. */
  async older(id: string): Promise<void> {
    const { entries, more, state } = this.#store.thread(id);
    const first = entries[0];
    if (!more || first === undefined || state !== "ready" || this.#older.has(id)) return;
    this.#older.add(id);
    try {
      const query = { before: first.id, limit: PAGE };
      this.#store.addOlder(id, await this.#server.readThread({ params: { id }, query }));
    } catch {
      // The next scroll asks again.
    } finally {
      this.#older.delete(id);
    }
  }

  #readingOf(id: string): Rereading {
    let reading = this.#readings.get(id);
    if (reading === undefined) {
      reading = new Rereading((signal) => this.#read(id, signal), {
        isShown: () => this.#shown === id,
      });
      this.#readings.set(id, reading);
    }
    return reading;
  }

  async #read(id: string, signal: AbortSignal): Promise<void> {
    try {
      const ready = this.#store.thread(id).state === "ready";
      // What may have changed further back is read before the newest page joins the thread.
      if (ready) await this.#catchUp(id, signal);
      if (ready && !this.#missed.has(id)) return;
      await this.#load(id, signal);
      this.#missed.delete(id);
    } catch (error) {
      // One that was given up is followed by another, or the conversation was left.
      if (!signal.aborted || signal.reason instanceof ApiError) this.#store.failed(id, error);
      throw error;
    }
  }

  async #load(id: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#server.openConversation({ params: { id }, signal });
    if (signal.aborted) return;
    this.#store.open(id, answer);
    this.#rows.learn(answer.row, answer.mine);
  }

  async #catchUp(id: string, signal: AbortSignal): Promise<void> {
    const change = this.#rows.changeOf(id);
    for (let page = 0; page < CATCH_UP; page++) {
      const { entries } = this.#store.thread(id);
      const last = entries.at(-1);
      if (last === undefined) return this.#load(id, signal);
      const again = page === 0 ? unsettled(entries) : [];
      const query = {
        after: last.id,
        limit: PAGE,
        ...(again.length > 0 && { again: again.join(",") }),
      };
      const answer = await this.#server.readThread({ params: { id }, query, signal });
      if (signal.aborted) return;
      this.#store.add(id, answer.entries);
      this.#store.suggest(id, answer.suggestions);
      const known = new Set(entries.map((entry) => entry.id));
      if (answer.entries.filter((entry) => !known.has(entry.id)).length < PAGE)
        return this.#store.readUpTo(id, change);
    }
    await this.#load(id, signal);
  }
}
