/** What of an answer a pattern looks at. */
export const PATTERN_INPUT = 2_048;
const MOST_STEPS = 20_000_000;

/**
 * A regular expression that a person wrote, bounded so that no answer can hold up the process: no look-around, no back
 * reference, no repeated group, and the product of all repetitions (`*` and `+` count as the whole input, and so does
 * the search for a start unless it begins with `^`) at most twenty million steps: a fraction of a second. Gives the
 * fault in words instead when it is none, or may cost more.
 */
export function boundedPattern(source: string): RegExp | string {
  if (source.length > 200) return "the pattern is longer than 200 characters";
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, "u");
  } catch {
    return "is not a regular expression";
  }
  let steps = source.startsWith("^") && !/(^|[^\\])\|/.test(source) ? 1 : PATTERN_INPUT;
  // Escapes and classes are one character each; what is left are groups, repetitions and letters.
  const bare = source.replaceAll(/\\[pP]\{[^}]*\}/g, "c").replaceAll(/\\u\{[^}]*\}/g, "c");
  if (/\\[1-9k]/.test(bare)) return "back references are not allowed";
  const plain = bare.replaceAll(/\\./gs, "c").replaceAll(/\[[^\]]*\]/g, "c");
  if (/\(\?(?!:)/.test(plain)) return "look-around and named groups are not allowed";
  if (/\)[*+?{]/.test(plain)) return "a group may not be repeated";
  for (const [repetition, , most = ""] of plain.matchAll(/[*+]|\?|\{(\d+),?(\d*)\}/g)) {
    if (repetition === "*" || repetition === "+") steps *= PATTERN_INPUT;
    else if (repetition === "?") steps *= 2;
    else if (repetition.endsWith(",}")) steps *= PATTERN_INPUT;
    else steps *= Math.max(1, Number(most || /\d+/.exec(repetition)?.[0]));
  }
  steps *= 1 + (plain.match(/\|/g)?.length ?? 0);
  if (steps > MOST_STEPS)
    return "may take too long: anchor it with ^, or give repetitions a small upper bound";
  return pattern;
}
