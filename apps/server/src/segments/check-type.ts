import {
  parseInstant,
  type AttributeDefinition,
  type AttributeType,
} from "../contacts/attributes/attribute-definition.ts";
import { foldText } from "../contacts/record/contact.ts";
import { ruleFault } from "./rule-fault.ts";
import type { Op } from "./segment.ts";

const PRESENT: readonly Op[] = ["exists", "not_exists"];
const SAME: readonly Op[] = ["eq", "neq", "in", "not_in"];
const SIZE: readonly Op[] = ["gt", "gte", "lt", "lte"];
const OPS_OF: Record<AttributeType, readonly Op[]> = {
  text: [...SAME, "contains", "not_contains", "starts_with", ...PRESENT],
  number: [...SAME, ...SIZE, ...PRESENT],
  date: [...SIZE, "before", "after", "within_days", "not_within_days", ...PRESENT],
  boolean: [...SAME, ...PRESENT],
  choice: [...SAME, ...PRESENT],
};

/** How a value of the type is written in JSON. */
const LITERAL: Record<Exclude<AttributeType, "choice">, string> = {
  text: 'text ("abc")',
  number: "a number (5, not in quotes)",
  date: 'a date ("2026-11-21") or a time with its zone ("2026-11-21T10:00:00Z")',
  boolean: "true or false, not in quotes",
};

/**
 * Checks that a rule fits the attribute's defined type: `eq "5"` on a number would match no contact imported with
 * 5. Throws VALIDATION_FAILED at `path`.
 */
export function checkType(
  definition: AttributeDefinition,
  op: Op,
  value: unknown,
  path: string,
): void {
  const { key, type } = definition;
  const ops = OPS_OF[type];
  if (!ops.includes(op))
    throw ruleFault(
      `${path}.op`,
      `${op} does not fit attribute.${key}, a ${type}; must be one of ${ops.join(", ")}`,
      "op_of_type",
      { op, attribute: definition.label },
    );
  if (PRESENT.includes(op) || op === "within_days" || op === "not_within_days") return;
  const list = op === "in" || op === "not_in";
  const values: readonly unknown[] = list && Array.isArray(value) ? value : [value];
  const wrong = values.findIndex((one) => !fits(definition, one));
  if (wrong < 0) return;
  const at = list ? `${path}.value[${wrong}]` : `${path}.value`;
  const attribute = definition.label;
  if (type === "choice") {
    const choices = definition.choices.join(", ");
    throw ruleFault(at, `must be one of ${choices}`, "choice", { attribute, choices });
  }
  const message = `must be ${LITERAL[type]}, because attribute.${key} is a ${type}`;
  throw ruleFault(at, message, `type_${type}`, { attribute });
}

function fits({ type, choices }: AttributeDefinition, value: unknown): boolean {
  switch (type) {
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return parseInstant(value) !== null;
    case "text":
      return typeof value === "string";
    case "choice":
      // A choice that consists of digits may be given as a number: eq 42 finds "42" in every notation of it.
      if (typeof value === "number") return choices.includes(String(value));
      return choices.some((one) => typeof value === "string" && foldText(one) === foldText(value));
  }
}
