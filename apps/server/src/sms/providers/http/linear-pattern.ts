import { RE2JS } from "re2js";

/** The most characters of an answer that a pattern reads. */
export const PATTERN_INPUT = 2_048;
/** The limit for a pattern's size times the characters that it reads: a few milliseconds, whatever the answer is. */
const MOST_STEPS = 100_000;
/** The size of the compiled pattern: one step for a character or class, and one more for each choice. */
const MOST_SIZE = 200;
const MOST_GROUPS = 5;
const MOST_REPETITIONS = 200;

/**
 * Gives the match in a text: its first group, or the whole match when there is no group; null when it does not
 * match.
 */
export type FindText = (text: string) => string | null;

/**
 * A regular expression that a person wrote, run by an engine that is linear in the text (RE2): it has no back
 * references and no look-around, and never backtracks. A pattern of size 48 or less reads the first 2,048
 * characters, a larger one fewer, so that the product is bounded. Gives the fault in words when it is not a
 * pattern, does not suit this engine, or is too large. The syntax is JavaScript's, and both engines must accept
 * it.
 */
export function linearPattern(source: string): FindText | string {
  if (source.length > 200) return "the pattern is longer than 200 characters";
  try {
    new RegExp(source, "u");
  } catch {
    return "is not a regular expression";
  }
  // Checked before compiling, because compiling writes each repetition out.
  for (const [, least, most] of source.matchAll(/\{(\d+),?(\d*)\}/g)) {
    if (Math.max(Number(least), Number(most)) > MOST_REPETITIONS) return tooLarge();
  }
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return "back references, look-around and names of scripts are not allowed in the pattern";
  }
  if (pattern.groupCount() > MOST_GROUPS) return `the pattern has more than ${MOST_GROUPS} groups`;
  const size = pattern.programSize();
  if (size > MOST_SIZE) return tooLarge();
  const characters = Math.min(PATTERN_INPUT, Math.floor(MOST_STEPS / size));
  return (text) => {
    const matcher = pattern.matcher(text.slice(0, characters));
    if (!matcher.find()) return null;
    const group = pattern.groupCount() > 0 ? matcher.group(1) : null;
    return group ?? matcher.group() ?? null;
  };
}

function tooLarge(): string {
  return "the pattern is too large: {1,200} counts 200 times, + and * count once";
}
