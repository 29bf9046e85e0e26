import { dayOf } from "../kit/format.ts";
import { formatLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import {
  textOf,
  ATTRIBUTE,
  isDaysOp,
  isGroup,
  takesNone,
  type Choices,
  type Group,
  type Op,
  type Rule,
} from "./definition.ts";

const and = new Intl.ListFormat(formatLocale, { type: "conjunction" });
const or = new Intl.ListFormat(formatLocale, { type: "disjunction" });
const regions = new Intl.DisplayNames(formatLocale, { type: "region" });

/** Countries by the beginning of their numbers, for beginnings of one country only. */
const CALLING: Readonly<Record<string, string>> = {
  20: "EG",
  90: "TR",
  91: "IN",
  92: "PK",
  212: "MA",
  213: "DZ",
  216: "TN",
  218: "LY",
  249: "SD",
  961: "LB",
  962: "JO",
  963: "SY",
  964: "IQ",
  965: "KW",
  966: "SA",
  967: "YE",
  968: "OM",
  970: "PS",
  971: "AE",
  973: "BH",
  974: "QA",
};

/** A definition in plain words: "People who have the tag “vip” and who were seen in the last 30 days". */
export function readingOf(group: Group, choices: Choices): string {
  if (group.rules.length === 0) return t("segments.say.everyone");
  return t("segments.say.people", { rules: joined(group, choices) });
}

function joined(group: Group, choices: Choices): string {
  const parts = group.rules.map((one) =>
    isGroup(one)
      ? one.rules.length > 1
        ? `(${joined(one, choices)})`
        : joined(one, choices)
      : ruleText(one, choices),
  );
  return (group.match === "all" ? and : or).format(parts);
}

function ruleText(rule: Rule, choices: Choices): string {
  const { field, op, value } = rule;
  if (field === "optedOut")
    return t((op === "eq") === value ? "segments.say.optedOut" : "segments.say.notOptedOut");
  if (takesNone(op))
    return t(op === "exists" ? "segments.say.exists" : "segments.say.notExists", {
      field: fieldName(field, choices),
    });
  if (field === "phone" && op === "starts_with") {
    const country = CALLING[String(value).replace(/^(\+|00)/, "")];
    if (country) return t("segments.say.phoneIn", { country: regions.of(country) ?? country });
  }
  if (field === "tag") return tagText(op, value);
  if (isDaysOp(op)) {
    const days = { days: Number(value) };
    const isIn = op === "within_days";
    if (field === "lastSeenAt") return t(isIn ? "segments.say.seen" : "segments.say.notSeen", days);
    if (field === "createdAt") return t(isIn ? "segments.say.came" : "segments.say.notCame", days);
    return t(isIn ? "segments.say.within" : "segments.say.notWithin", {
      ...days,
      field: fieldName(field, choices),
    });
  }
  return t("segments.say.rule", {
    field: fieldName(field, choices),
    op: t(`segments.op.${op}`),
    value: valueText(op, value),
  });
}

function tagText(op: Op, value: unknown): string {
  const tag = valueText(op, value);
  if (op === "eq") return t("segments.say.tag", { tag });
  if (op === "neq") return t("segments.say.notTag", { tag });
  if (op === "in") return t("segments.say.oneOfTags", { tag });
  if (op === "not_in") return t("segments.say.noneOfTags", { tag });
  return t("segments.say.rule", {
    field: t("segments.field.tag"),
    op: t(`segments.op.${op}`),
    value: tag,
  });
}

function valueText(op: Op, value: unknown): string {
  if (Array.isArray(value)) return or.format(value.map((one: unknown) => valueText(op, one)));
  if (typeof value === "boolean") return t(value ? "segments.yes" : "segments.no");
  if (typeof value === "number") return String(value);
  const text = textOf(value);
  const isDay = (op === "before" || op === "after") && !Number.isNaN(Date.parse(text));
  return isDay ? dayOf(text) : t("segments.quoted", { text: text === "" ? "…" : text });
}

/** What a field is called. */
export function fieldName(field: string, choices: Choices): string {
  switch (field) {
    case "tag":
    case "name":
    case "phone":
    case "email":
    case "channelType":
    case "lastSeenAt":
    case "createdAt":
    case "optedOut":
      return t(`segments.field.${field}`);
    default: {
      const key = field.slice(ATTRIBUTE.length);
      return choices.attributes.find((one) => one.key === key)?.label ?? key;
    }
  }
}
