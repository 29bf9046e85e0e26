import { nameOf, type Document, type Schema } from "./document.ts";

/** A table of the members of an answer or an event; empty for a shape without any. */
export function answerTable(document: Document, shape: Schema): string {
  const rows = answerRows(document, shape, "");
  if (rows.length === 0) return "";
  return `| name | type | always | what it is |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}

/** A row for each member; those of an object without a name of its own follow it, as \`estimate.recipients\`. */
function answerRows(document: Document, shape: Schema, before: string): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([member, schema]) => {
    const name = `${before}${member}`;
    const always = shape.required?.includes(member) === true;
    const below = schema.items ?? schema;
    return [
      row(null, name, schema, always, aboutOf(document, schema)),
      ...answerRows(document, below, `${name}${schema.items ? "[]" : ""}.`),
    ];
  });
}

/** A named shape under a heading of its own. */
export function shapeTable(document: Document, name: string): string {
  const shape = document.components.schemas[name] ?? {};
  return `### ${name}\n\n${shape.description ?? ""}\n\n${answerTable(document, shape)}`;
}

/** A schema with its name followed. */
export function followed(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return document.components.schemas[nameOf(schema.$ref)] ?? schema;
}

/** What a member is: in its own words, else in those of the shape that it names or is a list of. */
export const aboutOf = (document: Document, schema: Schema): string | undefined =>
  schema.description ??
  followed(document, schema).description ??
  (schema.items && followed(document, schema.items).description);

/** The named shapes with members that a schema is made of, each once. */
export function namesIn(document: Document, schema: Schema, found = new Set<string>()): string[] {
  const below = [
    schema.items,
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  for (const one of below) {
    if (!one) continue;
    const name = one.$ref === undefined ? null : nameOf(one.$ref);
    const shape = name === null ? one : document.components.schemas[name];
    if (name !== null && (found.has(name) || !(shape?.properties ?? shape?.anyOf))) continue;
    if (name !== null) found.add(name);
    namesIn(document, shape ?? {}, found);
  }
  return [...found];
}

export function row(
  where: string | null,
  name: string,
  schema: Schema,
  required: boolean,
  about = "",
): string {
  const fallback = schema.default === undefined ? "" : ` Default \`${JSON.stringify(schema.default)}\`.`;
  return `|${where === null ? "" : ` ${where} |`} \`${name}\` | ${cell(kindOf(schema))} | ${required ? "yes" : ""} | ${cell(about)}${fallback} |\n`;
} // oxfmt-ignore

function kindOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((one) => `\`${String(one)}\``).join(", ");
  const either = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (either) return [...new Set(either.map(kindOf))].join(" or ");
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => (type === "array" ? `list of ${kindOf(schema.items ?? {})}` : type)).join(" or "); // oxfmt-ignore
}

export const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
