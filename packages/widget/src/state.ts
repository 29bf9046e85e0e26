import type { Pending } from "./outbox.ts";
import type { ChatMessage, ChatSettings, Question } from "./protocol.ts";

/** `idle`: nothing was asked of the server yet. `unavailable`: it refuses this channel or this site. */
export type Connection = "idle" | "connecting" | "online" | "waiting" | "offline" | "unavailable";

/** Everything that is shown. Replaced, never changed in place. */
export interface State {
  readonly open: boolean;
  readonly locale: string;
  readonly connection: Connection;
  readonly settings: ChatSettings;
  readonly messages: readonly ChatMessage[];
  /** The conversation began before the first of `messages`. */
  readonly earlier: boolean;
  readonly pending: readonly Pending[];
  readonly unread: number;
  readonly asks: readonly Question[];
  readonly agentTyping: boolean;
  /** Another value when somebody else sits there: what was being written was the other's. */
  readonly writer: string;
}

/** Nothing was said yet, or it was somebody else's. */
export const BLANK = {
  connection: "idle",
  messages: [],
  earlier: false,
  unread: 0,
  asks: [],
  agentTyping: false,
} as const satisfies Partial<State>;

/** Holds the state and tells of changes, at most once per turn of the event loop. */
export class Store {
  #state: State;
  #told = true;
  readonly #listeners = new Set<(state: State, before: State) => void>();
  #before: State;

  constructor(state: State) {
    this.#state = this.#before = state;
  }

  get state(): State {
    return this.#state;
  }

  set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    if (!this.#told) return;
    this.#told = false;
    queueMicrotask(() => {
      this.#told = true;
      const before = this.#before;
      this.#before = this.#state;
      for (const listener of this.#listeners) listener(this.#state, before);
    });
  }

  subscribe(listener: (state: State, before: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
