/** What a model is shown of an answer, in characters. */
const MOST = 8_000;
const DEEPEST = 8;
/** Lists within lists have no names: what lies deeper than this is not looked at. */
const MOST_LEVELS = 20;
/** What a model is shown of an answer without content. */
const NOTHING = "nothing";

/**
 * The JSON answer of a look-up as lines: the names that lead to a value, then the value. So the guard reads sentences and
 * names as in knowledge. Cut at 8,000 characters, without control characters. Pure.
 */
export function answerText(value: unknown): string {
  const lines: string[] = [];
  let length = 0;
  const add = (line: string): boolean => {
    length += line.length + 1;
    if (length <= MOST) lines.push(line);
    // The first value alone is longer than all of it.
    else if (lines.length === 0) lines.push(line.slice(0, MOST).toWellFormed());
    return length <= MOST;
  };
  walk(value, [], add);
  return lines.length > 0 ? lines.join("\n") : NOTHING;
}

/** Adds the lines of a value. False: there is no room for more. */
function walk(
  value: unknown,
  names: readonly string[],
  add: (line: string) => boolean,
  level = 1,
): boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    const text = plain(String(value));
    if (text === "") return true;
    return add(names.length === 0 ? text : `${names.join(" ")}: ${text}`);
  }
  if (typeof value !== "object" || value === null || names.length >= DEEPEST) return true;
  if (level > MOST_LEVELS) return true;
  if (Array.isArray(value)) return value.every((one) => walk(one, names, add, level + 1));
  return Object.entries(value).every(([name, one]) =>
    walk(one, [...names, wordsOfName(name)], add, level + 1),
  );
}

/** The words of a name: `delivery_day` and `deliveryDay` are "delivery day". */
export const wordsOfName = (name: string): string =>
  plain(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll(/[_\-.:]+/g, " ")).toLowerCase();

/** Without what is not seen: lines stay lines. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/(?!\n)\p{Cc}/gu, " ")
    .trim();
