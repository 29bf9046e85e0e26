/** A JSON number that a double cannot hold exactly: it would have other digits. */
export class InexactNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
  /** Fields that nobody here reads (a client's own field in a segment) become what `JSON.parse` would have made. */
  toJSON(): number {
    return Number(this.source);
  }
}

/** The words for such a number in an error. */
export const INEXACT = "has more digits than a number keeps; give it as text, in quotes";

/**
 * Only these numbers can be inexact: sixteen signs or more, or an exponent. Every body is searched for them, and few
 * have one.
 */
const SUSPECT = /(?:^|[:[,\s])-?(?:[\d.]{16,}|[\d.]+e)/i;
/** `toPrecision` writes no more digits than this. */
const MAX_DIGITS = 100;

/**
 * Parses JSON as `JSON.parse` does, and throws what it throws. A number that a double would change becomes an
 * `InexactNumber`. `JSON.parse` would make another number of it (9007199254740993) or Infinity (1e400).
 */
export function parseJson(text: string): unknown {
  if (!SUSPECT.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && context?.source !== undefined && !keepsDigits(context.source)
      ? new InexactNumber(context.source)
      : value,
  );
}

/**
 * Whether a double keeps this decimal number. A whole number must come back with its own digits: it may be somebody's
 * id. A fraction may have the digits that other programs write for the same double (0.10000000000000001).
 */
export function keepsDigits(source: string): boolean {
  const digits = significant(source);
  const value = Number(source);
  if (significant(String(value)) === digits) return true;
  if (/^-?\d+$/.test(source) || value === 0 || digits.length > MAX_DIGITS) return false;
  return Number.isFinite(value) && significant(value.toPrecision(digits.length)) === digits;
}

/** The digits of a number without sign, point, exponent and zeros at either end. */
function significant(text: string): string {
  return text.replace(/e.*$/i, "").replaceAll(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
}
