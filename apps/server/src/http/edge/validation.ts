import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { TObject, TProperties } from "typebox";
import { AppError, type FaultDetail } from "../../errors.ts";
import { notAllowedWords, schemaFaultWords, unknownNameWords } from "../../lib/fault-words.ts";
import { markUnfit } from "../../unfit-item.ts";
import type { FurtherFaults } from "./face.ts";
import type { Query } from "./read-query.ts";

/**
 * Reports every fault of a body, not only the first. Nothing is coerced: the library's default would turn
 * `{"name":null}` into "" and `{"tags":"x"}` into ["x"]. Lengths count code points, as JSON Schema says.
 */
const OPTIONS = { strict: true, strictTypes: false, verbose: true } as const;
const ajv = new Ajv2020({ ...OPTIONS, allErrors: true });
/** Stops at the first fault, so a list that is too long costs nothing more. */
const quick = new Ajv2020(OPTIONS);
for (const one of [ajv, quick]) one.addVocabulary(["x-cap", "x-each", "x-fault", "example"]);

/**
 * A body of more values gets its first fault only: looking for all faults of 120,000 wrong values, which fit into a
 * body, took 1.5 s of the processor and 400 MB.
 */
const MOST_VALUES = 2_000;

/**
 * The check of a schema, made at its first use. Made at the start, all of them took a fifth of the start's processor
 * time. `test/schemas.test.ts` makes them all.
 */
function checkOf(schema: object, by: Ajv2020 = ajv): () => ValidateFunction {
  let check: ValidateFunction | undefined;
  return () => (check ??= by.compile(schema));
}

/** Whether a body holds more values than all of whose faults are looked for. */
function isLarge(body: unknown): boolean {
  let left = MOST_VALUES;
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if ((left -= inner.length) < 0) return true;
    open.push(...inner);
  }
  return false;
}

const MAX_FAULTS = 100;

export interface Checked {
  readonly value: Record<string, unknown>;
  readonly faults: readonly FaultDetail[];
  /** Members of a body that the schema does not name and that were left out. */
  readonly ignored: readonly string[];
}

/** The items of a list whose schema says `x-each`: one that does not fit is refused alone, by the operation. */
interface Each {
  readonly name: string;
  readonly all: () => ValidateFunction;
  readonly first: () => ValidateFunction;
}

interface Parts {
  readonly whole: TObject;
  readonly each: readonly Each[];
}
/** Made once for each schema: Ajv refuses a second one of a name that it knows. */
const partsOf = new WeakMap<TObject, Parts>();

/** The schema in which items of batches are any objects, and the checks of those items. */
function apart(schema: TObject): Parts {
  const parts = partsOf.get(schema) ?? takeApart(schema);
  partsOf.set(schema, parts);
  return parts;
}

function takeApart(schema: TObject): Parts {
  const each: Each[] = [];
  const members = Object.entries(schema.properties).map(([name, list]) => {
    if (!("x-each" in list) || !("items" in list) || !isObject(list.items)) return [name, list];
    const { $id: _named, ...item } = list.items;
    each.push({ name, all: checkOf(item), first: checkOf(item, quick) });
    return [name, { ...list, items: { type: "object" } }];
  });
  if (each.length === 0) return { whole: schema, each };
  return { whole: { ...schema, properties: Object.fromEntries(members) as TProperties }, each };
}

/** The lists of a body whose items are refused one by one. */
export const listsOfItems = (schema: TObject): string[] =>
  apart(schema).each.map(({ name }) => name);

/** Notes the items that do not fit. */
function noteItems(each: readonly Each[], body: object, large: boolean): void {
  for (const { name, all, first } of each) {
    const list: unknown = Object.entries(body).find(([member]) => member === name)?.[1];
    const check = large ? first() : all();
    for (const item of Array.isArray(list) ? list : [])
      if (isObject(item) && !check(item)) markUnfit(item, faultsOf(check));
  }
}

/**
 * Checks a body and gives the members that the schema names. Other members never reach an operation: they are a
 * fault where the schema says `additionalProperties: false`, else they are listed in `ignored`. When the schema
 * refuses, `further` adds the faults that the operation would have found.
 */
export function bodyCheck(schema: TObject, further?: FurtherFaults): (body: unknown) => Checked {
  const { whole, each } = apart(schema);
  const [all, first] = [checkOf(whole), checkOf(whole, quick)];
  const names = new Set(Object.keys(schema.properties));
  return (body) => {
    const large = isLarge(body);
    const check = large ? first() : all();
    if (!check(body)) {
      const faults = joined(faultsOf(check), body, further);
      return { value: {}, faults, ignored: [] };
    }
    noteItems(each, body ?? {}, large);
    const members = Object.entries(body ?? {});
    return {
      value: Object.fromEntries(members.filter(([name]) => names.has(name))),
      faults: [],
      ignored: members.flatMap(([name]) => (names.has(name) ? [] : [name])),
    };
  };
}

/** The checked values. Throws VALIDATION_FAILED with every fault. */
export function faultless({ value, faults }: Checked): Checked["value"] {
  if (faults.length > 0) throw new AppError("VALIDATION_FAILED", { details: faults });
  return value;
}

/** A name that a route does not know, with the names that it knows: most are typing errors. */
const unknownFault = (name: string, known: readonly string[]): FaultDetail => ({
  path: name,
  message: unknownNameWords(name, known),
});

/**
 * Checks a query string against a schema of texts, integers and lists, which are written with commas or by
 * repeating the name (most generated clients repeat, whatever the document says). Integers take any finite JSON
 * number. `x-cap` makes greater values count as the cap ("capped at 200 regardless of what is asked", spec). A
 * name that the schema lacks is a fault (contract §5), because a misspelt filter would otherwise give everything.
 */
export function queryCheck(schema: TObject): (query: Query) => Checked {
  const checkFor = checkOf(schema);
  const properties = Object.entries(schema.properties);
  const names = properties.map(([name]) => name);
  return ({ values, repeated, faults: unfit }) => {
    const value: Record<string, unknown> = {};
    const faults = [...unfit];
    for (const [name, property] of properties) {
      const text = values.get(name);
      if (text === undefined) continue;
      const more = repeated.get(name) ?? [];
      if (more.length === 0 || typeOf(property) === "array")
        value[name] = readValue([text, ...more].join(","), property);
      else faults.push({ path: name, message: "must be given once" });
    }
    for (const name of [...values.keys()]
      .filter((one) => !names.includes(one))
      .slice(0, MAX_FAULTS))
      faults.push(unknownFault(name, names));
    const named = new Set(faults.map((fault) => fault.path));
    const check = checkFor();
    const further = check(value) ? [] : faultsOf(check).filter((fault) => !named.has(fault.path));
    return { value, faults: [...faults, ...further], ignored: [] };
  };
}

/** Joins the faults of both; for one place the schema's fault counts. */
function joined(faults: readonly FaultDetail[], body: unknown, further?: FurtherFaults) {
  if (!further || !isObject(body)) return faults;
  const named = new Set(faults.map(({ path }) => path));
  return [...faults, ...further(body).filter(({ path }) => !named.has(path))].slice(0, MAX_FAULTS);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The type of a parameter; of one that may be a number or a word, the number's. */
function typeOf(property: object): unknown {
  const either = "anyOf" in property && Array.isArray(property.anyOf) ? property.anyOf : [];
  if (either.some((one: unknown) => isObject(one) && one["type"] === "integer")) return "integer";
  return "type" in property ? property.type : undefined;
}

function readValue(text: string, property: object): unknown {
  const type = typeOf(property);
  if (type === "integer") return readNumber(text, property);
  if (type === "array") return text === "" ? [] : text.split(",");
  return text;
}

/** A number, or the text itself, which the schema then refuses. */
function readNumber(text: string, property: object): number | string {
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return text;
  const cap = "x-cap" in property ? Number(property["x-cap"]) : Number.MAX_SAFE_INTEGER;
  const number = Number(text);
  // Infinity passes every numeric keyword and then fails in the database (22P02). Plain digits mean "very many".
  if (!Number.isFinite(number)) return /^\d+$/.test(text) ? cap : text;
  return Math.min(number, cap);
}

/** One fault for each place: a value of the wrong type is also not among the allowed values. */
function faultsOf(check: ValidateFunction): FaultDetail[] {
  const byPath = new Map<string, FaultDetail>();
  for (const error of meantErrors(check.errors ?? [])) {
    const fault = toFault(error);
    if (!byPath.has(fault.path)) byPath.set(fault.path, fault);
    if (byPath.size === MAX_FAULTS) break;
  }
  return [...byPath.values()];
}

/**
 * Where a value is one of several shapes of which a word names one, as the `action` of a change: the faults of the shape that
 * the word names, or of the word alone. Ajv gives the faults of all shapes.
 */
function meantErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.reduce<readonly ErrorObject[]>((left, choice) => {
    if (choice.keyword !== "anyOf") return left;
    const word = wordOf(choice.schema);
    if (word === null || !isObject(choice.data)) return left;
    const { name, values } = word;
    const given = choice.data[name];
    const at = values.indexOf(given);
    const isOfShape = ({ schemaPath }: ErrorObject, shape: number | null) =>
      schemaPath.startsWith(`${choice.schemaPath}/${shape === null ? "" : `${shape}/`}`);
    const others = left.filter((one) => one !== choice && !isOfShape(one, null));
    if (at >= 0) return [...others, ...left.filter((one) => isOfShape(one, at))];
    const missing = { keyword: "required", params: { missingProperty: name } };
    const instancePath = `${choice.instancePath}/${name}`;
    const wrong = { keyword: "enum", schema: values, instancePath };
    return [...others, { ...choice, ...(given === undefined ? missing : wrong) }];
  }, errors);
}

/** The member that says which shape is meant, with its value in each; null: they have none. */
function wordOf(shapes: unknown): { name: string; values: readonly unknown[] } | null {
  const each = Array.isArray(shapes)
    ? shapes.map((one) => propertiesOf(isObject(one) ? one : {}))
    : [];
  const [first = {}] = each;
  for (const name of Object.keys(first)) {
    const constants = each.map((one) =>
      constantOf(Object.entries(one).find(([key]) => key === name)?.[1]),
    );
    const values = constants.filter((one) => one !== undefined);
    if (values.length === each.length && new Set(values).size === values.length)
      return { name, values };
  }
  return null;
}

const constantOf = (schema: unknown): unknown => (isObject(schema) ? schema["const"] : undefined);

function toFault(error: ErrorObject): FaultDetail {
  const steps = error.instancePath.split("/").slice(1).map(unescape);
  if (error.keyword === "required") {
    return {
      path: [...steps, String(error.params["missingProperty"])].join("."),
      message: "is required",
    };
  }
  if (error.keyword === "additionalProperties") {
    const name = String(error.params["additionalProperty"]);
    const known = Object.keys(propertiesOf(error.parentSchema));
    return { ...unknownFault(name, known), path: [...steps, name].join(".") };
  }
  if (error.keyword === "type" && steps.length === 0)
    return { path: "", message: "must be a JSON object; {} when nothing is to be said" };
  return { path: steps.join("."), message: messageOf(error) };
}

function fitsPattern({ data, parentSchema }: ErrorObject): boolean {
  const pattern: unknown = parentSchema?.["pattern"];
  if (typeof pattern !== "string" || parentSchema?.["x-fault"] === undefined) return true;
  return new RegExp(pattern, "u").test(String(data));
}

function messageOf(error: ErrorObject): string {
  // What is too long for its pattern, as a date in the words of a program, does not fit it either. A text without U+0000 does.
  if (error.keyword === "pattern" || (error.keyword === "maxLength" && !fitsPattern(error)))
    return wordsOf(error);
  if (error.keyword === "enum") return notAllowedWords(error.data, allowedOf(error));
  return schemaFaultWords(error);
}

/** The values of an enum. */
function allowedOf({ schema, params }: ErrorObject): string[] {
  const values: unknown = schema ?? params["allowedValues"];
  return Array.isArray(values) ? values.map(String) : [];
}

/** A schema's own text for values that its pattern refuses, as `x-fault`. */
function wordsOf({ parentSchema }: ErrorObject): string {
  const words: unknown = parentSchema?.["x-fault"];
  return typeof words === "string" ? words : "has an invalid format";
}

function propertiesOf(schema: ErrorObject["parentSchema"]): object {
  const properties: unknown = schema?.["properties"];
  return typeof properties === "object" && properties !== null ? properties : {};
}

function unescape(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
