/** Whether PostgreSQL can hold a text: it takes neither U+0000 nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * What a model, a customer or another system wrote, without what PostgreSQL takes in no text and no JSON: NUL, halves of
 * characters, and what lies deeper than 20 levels. They may write anything, and what they wrote is stored. Pure.
 */
export function storable(
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [clean(name), cleaned(value)]),
  );
}

/** More levels than any schema of ours has: what is below is left out. */
const DEEPEST = 20;

function cleaned(value: unknown, depth = 1): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [clean(name), cleaned(one, depth + 1)]),
  );
}

const clean = (text: string): string => text.replaceAll("\u0000", "").toWellFormed();
