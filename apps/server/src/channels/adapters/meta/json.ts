/** Readers for JSON that somebody else wrote: a value of an unexpected shape reads as absent. None ever throws. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value when it is an object, else an empty one. */
export function record(value: unknown): JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : {};
}

/** The objects in a list; other items are left out. */
export function records(value: unknown): JsonRecord[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (item: unknown): item is JsonRecord =>
      typeof item === "object" && item !== null && !Array.isArray(item),
  );
}

/** A text that PostgreSQL can hold: no NUL, no lone surrogate. Null when it is not such a text or empty. */
export function textOrNull(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return null;
  return value.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** The longest id that is kept. An index of PostgreSQL holds 2,704 bytes, and no id of a platform is this long. */
const LONGEST_ID = 1_000;

/** An id, which platforms write as a text or as a number. */
export function idOrNull(value: unknown): string | null {
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : null;
  return textOrNull(value)?.slice(0, LONGEST_ID).toWellFormed() ?? null;
}

/** A finite number, or a text that is one; null for anything else. */
export function number(value: unknown): number | null {
  const parsed = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof parsed === "number" && Number.isFinite(parsed) ? parsed : null;
}

const LONG_NUMBER = /[:[,\s]-?\d{16,}/;

/**
 * Parses JSON whose ids may be numbers beyond 2^53 (Meta's `message_template_id`): such a number becomes its own
 * digits as a text, where plain `JSON.parse` would change it. Throws what `JSON.parse` throws.
 */
export function parseJsonKeepingIds(source: string): unknown {
  if (!LONG_NUMBER.test(source)) return JSON.parse(source);
  const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? "")
      ? context?.source
      : value;
  return JSON.parse(source, keepDigits);
}
