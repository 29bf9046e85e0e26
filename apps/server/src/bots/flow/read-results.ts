interface Result {
  readonly path: string;
  readonly into: string;
}

const LONGEST = 1_000;

/** The values that a call's answer has at the named places. What is no text, number or yes and no is left out. Pure. */
export function readResults(
  answer: unknown,
  results: readonly Result[],
): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  for (const { path, into } of results) {
    const found = valueAt(answer, path.split("."));
    if (typeof found === "string") values[into] = cleaned(found);
    if (typeof found === "number" && Number.isFinite(found)) values[into] = found;
    if (typeof found === "boolean") values[into] = found ? "yes" : "no";
  }
  return values;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/** Without what no message may hold. */
const cleaned = (text: string): string =>
  Array.from(text.replaceAll("\0", "")).slice(0, LONGEST).join("");
