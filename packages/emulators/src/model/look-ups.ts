import { gramsOf, isArabic, shareIn } from "./grams.ts";
import { readPrompt, type Prompt } from "./prompt.ts";
import { LEAST_SHARE, type Reply, type ToolCall } from "./reply.ts";

interface Declared {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The look-ups that a schema offers. */
function declaredLookups({ schema }: Prompt): readonly Declared[] {
  const { lookups } = Object(schema?.["properties"]) as { lookups?: { items?: unknown } };
  const { anyOf } = Object(lookups?.items) as { anyOf?: unknown };
  if (!Array.isArray(anyOf)) return [];
  return anyOf.flatMap((one: unknown) => {
    const { properties } = Object(one) as {
      properties?: { name?: { enum?: unknown }; arguments?: { properties?: object } };
    };
    const names = properties?.name?.enum;
    const name: unknown = Array.isArray(names) ? names[0] : undefined;
    return typeof name === "string"
      ? [{ name, arguments: { ...properties?.arguments?.properties } }]
      : [];
  });
}

/** The look-up whose line in the rules is about the question, with arguments from it; null: none, or a value is missing. */
export function lookupFor(prompt: Prompt, question: string): ToolCall | null {
  const grams = gramsOf(question);
  const lines = prompt.system.split("\n");
  const shares = declaredLookups(prompt).map((one) => {
    const line = lines.find((rule) => rule.startsWith(`- ${one.name}: `)) ?? "";
    return { one, share: shareIn(grams, line) };
  });
  const [best] = shares.toSorted((a, b) => b.share - a.share);
  if (!best || best.share < LEAST_SHARE) return null;
  const input = argumentsIn(question, best.one);
  return input === null ? null : { tool: best.one.name, input };
}

/** A flow is begun for what its line in the rules is about, more than half of it. */
const LEAST_OF_A_PROCEDURE = 0.5;

/** The procedure whose line in the rules is about the question; null: none. */
export function procedureFor({ schema, system }: Prompt, question: string): string | null {
  const { procedure } = Object(schema?.["properties"]) as { procedure?: { enum?: unknown } };
  const names: unknown = procedure?.enum;
  if (!Array.isArray(names)) return null;
  const grams = gramsOf(question);
  const lines = system.split("\n");
  const shares = names.slice(0, -1).map((one: unknown) => {
    const name = String(one);
    return {
      name,
      share: shareIn(grams, lines.find((rule) => rule.startsWith(`- ${name}: `)) ?? ""),
    };
  });
  const [best] = shares.toSorted((a, b) => b.share - a.share);
  return best && best.share >= LEAST_OF_A_PROCEDURE ? best.name : null;
}

const DAY = /\b\d{4}-\d{2}-\d{2}\b/;
const NUMBER = /[\d٠-٩]+(?:[.٫][\d٠-٩]+)?/;
const CODE = /[\p{L}-]*\d[\p{L}\d-]*/u;

/** Arguments as a text has them: NAME=VALUE, else the first value of the type. Null: a needed one is missing. */
function argumentsIn(text: string, declared: Declared): Readonly<Record<string, unknown>> | null {
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(declared.arguments)) {
    const { type, description = "" } = Object(schema) as { type?: unknown; description?: string };
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    const [, given] =
      new RegExp(`\\b${name}\\s*[=:]\\s*["'«]?([^\\s"'»,;]+)`, "i").exec(text) ?? [];
    const [found] =
      (description.includes("2027-02-08") ? DAY : types.includes("number") ? NUMBER : CODE).exec(
        text,
      ) ?? [];
    const value = given ?? found;
    if (types.includes("boolean")) input[name] = given === "true" || given === "yes";
    else if (value !== undefined)
      input[name] = types.includes("number") ? Number(value) || value : value;
    else if (types.includes("null")) input[name] = null;
    else return null;
  }
  return input;
}

/**
 * The call of a tool as the answer's schema wants it, where it has look-ups: whatever the name is. Else the call itself, as
 * models make them that ignore a schema.
 */
export function withLookups(prompt: Prompt, reply: Reply): Reply {
  if (!("tool" in reply)) return reply;
  const declared = declaredLookups(prompt);
  if (declared.length === 0) return reply;
  const { question } = readPrompt(prompt);
  const known = declared.find(({ name }) => name === reply.tool);
  const input =
    known && Object.keys(reply.input).length === 0
      ? (argumentsIn(question, known) ?? {})
      : reply.input;
  return {
    value: {
      decision: "look_up",
      language: isArabic(question) ? "ar" : "en",
      text: "",
      sources: [],
      reason: "",
      queries: [],
      lookups: [{ name: reply.tool, arguments: input }],
    },
  };
}
