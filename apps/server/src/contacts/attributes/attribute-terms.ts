import { hash } from "node:crypto";
import { foldText, type Attributes } from "../record/contact.ts";

/** The index tells texts apart by this much of them; reading the contact decides the rest. */
const MAX_TEXT = 40;
const MAX_DIGITS = 12;
// Names that are remembered: as many, and of this length at the most. One may have 16 KiB.
const MAX_KEYS = 5_000;
const MAX_KEY = 64;

/** What is a number, also as text: the same rule stands in SQL (segments/segment-sql.ts). */
const NUMBER = /^(-?)([0-9]{1,30})(?:[.]([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,3}))?$/;
/** Sizes beyond these share one term: the value itself is looked at besides. */
const MIN_SIZE = -39;
const MAX_SIZE = 58;

const marks = new Map<string, string>();

/** Stands for an attribute's key in its terms: of one length, so that no key is the beginning of another. */
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

/** The term of a text without its key; that of a text's beginning is the beginning of it. */
export function textTerm(text: string): string {
  const cut = foldText(text).slice(0, MAX_TEXT);
  // Half a character is none.
  return `t${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}`;
}

/**
 * The term of a number, as text whose order is the order of numbers; numbers that begin with the same twelve digits
 * share one. Null for what is no number: `5`, `-3.50`, `1e-7` (as JSON writes the very small and the very large), at most
 * thirty digits on each side of the point.
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
  // The larger, the smaller; the end stands above all digits, because -5 is more than -5.1.
  return `n4${sorted.replaceAll(/[0-9]/g, (digit) => String(9 - Number(digit)))}~`;
}

function sortedBySize(size: number, digits: string): string {
  if (size < MIN_SIZE) return "00";
  if (size > MAX_SIZE) return "99";
  return `${String(size + 40).padStart(2, "0")}${digits.slice(0, MAX_DIGITS)}`;
}

/**
 * What the index knows of a contact's attributes, as the text of a `tsvector`; null when it has none. Each attribute is
 * a term of its value as `->>` shows it, and one more when that is a number. JSON's null counts as absent.
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

/** A term as `tsvector` and `tsquery` read it. */
export const quoteTerm = (term: string): string => `'${term.replaceAll(/['\\]/g, "$&$&")}'`;
