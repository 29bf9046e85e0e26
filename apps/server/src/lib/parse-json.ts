/** A number in JSON that cannot be kept as it is written: a double would have other digits. */
export class InexactNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
  /** In what nobody here reads (a client's own member of a segment) it is what JSON.parse would have made. */
  toJSON(): number {
    return Number(this.source);
  }
}

/** What is said of such a number. */
export const INEXACT = "has more digits than a number keeps; give it as text, in quotes";

/** Only these can be inexact: sixteen signs or more, or an exponent. Every body is looked through, few have one. */
const SUSPECT = /(?:^|[:[,\s])-?(?:[\d.]{16,}|[\d.]+e)/i;
/** More digits than these `toPrecision` does not write. */
const MAX_DIGITS = 100;

/**
 * Parses JSON as `JSON.parse` does, and throws what it throws; a number that a double would change becomes an
 * `InexactNumber`, where `JSON.parse` would make another number of it (9007199254740993) or none (1e400).
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
 * Whether a decimal number is still the same when it was a double. A whole number must come back with its own digits:
 * it may be somebody's id. A fraction may have as many as others write of the same double (0.10000000000000001).
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
