import { hash } from "node:crypto";
import { foldText, type Attributes } from "../record/contact.ts";

/** The index compares this many characters of a text. For longer texts the contact itself is read. */
const MAX_TEXT = 40;
const MAX_DIGITS = 12;
// How many names are remembered, and how long one may be. A name may have 16 KiB.
const MAX_KEYS = 5_000;
const MAX_KEY = 64;

/** Which texts count as numbers. The same rule stands in SQL (segments/segment-sql.ts). */
const NUMBER = /^(-?)([0-9]{1,30})(?:[.]([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;
/** Larger and smaller numbers share one term, so the value itself is compared as well. */
const MIN_SIZE = -39;
const MAX_SIZE = 58;

const marks = new Map<string, string>();

/** Stands for an attribute's key in its terms. All marks have one length, so no mark is the beginning of another. */
export function keyMark(key: string): string {
  if (key.length > MAX_KEY) return markOf(key);
  let mark = marks.get(key);
  if (mark === undefined) {
    mark = markOf(key);
    if (marks.size < MAX_KEYS) marks.set(key, mark);
  }
  return mark;
}

const markOf = (key: string): string => hash("sha256", key).slice(0, 8);

/** The term of a text without its key. The term of a text's beginning is the beginning of the text's term. */
export function textTerm(text: string): string {
  const cut = foldText(text).slice(0, MAX_TEXT);
  // Drops half a surrogate pair at the end.
  return `t${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}`;
}

/**
 * The term of a number: text that sorts as numbers do. Numbers that begin with the same twelve digits share one.
 * Null for what is not a number. Numbers are `5`, `-3.50`, `1e-7` (as JSON writes the very small and the very
 * large), with at most thirty digits on each side of the point.
 */
export function numberTerm(text: string): string | null {
  const parts = NUMBER.exec(text);
  if (!parts) return null;
  const whole = (parts[2] ?? "").replace(/^0+/, "");
  const rest = (parts[3] ?? "").replace(/0+$/, "");
  const lead = whole === "" ? (/^0*/.exec(rest)?.[0].length ?? 0) : 0;
  const digits = `${whole}${rest}`.slice(lead).replace(/0+$/, "");
  if (digits === "") return "n5";
  const size = (whole === "" ? -lead : whole.length) + Number(parts[4] ?? 0);
  const sorted = sortedBySize(size, digits);
  if (parts[1] === "") return `n6${sorted}`;
  // The digits of a negative number are inverted, so that larger ones sort lower. The end mark sorts above all
  // digits, because -5 is more than -5.1.
  return `n4${sorted.replaceAll(/[0-9]/g, (digit) => String(9 - Number(digit)))}~`;
}

function sortedBySize(size: number, digits: string): string {
  if (size < MIN_SIZE) return "00";
  if (size > MAX_SIZE) return "99";
  return `${String(size + 40).padStart(2, "0")}${digits.slice(0, MAX_DIGITS)}`;
}

/**
 * What the index knows of a contact's attributes, as the text of a `tsvector`; null when it has none. Each
 * attribute has a term for its value as `->>` shows it, and a second term when that is a number. JSON's null
 * counts as absent.
 */
export function attributeTerms(attributes: Attributes): string | null {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return null;
  const terms: string[] = [];
  for (const [key, value] of entries) {
    if (value === null || value === undefined) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const mark = keyMark(key);
    terms.push(mark + textTerm(text));
    const number = numberTerm(text);
    if (number !== null) terms.push(mark + number);
  }
  return terms.map(quoteTerm).join(" ");
}

/** Writes a term as `tsvector` and `tsquery` read it. */
export const quoteTerm = (term: string): string => `'${term.replaceAll(/['\\]/g, "$&$&")}'`;
