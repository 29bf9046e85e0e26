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

/** Reads threads. Calls for one thread do not run at the same time; a call while one runs repeats it once. */
export class ThreadWork {
  readonly #store: ThreadStore;
  readonly #server: ThreadServer;
  readonly #learn: (row: DeskRow, mine: MineOf) => void;
  readonly #running = new Map<string, { again: boolean }>();
  readonly #older = new Set<string>();

  constructor(
    store: ThreadStore,
    server: ThreadServer,
    learn: (row: DeskRow, mine: MineOf) => void,
  ) {
    this.#store = store;
    this.#server = server;
    this.#learn = learn;
  }

  /** Reads what is shown of a conversation unless it is here; then only what is new. */
  async open(id: string): Promise<void> {
    if (this.#store.thread(id).state === "ready") await this.refresh(id);
    else await this.#once(id, () => this.#load(id));
  }

  /** Reads everything anew, for what `refresh` leaves out: the contact and the lines across channels. */
  async reload(id: string): Promise<void> {
    await this.#once(id, () => this.#load(id));
  }

  /** Reads new entries, and the states of those that may change. A failure is silent: the next hint repeats it. */
  async refresh(id: string): Promise<void> {
    await this.#once(id, () =>
      this.#store.thread(id).state === "ready" ? this.#catchUp(id) : this.#load(id),
    );
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

  async #load(id: string): Promise<void> {
    this.#store.loading(id);
    try {
      const answer = await this.#server.openConversation({ params: { id } });
      this.#store.open(id, answer);
      this.#learn(answer.row, answer.mine);
    } catch (error) {
      this.#store.failed(id, error);
    }
  }

  async #catchUp(id: string): Promise<void> {
    for (let page = 0; page < CATCH_UP; page++) {
      const { entries } = this.#store.thread(id);
      const last = entries.at(-1);
      if (last === undefined) return this.#load(id);
      const again = page === 0 ? unsettled(entries) : [];
      const query = {
        after: last.id,
        limit: PAGE,
        ...(again.length > 0 && { again: again.join(",") }),
      };
      let answer;
      try {
        answer = await this.#server.readThread({ params: { id }, query });
      } catch {
        return;
      }
      this.#store.add(id, answer.entries);
      const known = new Set(entries.map((entry) => entry.id));
      if (answer.entries.filter((entry) => !known.has(entry.id)).length < PAGE) return;
    }
    await this.#load(id);
  }

  async #once(id: string, read: () => Promise<void>): Promise<void> {
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const mark = { again: false };
    this.#running.set(id, mark);
    try {
      await read();
    } finally {
      this.#running.delete(id);
    }
    if (mark.again) await this.refresh(id);
  }
}
