import { notAllowedWords } from "../lib/fault-words.ts";
import { nearestWord } from "../lib/nearest-word.ts";
import type { AttributeDefinition } from "../contacts/attributes/attribute-definition.ts";
import { checkType } from "./check-type.ts";
import { parseValue, type Value } from "./parse-value.ts";
import { ruleFault } from "./rule-fault.ts";
import { fieldOf, type Field } from "./segment-field.ts";
import { RULE_OPS } from "../wire/words.ts";
import type { Op } from "./segment.ts";

/** A definition with valid rules, for the compiler. */
export interface Group {
  readonly kind: "group";
  readonly match: "all" | "any";
  readonly conditions: readonly Condition[];
}
export interface Rule {
  readonly kind: "rule";
  readonly field: Field;
  readonly op: Op;
  readonly value: Value;
}
export type Condition = Group | Rule;

const GROUP_MEMBERS = ["match", "rules"];
const RULE_MEMBERS = ["field", "op", "value"];

/** Groups inside groups, including the outermost. */
const MAX_DEPTH = 5;
const MAX_RULES = 100;

/**
 * Checks a segment's definition: `{match: "all"|"any", rules: [{field, op, value} | {match, rules}]}`. At the top an
 * empty rule list means everyone who has not opted out; an empty group inside is a fault. Throws VALIDATION_FAILED that
 * names the first fault with its path, e.g. `rules[2].rules[0].value`. `attributes` are the workspace's definitions of
 * its attributes, given when a segment is saved: each rule must fit them then. A stored segment needs them no more,
 * because each literal has its type: a changed definition changes no campaign.
 */
export function parseDefinition(
  definition: unknown,
  attributes: ReadonlyMap<string, AttributeDefinition> = new Map(),
): Group {
  let rules = 0;
  const group = (given: unknown, path: string, depth: number): Group => {
    const at = (member: string): string => (path === "" ? member : `${path}.${member}`);
    if (!isObject(given)) throw ruleFault(path || "definition", "must be an object", "shape");
    refuseMembers(given, RULE_MEMBERS, at, "does not belong in a group, which has match and rules");
    if (given["match"] !== "all" && given["match"] !== "any")
      throw ruleFault(at("match"), "must be all or any", "shape");
    const { match } = given;
    const list = given["rules"];
    if (!Array.isArray(list)) throw ruleFault(at("rules"), "must be an array", "shape");
    if (depth > MAX_DEPTH)
      throw ruleFault(path, `must not be more than ${MAX_DEPTH} groups deep`, "depth", {
        most: MAX_DEPTH,
      });
    if (depth > 1 && list.length === 0)
      throw ruleFault(at("rules"), "must not be empty in a group", "empty_group");
    return {
      kind: "group",
      match,
      conditions: list.map((item: unknown, index): Condition => {
        const place = `${at("rules")}[${index}]`;
        if (isObject(item) && "rules" in item) return group(item, place, depth + 1);
        rules += 1;
        if (rules > MAX_RULES)
          throw ruleFault(place, `there must not be more than ${MAX_RULES} rules`, "many", {
            most: MAX_RULES,
          });
        return rule(item, place, attributes);
      }),
    };
  };
  return group(definition, "", 1);
}

function rule(
  given: unknown,
  path: string,
  attributes: ReadonlyMap<string, AttributeDefinition>,
): Rule {
  if (!isObject(given)) throw ruleFault(path, "must be an object", "shape");
  refuseMembers(
    given,
    GROUP_MEMBERS,
    (member) => `${path}.${member}`,
    "does not belong in a rule, which has field, op and value; a group needs rules",
  );
  const field = typeof given["field"] === "string" ? fieldOf(given["field"]) : null;
  if (!field) {
    throw ruleFault(
      `${path}.field`,
      `${unknown(given["field"], "field")}must be ${FIELD_NAMES.join(", ")} or attribute.<key>${meant(given["field"])}`,
      "unknown_field",
    );
  }
  const op = RULE_OPS.find((one) => one === given["op"]);
  if (!op)
    throw ruleFault(
      `${path}.op`,
      `${unknown(given["op"], "op")}${notAllowedWords(given["op"], field.ops)}`,
      "unknown_op",
    );
  if (!field.ops.includes(op)) {
    throw ruleFault(
      `${path}.op`,
      `${op} does not fit ${field.name}; must be one of ${field.ops.join(", ")}`,
      "op_of_field",
      { op },
    );
  }
  const value = parseValue(field, op, given["value"], `${path}.value`);
  const definition = field.kind === "attribute" ? attributes.get(field.key) : undefined;
  if (definition) checkType(definition, op, given["value"], path);
  return { kind: "rule", field, op, value };
}

/** A rule and a group in one would be half ignored. Other members (a label) belong to the client and are kept. */
function refuseMembers(
  given: Record<string, unknown>,
  members: readonly string[],
  at: (member: string) => string,
  why: string,
): void {
  const other = members.find((member) => member in given);
  if (other !== undefined) throw ruleFault(at(other), why, "shape");
}

/** The fields of a contact that every workspace has. */
const FIELD_NAMES = [
  "name",
  "email",
  "phone",
  "tag",
  "channelType",
  "optedOut",
  "createdAt",
  "lastSeenAt",
] as const;

/** The field that a wrong name most likely means, as a question; empty when none is like it. */
function meant(name: unknown): string {
  const field = typeof name === "string" ? nearestWord(name, FIELD_NAMES) : undefined;
  return field === undefined ? "" : `: did you mean ${field}?`;
}

/** Repeats a wrong name, when it is short enough to be one. */
const unknown = (name: unknown, what: string): string =>
  typeof name === "string" && name.length <= 60
    ? `there is no ${what} ${JSON.stringify(name)}; `
    : "";

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
