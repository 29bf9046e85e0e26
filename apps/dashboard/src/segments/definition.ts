import { RULE_OPS } from "../../../server/src/wire/words.ts";
import type { AnswerOf } from "../api/call.ts";

export interface Rule {
  readonly field: string;
  readonly op: Op;
  readonly value?: unknown;
}
export interface Group {
  readonly match: "all" | "any";
  readonly rules: readonly (Rule | Group)[];
}

/** A value as a field shows it: no value is an empty text. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** The most nested groups, and the most rules, that the server accepts. */
export const DEEPEST = 5;
export const MOST_RULES = 100;

export type Op = (typeof RULE_OPS)[number];

export type Kind =
  | "text"
  | "tag"
  | "channelType"
  | "flag"
  | "date"
  | "number"
  | "boolean"
  | "choice";
export type Choices = AnswerOf<"listSegmentChoices">;

/** The fields that every workspace has, in the order of a list. */
export const FIELDS = {
  tag: "tag",
  name: "text",
  phone: "text",
  email: "text",
  channelType: "channelType",
  lastSeenAt: "date",
  createdAt: "date",
  optedOut: "flag",
} as const satisfies Readonly<Record<string, Kind>>;
export const ATTRIBUTE = "attribute.";

const PRESENT = ["exists", "not_exists"] as const;
const SAME = ["eq", "neq", "in", "not_in"] as const;
/** The conditions for a field, the most frequent first. */
export const OPS_OF: Readonly<Record<Kind, readonly Op[]>> = {
  text: ["eq", "neq", "contains", "not_contains", "starts_with", "in", "not_in", ...PRESENT],
  tag: ["eq", "neq", "in", "not_in", "contains", "starts_with", ...PRESENT],
  channelType: [...SAME, ...PRESENT],
  flag: ["eq"],
  date: ["within_days", "not_within_days", "before", "after", ...PRESENT],
  number: ["eq", "neq", "gt", "gte", "lt", "lte", ...PRESENT],
  boolean: ["eq", ...PRESENT],
  choice: [...SAME, ...PRESENT],
};

export const isGroup = (one: Rule | Group): one is Group => "rules" in one;
export const isListOp = (op: Op): boolean => op === "in" || op === "not_in";
export const isDaysOp = (op: Op): boolean => op === "within_days" || op === "not_within_days";
export const takesNone = (op: Op): boolean => op === "exists" || op === "not_exists";

export function kindOf(field: string, choices: Choices): Kind {
  const known = Object.entries(FIELDS).find(([name]) => name === field)?.[1];
  if (known) return known;
  const key = field.slice(ATTRIBUTE.length);
  return choices.attributes.find((one) => one.key === key)?.type ?? "text";
}

/** Contacts' values of a field, to choose from. */
export function offeredValues(field: string, choices: Choices): readonly string[] {
  if (field === "tag") return choices.tags;
  const key = field.slice(ATTRIBUTE.length);
  return (
    choices.attributes.find((one) => ATTRIBUTE + one.key === field && one.key === key)?.values ?? []
  );
}

/** A rule without its value, as after its field or condition was chosen. */
export function emptyRule(field: string, kind: Kind, op: Op = OPS_OF[kind][0] ?? "eq"): Rule {
  if (takesNone(op)) return { field, op };
  if (isDaysOp(op)) return { field, op, value: 30 };
  if (isListOp(op)) return { field, op, value: [] };
  if (kind === "flag") return { field, op, value: false };
  if (kind === "boolean") return { field, op, value: true };
  return { field, op, value: "" };
}

const isRuleWhole = ({ op, value }: Rule): boolean =>
  takesNone(op) || (Array.isArray(value) ? value.length > 0 : value !== "" && value !== undefined);

/** Whether every rule is complete, so that the definition can be counted. */
export const isWhole = (group: Group): boolean =>
  group.rules.every((one) =>
    isGroup(one) ? one.rules.length > 0 && isWhole(one) : isRuleWhole(one),
  );

export const rulesIn = (group: Group): number =>
  group.rules.reduce((sum, one) => sum + (isGroup(one) ? rulesIn(one) : 1), 0);

/** A definition from an address or an answer; null when it is not one. */
export function readDefinition(given: unknown): Group | null {
  if (typeof given !== "object" || given === null) return null;
  const match = "match" in given ? given.match : undefined;
  const rules = "rules" in given ? given.rules : undefined;
  if ((match !== "all" && match !== "any") || !Array.isArray(rules)) return null;
  const read = rules.map((one: unknown) => readDefinition(one) ?? readRule(one));
  const whole = read.filter((one) => one !== null);
  return whole.length === read.length ? { match, rules: whole } : null;
}

function readRule(given: unknown): Rule | null {
  if (typeof given !== "object" || given === null || !("field" in given)) return null;
  const { field } = given;
  const op = "op" in given ? RULE_OPS.find((one) => one === given.op) : undefined;
  if (typeof field !== "string" || !op) return null;
  return "value" in given ? { field, op, value: given.value } : { field, op };
}

/** The definition as the server takes it. */
export const asJson = (
  group: Group,
): { match: "all" | "any"; rules: Record<string, unknown>[] } => ({
  match: group.match,
  rules: group.rules.map((one) => (isGroup(one) ? asJson(one) : { ...one })),
});
