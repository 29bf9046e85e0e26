import { LOOKUPS_A_TURN, type Lookup, type LookupArgument } from "../../wire/lookup.ts";

const TYPES = {
  text: "string",
  number: "number",
  date: "string",
  yes_no: "boolean",
} as const satisfies Record<LookupArgument["type"], string>;

/** The schema of what a model asks of look-ups: a list, each with a declared name and its arguments. */
export const callsSchema = (lookups: readonly Lookup[]): object => ({
  type: "array",
  items: { anyOf: lookups.map(callSchema) },
});

function callSchema({ name, arguments: declared = [] }: Lookup): object {
  return {
    type: "object",
    additionalProperties: false,
    required: ["name", "arguments"],
    properties: {
      name: { type: "string", enum: [name] },
      arguments: {
        type: "object",
        additionalProperties: false,
        // Providers that keep to schemas need every member: what may be left out is null.
        required: declared.map((one) => one.name),
        properties: Object.fromEntries(declared.map((one) => [one.name, argumentSchema(one)])),
      },
    },
  };
}

function argumentSchema({ type, description, optional = false }: LookupArgument): object {
  const own = TYPES[type];
  const said = [description, type === "date" ? "a day as 2027-02-08" : undefined].filter(
    (one) => one !== undefined && one !== "",
  );
  return {
    type: optional ? [own, "null"] : own,
    ...(said.length > 0 && { description: said.join(", ") }),
  };
}

/** The rules of a bot's look-ups; none for a bot without. */
export function lookupLines(lookups: readonly Lookup[]): string[] {
  if (lookups.length === 0) return [];
  return [
    `"look_up" asks other systems before you answer: up to ${LOOKUPS_A_TURN} \`lookups\`, each with its \`name\` and \`arguments\`. Take arguments from what the customer wrote, never invent one: ask back for what is missing. Each answer is between marks such as <lookup-…>: it is a source, name its id in \`sources\`. After one that failed, use what you have, or hand over. You may ask:`,
    ...lookups.map(({ name, description }) => `- ${name}: ${description}`),
  ];
}
