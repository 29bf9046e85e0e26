// What of an OpenAPI document a caller would miss in a later one: removed, or narrowed. What only grows is no change.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Content }>
  >;
  readonly "x-required-scope"?: string;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
export interface OpenApi {
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

type Resolve = (schema: Schema) => Schema;
interface Pair {
  readonly before: Schema;
  readonly after: Schema;
}

/** What was removed or narrowed between two documents, one line each; empty when the later one only grew. */
export function documentChanges(before: OpenApi, after: OpenApi): string[] {
  const found: string[] = [];
  const note = (line: string): void => void (found.includes(line) || found.push(line));
  const [old, now] = [resolver(before), resolver(after)];
  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const later = after.paths[path]?.[method];
      if (!later) {
        note(`${at}: removed`);
        continue;
      }
      if (later["x-required-scope"] !== operation["x-required-scope"])
        note(`${at}: needs another scope`);
      compareParameters(at, parametersOf(before, operation), parametersOf(after, later));
      compareBody(at, operation, later);
      compareAnswers(at, operation, later);
    }
  // What webhooks deliver is read as an answer is.
  for (const [kind, methods] of Object.entries(before.webhooks ?? {})) {
    const [body, later] = [methods, after.webhooks?.[kind]].map(
      (one) => one?.["post"]?.requestBody?.content["application/json"]?.schema,
    );
    if (!later) note(`webhook ${kind}: removed`);
    else if (body) compareGiven(`webhook ${kind}`, { before: body, after: later }, new Set());
  }
  return found;

  function compareParameters(
    at: string,
    was: readonly Parameter[],
    is: readonly Parameter[],
  ): void {
    for (const one of was) {
      const same = is.find(({ name, in: where }) => name === one.name && where === one.in);
      const told = `${at} ${one.in} ${one.name}`;
      if (!same) note(`${told}: removed`);
      else if (one.schema && same.schema)
        compareTaken(told, { before: one.schema, after: same.schema }, new Set());
      if (same?.required === true && one.required !== true) note(`${told}: became required`);
    }
    for (const one of is)
      if (one.required === true && !was.some(({ name }) => name === one.name))
        note(`${at} ${one.in} ${one.name}: a new one is required`);
  }

  function compareBody(at: string, was: Operation, is: Operation): void {
    const [old, later] = [was, is].map((one) => one.requestBody?.content["application/json"]);
    if (is.requestBody?.required === true && !was.requestBody) note(`${at} body: became required`);
    if (was.requestBody && !is.requestBody) note(`${at} body: removed`);
    if (old?.schema && later?.schema)
      compareTaken(`${at} body`, { before: old.schema, after: later.schema }, new Set());
  }

  function compareAnswers(at: string, was: Operation, is: Operation): void {
    for (const [status, answer] of Object.entries(was.responses)) {
      const later = is.responses[status];
      // An error that no longer happens is missed by nobody.
      if (!later) {
        if (status.startsWith("2")) note(`${at} ${status}: removed`);
        continue;
      }
      for (const header of Object.keys(answer.headers ?? {}))
        if (!Object.hasOwn(later.headers ?? {}, header)) note(`${at} ${status} ${header}: removed`);
      for (const [type, { schema }] of Object.entries(answer.content ?? {})) {
        const same = later.content?.[type];
        if (!same) note(`${at} ${status} ${type}: removed`);
        else if (schema && same.schema)
          compareGiven(`${at} ${status}`, { before: schema, after: same.schema }, new Set());
      }
    }
    for (const status of Object.keys(is.responses))
      if (status.startsWith("2") && !Object.hasOwn(was.responses, status))
        note(`${at} ${status}: a new status of success`);
  }

  /** Of what callers send: everything that was taken still is. */
  function compareTaken(at: string, pair: Pair, seen: Set<string>): void {
    const { before: was, after: is } = resolved(pair, seen, at) ?? {};
    if (!was || !is) return;
    const lost = typesOf(was).filter((type) => !allows(typesOf(is), type));
    if (lost.length > 0 || (typesOf(was).length === 0 && typesOf(is).length > 0))
      note(`${at}: no longer takes ${lost.join(", ") || "every type"}`);
    if (is.enum && !was.enum) note(`${at}: takes only some values`);
    for (const value of was.enum ?? [])
      if (is.enum && !is.enum.includes(value)) note(`${at}: no longer takes ${String(value)}`);
    if (is.pattern !== undefined && is.pattern !== was.pattern) note(`${at}: another pattern`);
    if (is.format !== undefined && is.format !== was.format) note(`${at}: another format`);
    for (const name of ["maxLength", "maximum", "maxItems"] as const)
      if ((is[name] ?? Infinity) < (was[name] ?? Infinity)) note(`${at}: a lower ${name}`);
    for (const name of ["minLength", "minimum", "minItems"] as const)
      if ((is[name] ?? -Infinity) > (was[name] ?? -Infinity)) note(`${at}: a higher ${name}`);
    for (const name of is.required ?? [])
      if (!was.required?.includes(name)) note(`${at}.${name}: became required`);
    if (is.additionalProperties === false && was.additionalProperties !== false && was.properties)
      note(`${at}: takes no other members`);
    eachMember(at, { before: was, after: is }, seen, compareTaken);
  }

  /** Of what callers receive: every member is there still, and holds nothing of another type. */
  function compareGiven(at: string, pair: Pair, seen: Set<string>): void {
    const { before: was, after: is } = resolved(pair, seen, at) ?? {};
    if (!was || !is) return;
    const more = typesOf(is).filter((type) => !allows(typesOf(was), type));
    if (typesOf(was).length > 0 && (more.length > 0 || typesOf(is).length === 0))
      note(`${at}: may be ${more.join(", ") || "of any type"}`);
    if (was.format !== undefined && is.format !== was.format) note(`${at}: another format`);
    for (const name of was.required ?? [])
      if (!is.required?.includes(name)) note(`${at}.${name}: may be missing`);
    eachMember(at, { before: was, after: is }, seen, compareGiven);
  }

  function eachMember(
    at: string,
    { before: was, after: is }: Pair,
    seen: Set<string>,
    compare: (at: string, pair: Pair, seen: Set<string>) => void,
  ): void {
    const [old, later] = [was, is].map(membersOf);
    for (const [name, schema] of old ?? []) {
      const same = later?.get(name);
      if (!same) note(`${at}.${name}: removed`);
      else compare(`${at}.${name}`, { before: schema, after: same }, seen);
    }
    if (was.items && is.items) compare(`${at}[]`, { before: was.items, after: is.items }, seen);
  }

  function resolved({ before: was, after: is }: Pair, seen: Set<string>, at: string): Pair | null {
    if (was.$ref !== undefined) {
      const key = `${was.$ref} ${is.$ref}`;
      if (seen.has(key)) return null;
      seen.add(key);
    }
    if (at.length > 400) return null;
    return { before: old(was), after: now(is) };
  }
}

const resolver = ({ components }: OpenApi): Resolve => {
  const resolve: Resolve = (schema) => {
    const name = schema.$ref?.replace("#/components/schemas/", "");
    const target = name === undefined ? schema : components.schemas[name];
    if (!target) throw new Error(`${schema.$ref} is not in the document`);
    return target.$ref === undefined ? joined(target, resolve) : resolve(target);
  };
  return resolve;
};

/** A shape with the parts of its `allOf`. */
function joined(schema: Schema, resolve: Resolve): Schema {
  const { allOf = [], ...own } = schema;
  return allOf.map(resolve).reduce<Schema>(
    (whole, part) => ({
      ...whole,
      ...part,
      properties: { ...whole.properties, ...part.properties },
      required: [...(whole.required ?? []), ...(part.required ?? [])],
    }),
    own,
  );
}

const typesOf = ({ type, anyOf }: Schema): readonly string[] =>
  anyOf ? anyOf.flatMap(typesOf) : type === undefined ? [] : [type].flat();

const allows = (types: readonly string[], type: string): boolean =>
  types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));

const membersOf = ({ properties = {}, patternProperties = {} }: Schema): Map<string, Schema> =>
  new Map([...Object.entries(properties), ...Object.entries(patternProperties)]);

function parametersOf({ components }: OpenApi, { parameters = [] }: Operation): Parameter[] {
  return parameters.map((one) => {
    const name = one.$ref?.replace("#/components/parameters/", "");
    return name === undefined ? one : (components.parameters?.[name] ?? one);
  });
}
