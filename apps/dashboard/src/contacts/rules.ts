import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import type { AnswerOf } from "../api/call.ts";
import { dayOf } from "../kit/format.ts";
import { channelWord } from "../kit/words.ts";
import { t, type PlainKey } from "../text/t.ts";

export type Attribute = AnswerOf<"listAttributes">["attributes"][number];

/** One rule, as a segment has it. */
export interface ContactRule {
  readonly field: string;
  readonly op: Op;
  readonly value?: string | number | boolean;
}
export interface Rules {
  readonly match: "all";
  readonly rules: readonly ContactRule[];
}

const OPS = {
  eq: "contacts.op.eq",
  neq: "contacts.op.neq",
  contains: "contacts.op.contains",
  not_contains: "contacts.op.not_contains",
  starts_with: "contacts.op.starts_with",
  exists: "contacts.op.exists",
  not_exists: "contacts.op.not_exists",
  gt: "contacts.op.gt",
  gte: "contacts.op.gte",
  lt: "contacts.op.lt",
  lte: "contacts.op.lte",
  after: "contacts.op.after",
  before: "contacts.op.before",
  within_days: "contacts.op.within_days",
  not_within_days: "contacts.op.not_within_days",
} as const satisfies Record<string, PlainKey>;
export type Op = keyof typeof OPS;
export const opWord = (op: Op): string => t(OPS[op]);
const isOp = (text: unknown): text is Op => typeof text === "string" && Object.hasOwn(OPS, text);

/** The type of a value, which decides its input. */
export type ValueKind = "text" | "tag" | "channel" | "flag" | "number" | "date" | "choice";

export interface RuleField {
  readonly name: string;
  readonly label: string;
  readonly kind: ValueKind;
  readonly choices: readonly string[];
  readonly ops: readonly Op[];
}

const TEXT: readonly Op[] = [
  "contains",
  "not_contains",
  "eq",
  "neq",
  "starts_with",
  "exists",
  "not_exists",
];
const SAME: readonly Op[] = ["eq", "neq", "exists", "not_exists"];
const DATE: readonly Op[] = [
  "within_days",
  "not_within_days",
  "after",
  "before",
  "exists",
  "not_exists",
];
const OPS_OF: Readonly<Record<ValueKind, readonly Op[]>> = {
  text: TEXT,
  tag: ["eq", "neq", "contains", "starts_with", "exists", "not_exists"],
  channel: SAME,
  flag: ["eq"],
  number: ["eq", "neq", "gt", "gte", "lt", "lte", "exists", "not_exists"],
  date: DATE,
  choice: SAME,
};
const KIND_OF = {
  text: "text",
  number: "number",
  date: "date",
  boolean: "flag",
  choice: "choice",
} as const satisfies Record<Attribute["type"], ValueKind>;

/** The fields that rules can use, attributes last. */
export function ruleFields(attributes: readonly Attribute[]): readonly RuleField[] {
  const own = (name: string, label: PlainKey, kind: ValueKind): RuleField => ({
    name,
    label: t(label),
    kind,
    choices: [],
    ops: OPS_OF[kind],
  });
  return [
    own("tag", "contacts.tags", "tag"),
    own("name", "contacts.name", "text"),
    own("phone", "contacts.phone", "text"),
    own("email", "contacts.email", "text"),
    own("channelType", "contacts.channel", "channel"),
    own("optedOut", "contacts.optedOut", "flag"),
    own("lastSeenAt", "contacts.seen", "date"),
    own("createdAt", "contacts.created", "date"),
    ...attributes.map(({ key, label, type, choices }): RuleField => {
      const kind = KIND_OF[type];
      const ops: readonly Op[] = kind === "flag" ? SAME : OPS_OF[kind];
      return { name: `attribute.${key}`, label, kind, choices, ops };
    }),
  ];
}

export const needsValue = (op: Op): boolean => op !== "exists" && op !== "not_exists";

/** The rules in an address that this page can show one by one; null: they are nested, or contain an "any". */
export function readRules(definition: string | undefined): Rules | null {
  if (definition === undefined) return { match: "all", rules: [] };
  try {
    const given: unknown = JSON.parse(definition);
    if (!isRecord(given) || given["match"] !== "all" || !Array.isArray(given["rules"])) return null;
    const list: readonly unknown[] = given["rules"];
    const rules = list.map(readRule);
    return rules.every((rule) => rule !== null) ? { match: "all", rules } : null;
  } catch {
    return null;
  }
}

function readRule(given: unknown): ContactRule | null {
  if (!isRecord(given)) return null;
  const { field, op, value } = given;
  if (typeof field !== "string" || !isOp(op)) return null;
  if (value === undefined) return { field, op };
  const plain =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return plain ? { field, op, value } : null;
}

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === "object" && given !== null && !Array.isArray(given);

/** A rule in words: `Tags is vip`, `Last seen in the last 7 days`. */
export function ruleText({ field, op, value }: ContactRule, fields: readonly RuleField[]): string {
  const known = fields.find(({ name }) => name === field);
  const label = known?.label ?? field.replace(/^attribute\./, "");
  if (!needsValue(op)) return t("contacts.rule.plain", { field: label, op: opWord(op) });
  if (op === "within_days" || op === "not_within_days")
    return t(op === "within_days" ? "contacts.rule.within" : "contacts.rule.notWithin", {
      field: label,
      days: Number(value),
    });
  return t("contacts.rule", { field: label, op: opWord(op), value: valueText(value, known) });
}

function valueText(value: ContactRule["value"], field: RuleField | undefined): string {
  if (typeof value === "boolean") return value ? t("contacts.yes") : t("contacts.no");
  if (field?.kind === "date") return dayOf(String(value));
  const channel = CHANNEL_TYPES.find((type) => type === value);
  return field?.kind === "channel" && channel ? channelWord(channel) : String(value ?? "");
}
