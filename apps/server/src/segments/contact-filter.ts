import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { westernDigits } from "../contacts/attributes/attribute-definition.ts";
import { normalisePhone } from "../contacts/record/contact-input.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { parseJson } from "../lib/parse-json.ts";
import { findSegment } from "./find-segment.ts";
import { parseDefinition, type Group } from "./parse-definition.ts";
import type { Definition } from "./segment.ts";

/** The contacts of a list or a change: those that fit all given parts. */
export interface ContactFilter {
  /** Part of a name, e-mail or phone, or a phone as people write it. */
  readonly search?: string | undefined;
  /** A segment's definition, as JSON. */
  readonly definition?: string | undefined;
  /** A saved segment. */
  readonly segment?: string | undefined;
}

/** All contacts, also opted-out ones, which a definition without rules leaves out. */
export const EVERYBODY: Definition = {
  match: "any",
  rules: [true, false].map((value) => ({ field: "optedOut", op: "eq", value })),
};
const REACHABLE: Definition["rules"][number] = { field: "optedOut", op: "eq", value: false };

/** With fewer digits, a number with marks (1.5) is hardly a phone. */
const FEWEST_DIGITS = 4;

/**
 * The filter as one definition, so that a list, its count, an export and a change mean the same contacts; null:
 * all. Throws VALIDATION_FAILED for an invalid definition, NOT_FOUND for an unknown segment.
 */
export async function filterDefinition(
  context: Pick<Context, "db">,
  workspaceId: string,
  { search, definition, segment }: ContactFilter,
): Promise<Definition | null> {
  const parts: Definition[] = [];
  if (segment !== undefined) {
    const saved = await findSegment(context.db, workspaceId, segment);
    if (!saved) throw new AppError("NOT_FOUND", { explanation: "there is no such segment" });
    parts.push(saved.definition);
  }
  if (definition !== undefined) {
    const given = readJson(definition);
    parseDefinition(given, await attributeDefinitions(context, workspaceId));
    parts.push(given as Definition);
  }
  const term = search?.trim() ?? "";
  if (term !== "") parts.push({ match: "any", rules: searchRules(term) });
  if (parts.length === 0) return null;
  const whole = joined(parts);
  // Two valid definitions may be too deep together.
  parseDefinition(whole);
  return whole;
}

/** The fields that a definition asks for, each once, without what they are compared with. */
export const fieldsOf = (definition: Definition): string[] => [
  ...new Set(fieldsIn(parseDefinition(definition))),
];
const fieldsIn = ({ conditions }: Group): string[] =>
  conditions.flatMap((one) => (one.kind === "group" ? fieldsIn(one) : one.field.name));

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw invalid("definition", "must be JSON");
  }
}

function joined(parts: readonly Definition[]): Definition {
  const filled = parts.map((part) =>
    part.rules.length === 0 ? { match: "all" as const, rules: [REACHABLE] } : part,
  );
  const [only] = filled;
  if (filled.length === 1 && only) return only;
  return {
    match: "all",
    rules: filled.flatMap((part) => (part.match === "all" ? part.rules : [part])),
  };
}

/**
 * A phone as people write it (+965 5000, 00965…, ٩٦٥-٥٠٠٠) is searched as phones are stored; everything else as it
 * is.
 */
function searchRules(term: string): Definition["rules"] {
  const western = westernDigits(term);
  const digits = normalisePhone(western);
  const begins = western.includes("+") || /^\D*0\D*0/.test(western);
  if (digits !== null && digits !== term && (begins || digits.length >= FEWEST_DIGITS))
    return [{ field: "phone", op: begins ? "starts_with" : "contains", value: digits }];
  const texts = ["name", "email"].map((field) => ({ field, op: "contains", value: term }));
  return /^\d+$/.test(term) ? [...texts, { field: "phone", op: "contains", value: term }] : texts;
}
