import {
  keyMark,
  numberTerm,
  quoteTerm,
  textTerm,
} from "../contacts/attributes/attribute-terms.ts";
import type { Scalar } from "./parse-value.ts";
import type { Op } from "./segment.ts";

/** A term, or every term that begins with it. */
interface Sought {
  readonly term: string;
  readonly prefix: boolean;
}

/** How many digits of a number a range uses: fewer mean fewer terms to look up and more contacts to check. */
const RANGE_LENGTH = 8;
const DIGITS = "0123456789";
// A number's term may end in the sign that sorts above all digits.
const SIGNS = `${DIGITS}~`;

/**
 * The terms (contacts/attributes/attribute-terms.ts) that a contact must have when a positive rule over an
 * attribute holds, as the text of a `tsquery`; null when terms cannot tell. It may match more contacts than the
 * rule names, never fewer: the rule itself is checked as well.
 */
export function attributeQuery(
  key: string,
  op: Op,
  value: Scalar | readonly Scalar[] | null,
  now: Date,
): string | null {
  const sought = seek(op, value, now);
  if (sought === null) return null;
  const mark = keyMark(key);
  const terms = sought.map((one) => quoteTerm(mark + one.term) + (one.prefix ? ":*" : ""));
  return [...new Set(terms)].join(" | ");
}

function seek(
  op: Op,
  value: Scalar | readonly Scalar[] | null,
  now: Date,
): readonly Sought[] | null {
  if (op === "exists") return [{ term: "", prefix: true }];
  if (op === "within_days") {
    const since = new Date(now.getTime() - Number(value) * 86_400_000);
    return days(since, now);
  }
  if (op === "in") {
    const each = (value as readonly Scalar[]).map(same);
    return each.includes(null) ? null : each.flatMap((one) => one ?? []);
  }
  const scalar = value as Scalar;
  switch (op) {
    case "eq":
      return same(scalar);
    case "starts_with":
      return [{ term: textTerm(String(scalar)), prefix: true }];
    case "gt":
    case "gte":
    case "after":
      return scalar instanceof Date ? days(scalar, null) : numbers(scalar, "up");
    case "lt":
    case "lte":
    case "before":
      return scalar instanceof Date ? days(null, scalar) : numbers(scalar, "down");
    case "contains":
    case "neq":
    case "not_in":
    case "not_contains":
    case "not_exists":
    case "not_within_days":
      return null;
  }
}

function same(value: Scalar): readonly Sought[] | null {
  const term = typeof value === "number" ? numberTerm(String(value)) : textTerm(String(value));
  return term === null ? null : [{ term, prefix: false }];
}

function numbers(value: Scalar, way: "up" | "down"): readonly Sought[] | null {
  const whole = numberTerm(String(value));
  if (whole === null) return null;
  const edge = whole.slice(0, RANGE_LENGTH);
  const most = edge.length;
  // The first character says that it is a number.
  const beside = Array.from({ length: most - 1 }, (_, index) => index + 1).flatMap((at) =>
    beyond(edge, at, way, SIGNS),
  );
  // A shorter one with the same beginning is smaller.
  const shorter =
    way === "up"
      ? []
      : Array.from({ length: most - 2 }, (_, index) => ({
          term: edge.slice(0, index + 2),
          prefix: false,
        }));
  // A longer one with the same beginning is larger; for an edge that was cut this is not known.
  const prefix = way === "up" || edge.length < whole.length;
  return [...beside, ...shorter, { term: edge, prefix }];
}

/** Terms that equal `edge` before index `at` and are greater or smaller there. */
function beyond(edge: string, at: number, way: "up" | "down", signs: string): Sought[] {
  const here = edge.charAt(at);
  return Array.from(signs)
    .filter((sign) => (way === "up" ? sign > here : sign < here))
    .map((sign) => ({ term: edge.slice(0, at) + sign, prefix: true }));
}

/** Everything that begins with a day from the one to the other, both included; null: without an end. */
function days(from: Date | null, to: Date | null): readonly Sought[] | null {
  const low = from && dayTerm(from);
  const high = to && dayTerm(to);
  if (low === undefined || high === undefined) return null;
  if (low === null) return high === null ? null : side(high, 1, "down");
  if (high === null) return side(low, 1, "up");
  if (low > high) return [{ term: low, prefix: true }];
  let fork = 0;
  while (fork < low.length && low[fork] === high[fork]) fork += 1;
  if (fork === low.length) return [{ term: low, prefix: true }];
  const between = beyond(low, fork, "up", DIGITS).filter(
    (one) => one.term < high.slice(0, fork + 1),
  );
  return [...between, ...side(low, fork + 1, "up"), ...side(high, fork + 1, "down")];
}

function side(day: string, from: number, way: "up" | "down"): Sought[] {
  const places = Array.from({ length: day.length - from }, (_, index) => index + from);
  const found = places
    .filter((at) => day.charAt(at) !== "-")
    .flatMap((at) => beyond(day, at, way, DIGITS));
  return [...found, { term: day, prefix: true }];
}

/** A day as its term begins; undefined for one that does not fit into four digits of a year. */
function dayTerm(at: Date): string | undefined {
  const day = at.toISOString();
  return /^\d{4}-/.test(day) ? textTerm(day.slice(0, 10)) : undefined;
}
