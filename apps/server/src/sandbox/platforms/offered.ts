/** A button below a message on a customer's phone. */
interface Offered {
  readonly text: string;
  readonly payload: string;
}

/** Messages whose buttons are remembered. */
const KEPT = 2_000;

/** What the buttons of messages return, by their words: a phone shows the words only. */
export class OfferedButtons {
  readonly #of = new Map<string, readonly Offered[]>();

  /** Remembers the buttons of a message, and gives their words. */
  note(message: string, buttons: readonly Offered[]): readonly string[] {
    if (buttons.length > 0) {
      if (this.#of.size >= KEPT) this.#of.clear();
      this.#of.set(message, buttons);
    }
    return buttons.map(({ text }) => text);
  }

  /** What a button returns; undefined: there is no such button. */
  payloadOf(message: string, text: string): string | undefined {
    return this.#of.get(message)?.find((one) => one.text === text)?.payload;
  }
}
