import { fits } from "./split-text.ts";
import type { TextLimit } from "./adapter.ts";

/** One of several answers that a customer is offered. */
export interface Choice {
  /** The button's label. */
  readonly text: string;
  /** What a press returns. */
  readonly payload: string;
}

/** What a channel takes as buttons. */
export interface ChoicesRule {
  readonly most: number;
  /** The longest label, in UTF-16 units. */
  readonly label: number;
  /** The longest payload, in bytes of UTF-8. */
  readonly payload: number;
  /** The longest text above them. */
  readonly text: TextLimit;
}

/** Whether a channel shows these as buttons. Otherwise they are numbered lines of the text. */
export function takesChoices(
  rule: ChoicesRule | undefined,
  text: string,
  choices: readonly Choice[],
): boolean {
  return (
    rule !== undefined &&
    choices.length <= rule.most &&
    fits(text, rule.text) &&
    choices.every(
      (one) =>
        one.text.length <= rule.label && Buffer.byteLength(one.payload, "utf8") <= rule.payload,
    )
  );
}

/** The text with its choices as numbered lines: the customer answers with the number or the words. */
export const numberedText = (text: string, choices: readonly Choice[]): string =>
  [text, "", ...choices.map((one, index) => `${index + 1}. ${one.text}`)].join("\n");
