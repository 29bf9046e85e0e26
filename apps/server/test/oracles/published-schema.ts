import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";

type Json = Readonly<Record<string, unknown>>;

/** Types that are parts of others (`allOf`) and so must let the others' fields pass. */
const BASES = new Set([
  "BaseMessageProperties",
  "BaseMessageProperties_1",
  "MediaMessageProperties",
  "TemplateComponent",
  "ParameterObject",
  "ButtonParameterObject",
]);

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads a file of `test/data` and compiles its types. What is published as open is closed here: a field that the
 * document does not know is a finding, in what we send as in what an emulator answers.
 */
export function publishedSchema(file: string): (name: string) => ValidateFunction {
  const text = readFileSync(new URL(`../data/${file}`, import.meta.url), "utf8");
  const document = JSON.parse(text) as { $id: string; $defs: Record<string, Json> };
  const defs = Object.entries(document.$defs).map(([name, schema]): [string, unknown] => [
    name,
    convert(schema, BASES.has(name)),
  ]);
  // allErrors: a finding names all that is wrong. The patterns and sizes are ours to trust.
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  ajv.addFormat(
    "date-time-rfc-2822",
    /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/,
  );
  ajv.addSchema({ $id: document.$id, $defs: Object.fromEntries(defs) });
  return (name) => {
    const validate = ajv.getSchema(`${document.$id}#/$defs/${name}`);
    if (!validate) throw new Error(`${file} knows no ${name}`);
    return validate as ValidateFunction;
  };
}

/** Turns discriminators into conditions and closes every object that is not a part of another. */
function convert(schema: unknown, part: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => convert(one, part));
  if (!isObject(schema)) return schema;
  if (isObject(schema["discriminator"])) return byType(schema["discriminator"]);
  const { additionalProperties: _, ...rest } = schema;
  const open = part || (rest["properties"] === undefined && rest["allOf"] === undefined);
  const converted = Object.entries(rest).map(([key, value]): [string, unknown] => {
    if (key === "enum" || key === "required" || key === "not") return [key, value];
    if (key === "properties" && isObject(value))
      return [
        key,
        Object.fromEntries(Object.entries(value).map(([name, one]) => [name, convert(one, false)])),
      ];
    return [key, convert(value, key === "allOf")];
  });
  return { ...Object.fromEntries(converted), ...(!open && { unevaluatedProperties: false }) };
}

function byType({ propertyName, mapping }: Json): Json {
  const tag = String(propertyName);
  const types = isObject(mapping) ? Object.entries(mapping) : [];
  return {
    type: "object",
    required: [tag],
    properties: { [tag]: { enum: types.map(([type]) => type) } },
    allOf: types.map(([type, name]) => ({
      if: { required: [tag], properties: { [tag]: { const: type } } },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: { $ref: `#/$defs/${String(name)}` },
    })),
  };
}

/** What is wrong with a document, in words; null when nothing is. */
export function fault(validate: ValidateFunction, document: unknown): string | null {
  if (validate(document)) return null;
  const words = (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== "if")
    .map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  return `${words.join("; ")} in ${JSON.stringify(document)}`;
}

/** A field that is known to be right although the document lacks it: `a.*.b`, where `*` is any item. */
export interface Exemption {
  readonly path: string;
  readonly why: string;
  /** Only when this holds of the value. Default: always. */
  readonly when?: (value: unknown) => boolean;
}

/** The document without what is exempt; `used` gets the paths that were met. */
export function without(
  document: unknown,
  exemptions: readonly Exemption[],
  used: Set<string>,
): unknown {
  const copy: unknown = structuredClone(document);
  for (const exemption of exemptions) drop(copy, exemption.path.split("."), exemption, used);
  return copy;
}

function drop(
  at: unknown,
  [step = "", ...rest]: readonly string[],
  exemption: Exemption,
  used: Set<string>,
): void {
  if (typeof at !== "object" || at === null) return;
  for (const key of step === "*" ? Object.keys(at) : [step]) {
    const value: unknown = Reflect.get(at, key);
    if (value === undefined) continue;
    if (rest.length > 0) drop(value, rest, exemption, used);
    else if (exemption.when?.(value) ?? true) {
      Reflect.deleteProperty(at, key);
      used.add(exemption.path);
    }
  }
}
