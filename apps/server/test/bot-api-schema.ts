import { readFileSync } from "node:fs";
import type { SeenBotCall } from "@parley/emulators";

interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
}
interface Schema {
  readonly methods: Readonly<Record<string, { readonly fields: readonly Field[] }>>;
  readonly types: Readonly<Record<string, { readonly fields: readonly Field[] }>>;
}

/** What is published of the Bot API, of the methods that we call; its source stands in the file. */
const SCHEMA = JSON.parse(
  readFileSync(new URL("data/telegram-bot-api-7.2.json", import.meta.url), "utf8"),
) as Schema;

const METHOD = /^\/bot[^/]+\/(\w+)$/;
const FILE = /^\/file\/bot[^/]+\/.+$/;

/** What is wrong with a call of a method by the published description; a file's address is no call of a method. */
export function faultsOfCall(call: SeenBotCall): string[] {
  if (call.method === "GET" && FILE.test(call.path)) return [];
  const [, method = ""] = METHOD.exec(call.path) ?? [];
  const described = SCHEMA.methods[method];
  if (described === undefined || call.method !== "POST")
    return [`${call.method} …/${method}: is no method that is described`];
  const uploads = new Set(call.files.map(({ field }) => field));
  // A form has texts alone; in JSON a value has its own type.
  const form = uploads.size > 0;
  return faultsOf(method, described.fields, call.parameters, uploads, form);
}

function faultsOf(
  place: string,
  fields: readonly Field[],
  given: Readonly<Record<string, unknown>>,
  uploads: ReadonlySet<string>,
  form: boolean,
): string[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  const unknown = [...Object.keys(given), ...uploads]
    .filter((name) => !known.has(name))
    .map((name) => `${place}.${name}: is not described`);
  const wrong = fields.flatMap(({ name, types, required }) => {
    const value = given[name];
    if (uploads.has(name))
      return types.includes("InputFile") ? [] : [`${place}.${name}: takes no file`];
    if (value === undefined) return required ? [`${place}.${name}: is missing`] : [];
    return types.some((type) => fits(`${place}.${name}`, type, value, form))
      ? []
      : [`${place}.${name}: is no ${types.join(" or ")}`];
  });
  return [...unknown, ...wrong];
}

function fits(place: string, type: string, value: unknown, form: boolean): boolean {
  const list = /^Array of (.+)$/.exec(type)?.[1];
  if (list !== undefined)
    return Array.isArray(value) && value.every((one) => fits(place, list, one, form));
  switch (type) {
    case "Integer":
      return form ? /^-?\d+$/.test(String(value)) : Number.isSafeInteger(value);
    case "Boolean":
      return form ? /^(true|false)$/.test(String(value)) : typeof value === "boolean";
    case "String":
      return typeof value === "string";
    case "InputFile":
      return false;
    default: {
      const described = SCHEMA.types[type];
      if (described === undefined || typeof value !== "object" || value === null) return false;
      return faultsOf(place, described.fields, { ...value }, new Set(), form).length === 0;
    }
  }
}
