import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import { notAllowedWords, schemaFaultWords, unknownNameWords } from "../../lib/fault-words.ts";
import type { BotFault, BotFaultCode, ShapeRule } from "../../wire/bot.ts";

type ShapeError = ReturnType<typeof Errors>[number];
type Reason = Pick<BotFault, "values">;

/** A fault of a draft outside of the steps of a flow. */
export const draftFault = (
  path: string,
  code: BotFaultCode,
  message: string,
  values?: BotFault["values"],
): BotFault => ({ path, step: null, code, message, ...(values && { values }) });

/** What of a value is not of its form, in the words of the API: each place once, its members parted by dots. Pure. */
export function shapeFaults(
  shape: TSchema,
  value: unknown,
): { readonly at: string; readonly message: string; readonly values: Reason["values"] }[] {
  const found = new Map<string, { message: string; values: Reason["values"] }>();
  for (const error of Errors(shape, value)) {
    // Its parent says that it is too much.
    if (error.keyword === "boolean") continue;
    const place = error.instancePath.slice(1).replaceAll("/", ".");
    for (const one of placesOf(error)) {
      const at = [place, one].filter((part) => part !== "").join(".");
      const message = wordsOf(shape, error, one);
      if (!found.has(at)) found.set(at, { message, values: reasonOf(error) });
    }
  }
  return [...found].map(([at, fault]) => ({ at, ...fault }));
}

/** The members that an error is about; an empty name: the place itself. */
function placesOf({ keyword, params }: ShapeError): readonly string[] {
  if (keyword === "required" && "requiredProperties" in params) return params.requiredProperties;
  if (keyword === "additionalProperties" && "additionalProperties" in params)
    return params.additionalProperties;
  return [""];
}

/** In the words of the API. `name`: the member that is missing or unknown. */
function wordsOf(
  shape: TSchema,
  { keyword, schemaPath, message, params }: ShapeError,
  name: string,
): string {
  if (keyword === "required") return "is required";
  if (keyword === "enum" && "allowedValues" in params)
    return notAllowedWords(undefined, params.allowedValues.map(String));
  if (keyword !== "additionalProperties") return schemaFaultWords({ keyword, params, message });
  const known = Object.keys(membersAt(shape, schemaPath));
  return known.length === 0 ? "is unknown" : unknownNameWords(name, known);
}

/** The members of the object at this place of a schema; none where it is one of several forms. */
function membersAt(shape: TSchema, place: string): object {
  let at: object = shape;
  for (const step of [...place.split("/").slice(1), "properties"]) {
    const next: unknown = Object.entries(at).find(([name]) => name === step)?.[1];
    if (step === "anyOf" || typeof next !== "object" || next === null) return {};
    at = next;
  }
  return at;
}

const RULES: Readonly<Record<string, ShapeRule>> = {
  required: "missing",
  additionalProperties: "unknown",
  minLength: "short",
  maxLength: "long",
  minItems: "few",
  maxItems: "many",
  maxProperties: "many",
  minimum: "small",
  maximum: "large",
};

/** The rule that a value breaks, by a name of a closed list, and its limit. */
function reasonOf({ keyword, params }: ShapeError): Reason["values"] {
  const limit = "limit" in params && typeof params.limit === "number" ? params.limit : null;
  const rule: ShapeRule =
    keyword === "minLength" && limit === 1 ? "missing" : (RULES[keyword] ?? "form");
  return { rule, ...(limit !== null && { limit }) };
}
