import type { AnswerOf, InputOf } from "../../api/call.ts";
import type { DeskRow, MineOf } from "../contract.ts";
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

interface Reading {
  again: boolean;
  readonly stop: AbortController;
  done: Promise<void>;
}

/** Reads threads. Calls for one thread do not run at the same time. */
export class ThreadWork {
  readonly #store: ThreadStore;
  readonly #server: ThreadServer;
  readonly #rows: ThreadRows;
  readonly #running = new Map<string, Reading>();
  readonly #older = new Set<string>();

  constructor(store: ThreadStore, server: ThreadServer, rows: ThreadRows) {
    this.#store = store;
    this.#server = server;
    this.#rows = rows;
  }

  /** Reads what is shown of a conversation up to this change of its row, unless it is here or on its way. */
  async open(id: string, change = -1): Promise<void> {
    const thread = this.#store.thread(id);
    if (thread.state === "ready" && thread.change >= change) return;
    await (this.#running.get(id)?.done ?? this.#start(id));
  }

  /**
   * Reads new entries, and the states of those that may change. While the thread is being read, it is read once more
   * afterwards. A failure is silent: the next hint repeats it.
   */
  async refresh(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return this.#start(id);
    running.again = true;
    return running.done;
  }

  /** The conversation was left: an answer that is still on its way would only hold up those of the next one. */
  leave(id: string): void {
    this.#running.get(id)?.stop.abort();
    this.#running.delete(id);
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

  #start(id: string): Promise<void> {
    const reading: Reading = { again: false, stop: new AbortController(), done: Promise.resolve() };
    this.#running.set(id, reading);
    reading.done = this.#read(id, reading);
    return reading.done;
  }

  async #read(id: string, reading: Reading): Promise<void> {
    const { signal } = reading.stop;
    do {
      reading.again = false;
      await (this.#store.thread(id).state === "ready"
        ? this.#catchUp(id, signal)
        : this.#load(id, signal));
    } while (reading.again && !signal.aborted);
    if (!signal.aborted) this.#running.delete(id);
  }

  async #load(id: string, signal: AbortSignal): Promise<void> {
    this.#store.loading(id);
    try {
      const answer = await this.#server.openConversation({ params: { id }, signal });
      this.#store.open(id, answer);
      this.#rows.learn(answer.row, answer.mine);
    } catch (error) {
      if (!signal.aborted) this.#store.failed(id, error);
    }
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
      let answer;
      try {
        answer = await this.#server.readThread({ params: { id }, query, signal });
      } catch {
        return;
      }
      this.#store.add(id, answer.entries);
      const known = new Set(entries.map((entry) => entry.id));
      if (answer.entries.filter((entry) => !known.has(entry.id)).length < PAGE)
        return this.#store.readUpTo(id, change);
    }
    await this.#load(id, signal);
  }
}
