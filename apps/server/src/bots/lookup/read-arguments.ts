import type { Lookup, LookupArgument, LookupValues } from "../../wire/lookup.ts";
import { answerAs } from "../flow/answers.ts";

/** The longest text that a model may fill, in characters. */
const LONGEST = 200;

/** What a model filled, in the types that a look-up declares; or what is wrong with it. */
export type ReadArguments = { readonly values: LookupValues } | { readonly wrong: string };

/** Reads the arguments of a look-up. Only what it declares passes, and only in its type. Pure. */
export function readArguments(
  { arguments: declared = [] }: Pick<Lookup, "arguments">,
  given: Readonly<Record<string, unknown>>,
): ReadArguments {
  const strange = Object.keys(given).find((one) => !declared.some(({ name }) => name === one));
  if (strange !== undefined) return { wrong: `it has no argument ${shown(strange)}` };
  const values: Record<string, string | number | boolean> = {};
  for (const argument of declared) {
    const { name, optional = false } = argument;
    const value = given[name];
    if (value === undefined || value === null || value === "") {
      if (!optional) return { wrong: `${name} is missing` };
      continue;
    }
    const read = valueAs(argument, value);
    if (read === null) return { wrong: `${name} is no ${WORDS[argument.type]}` };
    values[name] = read;
  }
  return { values };
}

const WORDS = {
  text: "text of 1 to 200 characters",
  number: "number",
  date: "date",
  yes_no: "yes or no",
} as const satisfies Record<LookupArgument["type"], string>;

function valueAs({ type }: LookupArgument, value: unknown): string | number | boolean | null {
  // A model may write the number of an order as a number, and a number as a text.
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  switch (type) {
    case "text": {
      const plain = text.replaceAll(/\p{C}/gu, " ").trim();
      return plain !== "" && Array.from(plain).length <= LONGEST ? plain : null;
    }
    case "number":
    case "date":
      return answerAs(type, text);
    case "yes_no":
      return typeof value === "boolean" ? value : null;
  }
}

const shown = (name: string): string => name.replaceAll(/[^\w.-]/g, " ").slice(0, 40);
