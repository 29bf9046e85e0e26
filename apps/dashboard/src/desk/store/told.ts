/** How long a change can be undone with one press. */
const UNDO_MS = 8000;

export type What =
  | "assigned"
  | "labelled"
  | "resolved"
  | "reopened"
  | "snoozed"
  | "unread"
  | "read";

/** One line about a change of conversations: it was made, or it failed and everything is as before. */
export interface Told {
  readonly id: number;
  readonly what: What;
  /** How many conversations were changed. */
  readonly count: number;
  /** Why it failed; undefined when it was made. */
  readonly error?: unknown;
  readonly undo?: () => void;
}

const NONE: readonly Told[] = [];

/**
 * The lines on the screen: the newest three, each for eight seconds. None while a change is being made: an undo that is
 * pressed then is meant for that change, not for the one before.
 */
export class ToldList {
  readonly #listeners = new Set<() => void>();
  #lines: readonly Told[] = [];
  #last = 0;
  #making = 0;
  #undoWhenMade = false;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly lines = (): readonly Told[] => (this.#making > 0 ? NONE : this.#lines);

  /** Makes a change, and tells of it within. */
  async during(make: () => Promise<void>): Promise<void> {
    this.#making += 1;
    this.#set(this.#lines);
    try {
      await make();
    } finally {
      this.#making -= 1;
      this.#set(this.#lines);
    }
    if (this.#making > 0 || !this.#undoWhenMade) return;
    this.#undoWhenMade = false;
    this.undoLast();
  }

  tell(line: Omit<Told, "id">): void {
    const told: Told = { ...line, id: ++this.#last };
    this.#set([...this.#lines.slice(-2), told]);
    setTimeout(() => this.drop(told.id), UNDO_MS);
  }

  drop(id: number): void {
    if (this.#lines.some((line) => line.id === id))
      this.#set(this.#lines.filter((line) => line.id !== id));
  }

  /** Undoes the newest change that can still be undone, once it is made. */
  undoLast(): void {
    if (this.#making > 0) {
      this.#undoWhenMade = true;
      return;
    }
    const line = this.#lines.findLast(({ undo }) => undo !== undefined);
    if (line === undefined) return;
    this.drop(line.id);
    line.undo?.();
  }

  #set(lines: readonly Told[]): void {
    this.#lines = lines;
    for (const listener of this.#listeners) listener();
  }
}
