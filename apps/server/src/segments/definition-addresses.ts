import { namesAddress, type NamedAddresses } from "../contacts/identity/names-address.ts";
import type { Definition } from "./segment.ts";

type Rule = Definition["rules"][number];

const NOBODY: Rule = { field: "createdAt", op: "before", value: "1970-01-01T00:00:00Z" };
const EVERYBODY: Rule = { field: "createdAt", op: "exists" };

/** Whether a rule of the definition names one of the addresses. */
export function definitionNames(definition: Definition, who: NamedAddresses): boolean {
  return definition.rules.some((rule) => ruleNames(rule, who));
}

function ruleNames(rule: Rule, who: NamedAddresses): boolean {
  const { rules, value } = rule;
  if (Array.isArray(rules)) return rules.some((one: Rule) => ruleNames(one, who));
  return (Array.isArray(value) ? value : [value]).some((one) => valueNames(one, who));
}

const valueNames = (value: unknown, who: NamedAddresses): boolean =>
  (typeof value === "string" || typeof value === "number") && namesAddress(String(value), who);

/**
 * The definition without the addresses, which no contact has any more. A rule that asked for one matches nobody,
 * one that excluded it everybody; from a list only the address is removed. Everybody else is matched as before.
 */
export function withoutAddresses(definition: Definition, who: NamedAddresses): Definition {
  return { ...definition, rules: definition.rules.map((rule) => blanked(rule, who)) };
}

function blanked(rule: Rule, who: NamedAddresses): Rule {
  const { rules, op, value } = rule;
  if (Array.isArray(rules)) return { ...rule, rules: rules.map((one: Rule) => blanked(one, who)) };
  if (!ruleNames(rule, who)) return rule;
  const rest = Array.isArray(value) ? value.filter((one) => !valueNames(one, who)) : [];
  if (rest.length > 0) return { ...rule, value: rest };
  return typeof op === "string" && (op === "neq" || op.startsWith("not_")) ? EVERYBODY : NOBODY;
}
