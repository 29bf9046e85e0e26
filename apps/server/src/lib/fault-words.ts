import { nearestWord } from "./nearest-word.ts";

/** A fault that a checker of JSON Schema found, as Ajv and TypeBox give it. */
export interface SchemaFault {
  readonly keyword: string;
  readonly params: object;
  readonly message?: string | undefined;
}

/** What is wrong with a value, in words for people: a checker speaks of types and limits as a program does. */
export function schemaFaultWords({ keyword, params, message }: SchemaFault): string {
  const limit = String(paramOf(params, "limit"));
  const atLeast = (one: string, many: string) =>
    limit === "1" ? `must have at least one ${one}` : `must have at least ${limit} ${many}`;
  switch (keyword) {
    case "const":
      return `must be ${String(paramOf(params, "allowedValue"))}`;
    case "type":
      return `must be ${typeWords(paramOf(params, "type"))}`;
    case "minLength":
      return limit === "1" ? "must not be empty" : `must have at least ${limit} characters`;
    case "minItems":
      return atLeast("item", "items");
    case "minProperties":
      return atLeast("member", "members");
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    default:
      return (message ?? "is not valid").replace("must NOT have", "must not have");
  }
}

/** What is wrong with a name that is not known here: the one that was meant, when one is like it, and all that there are. */
export function unknownNameWords(name: string, known: readonly string[]): string {
  if (known.length === 0) return "is unknown; none are taken here";
  const meant = nearestWord(name, known);
  const list = known.join(", ");
  return meant === undefined
    ? `is unknown; known are ${list}`
    : `is unknown: did you mean ${meant}? Known are ${list}`;
}

/** What is wrong with a value that is none of those allowed. */
export function notAllowedWords(given: unknown, allowed: readonly string[]): string {
  const meant = typeof given === "string" ? nearestWord(given, allowed) : undefined;
  const words = `must be one of ${allowed.join(", ")}`;
  return meant === undefined ? words : `${words}: did you mean ${meant}?`;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "a text"],
  ["integer", "a whole number"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
]);

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(",");
  return types.map((one) => TYPES.get(one) ?? one).join(" or ");
}

const paramOf = (params: object, name: string): unknown =>
  Object.entries(params).find(([key]) => key === name)?.[1];
