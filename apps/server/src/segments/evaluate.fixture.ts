import type { ContactJson } from "../wire/contact.ts";
import type { Definition } from "./segment.ts";

interface GivenRule {
  readonly field: string;
  readonly op: string;
  readonly value?: unknown;
}

/** The meaning of a definition, written a second time without SQL, for the tests to compare with. */
export function evaluate(definition: Definition, contact: ContactJson, now: Date): boolean {
  if (definition.rules.length === 0) return !contact.optedOut;
  return matches(definition, contact, now);
}

function matches(group: Definition, contact: ContactJson, now: Date): boolean {
  const verdicts = group.rules.map((rule) =>
    "rules" in rule
      ? matches(rule as unknown as Definition, contact, now)
      : holds(rule as unknown as GivenRule, contact, now),
  );
  return group.match === "all" ? verdicts.every(Boolean) : verdicts.some(Boolean);
}

const NEGATIVE: Record<string, string> = {
  neq: "eq",
  not_contains: "contains",
  not_in: "in",
  not_exists: "exists",
  not_within_days: "within_days",
};

function holds(rule: GivenRule, contact: ContactJson, now: Date): boolean {
  const positive = NEGATIVE[rule.op];
  if (positive !== undefined) return !holds({ ...rule, op: positive }, contact, now);
  const values = valuesOf(rule.field, contact);
  return values.some((value) => one(rule, value, now));
}

/** The value of the field: none, one value, or the tags. */
function valuesOf(field: string, contact: ContactJson): (string | boolean)[] {
  if (field === "tag") return [...contact.tags];
  if (field === "optedOut") return [contact.optedOut];
  const value = field.startsWith("attribute.")
    ? contact.attributes[field.slice(10)]
    : (contact as unknown as Record<string, unknown>)[field];
  if (value === null || value === undefined) return [];
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

function one(rule: GivenRule, held: string | boolean, now: Date): boolean {
  const { op } = rule;
  const wanted = rule.field === "phone" ? digits(rule.value) : rule.value;
  if (op === "exists") return true;
  if (op === "in")
    return (wanted as unknown[]).some((value) => one({ ...rule, op: "eq", value }, held, now));
  if (op === "within_days") {
    const time = timeOf(held);
    return time <= now.getTime() && time >= now.getTime() - Number(wanted) * 86_400_000;
  }
  if (op === "eq" && typeof wanted === "boolean") return String(held) === String(wanted);
  if (typeof wanted === "number") return sized(op, numberOf(held), wanted);
  const text = lower(String(held));
  const other = lower(String(wanted));
  if (op === "eq") return text === other;
  if (op === "contains") return text.includes(other);
  if (op === "starts_with") return text.startsWith(other);
  return sized(op, timeOf(held), new Date(String(wanted)).getTime());
}

function sized(op: string, a: number, b: number): boolean {
  if (op === "eq") return a === b;
  if (op === "gt" || op === "after") return a > b;
  if (op === "gte") return a >= b;
  if (op === "lt" || op === "before") return a < b;
  return a <= b;
}

/**
 * Letter by letter, each composed: toLowerCase makes two letters of İ, and of Σ at the end of a word another than
 * elsewhere.
 */
const lower = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/İ|i\u0307/g, "i")
    .toLowerCase()
    .replaceAll("ς", "σ");
const digits = (value: unknown): unknown =>
  typeof value === "string"
    ? value.replace(/^\+/, "")
    : Array.isArray(value)
      ? value.map(digits)
      : value;
const numberOf = (held: string | boolean): number =>
  /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?$/.test(String(held)) ? Number(held) : NaN;
function timeOf(held: string | boolean): number {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/.exec(String(held)) ?? [];
  const time = new Date(String(held));
  // JavaScript's Date reads 31 February as 3 March, and 24:00 as the next day.
  return day !== undefined && time.toJSON()?.startsWith(day) === true ? time.getTime() : NaN;
}
