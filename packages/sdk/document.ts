import { readFileSync } from "node:fs";
import path from "node:path";

/** The committed OpenAPI document, as far as the client and the collections are made from it. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly summary: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly description?: string;
          readonly requestBody: { readonly content: Content };
          readonly callbacks?: Readonly<
            Record<string, Readonly<Record<string, { readonly post: RawOperation }>>>
          >;
        };
      }
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** True of a shape whose members are not all listed. A schema of what every member holds, when names are free. */
  readonly additionalProperties?: boolean | Schema;
  /** What members hold whose names match. The document has one pattern at most, which stands for all names. */
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

type Content = Readonly<
  Record<
    string,
    {
      readonly schema?: Schema;
      readonly example?: unknown;
      readonly examples?: Readonly<
        Record<string, { readonly value: { readonly message: string } }>
      >;
    }
  >
>;

/** What each member holds of an object whose member names are free, as `refs`; an empty schema: anything. */
export function memberOf({ additionalProperties, patternProperties = {} }: Schema): Schema {
  const [member, ...others] = Object.values(patternProperties);
  if (others.length > 0) throw new Error("an object with several patterns of names");
  return member ?? (typeof additionalProperties === "object" ? additionalProperties : {});
}

/** The kinds of events with the shape of their `data`. Not `bot.turn`, which is answered and has a check of its own. */
export function eventsOf(document: Document): readonly (readonly [kind: string, data: Schema])[] {
  return Object.entries(document.webhooks).flatMap(([kind, { post }]) => {
    if (kind === "bot.turn") return [];
    const data =
      post.requestBody.content["application/json"]?.schema?.allOf?.[1]?.properties?.["data"];
    if (!data) throw new Error(`no data of ${kind}`);
    return [[kind, data] as const];
  });
}

interface LateAnswer extends Operation {
  readonly refusals: readonly {
    readonly status: string;
    readonly code: string;
    readonly meaning: string;
  }[];
}

/** What a bot calls when it answers a turn later: no path of the document, because it needs no key. */
export function lateAnswerOf(document: Document): LateAnswer {
  const { post } = document.webhooks["bot.turn"] ?? {};
  const raw = post?.callbacks?.["lateAnswer"]?.["/api/v1/bot-turns/{$request.body#/token}"]?.post;
  if (!raw) throw new Error("no late answer of a bot");
  const token: Parameter = {
    name: "token",
    in: "path",
    required: true,
    description: "The `token` of the turn.",
    schema: { type: "string" },
  };
  const whole = { ...raw, tags: ["bots"], "x-required-scope": "", parameters: [token] };
  const operation = readOperation(document, "/v1/bot-turns/{token}", "post", whole);
  const refusals = Object.entries(raw.responses).flatMap(([status, { description = "" }]) => {
    const [, code, meaning] = /^([A-Z_]+): (.*)$/.exec(description) ?? [];
    return code === undefined || meaning === undefined ? [] : [{ status, code, meaning }];
  });
  return { ...operation, codes: refusals.map(({ code }) => code), refusals };
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly "x-required-scope": string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly content?: Content;
        readonly headers?: Readonly<Record<string, unknown>>;
      }
    >
  >;
}

/** One operation, with its references followed. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly scope: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Takes an Idempotency-Key: safe to repeat under one. */
  readonly keyed: boolean;
  /** The If-Match that it takes. */
  readonly ifMatch: Parameter | null;
  /** Answers with a record and its ETag. */
  readonly versioned: boolean;
  readonly body: Schema | null;
  /** The body is a text that is sent as it is, of this media type. */
  readonly bodyType: string | null;
  /** In place of JSON the body can be a file, which the query names. */
  readonly orFile: boolean;
  readonly bodyExample: unknown;
  /** Of success; null for a stream of events. */
  readonly answer: Schema | null;
  readonly answerType: string;
  /** An example of success, and its status. */
  readonly answerExample: unknown;
  readonly answerStatus: string;
  /** What `message` can say on failure. */
  readonly codes: readonly string[];
  /** The same with the status of each. */
  readonly refusals: readonly { readonly status: string; readonly code: string }[];
}

export const DOCUMENT = path.join(import.meta.dirname, "../../apps/server/openapi.json");

export function readDocument(): Document {
  return JSON.parse(readFileSync(DOCUMENT, "utf8")) as Document;
}

/** Answers that a call gives as a value. */
const GIVEN: ReadonlySet<string> = new Set(["application/json", "text/csv"]);

/** A file of any kind. */
export const BYTES = "application/octet-stream";

/** True of an answer that is a file, which may be too big for the memory. */
export const isFile = ({ answerType }: Pick<Operation, "answerType">): boolean =>
  answerType === BYTES || answerType === "text/csv";

/** All operations, in the order of the document. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, raw]) => readOperation(document, at, method, raw)),
  );
}

function readOperation(
  document: Document,
  at: string,
  method: string,
  raw: RawOperation,
): Operation {
  const parameters = (raw.parameters ?? []).map((one) => {
    if (!("$ref" in one)) return one;
    const name = nameOf(one.$ref);
    const found = document.components.parameters[name];
    if (!found) throw new Error(`no parameter ${name}`);
    return found;
  });
  const [answerStatus = "", success] =
    Object.entries(raw.responses).find(([status]) => status.startsWith("2")) ?? [];
  const [answerType, answer] = Object.entries(success?.content ?? {})[0] ?? ["", undefined];
  const refusals = Object.entries(raw.responses).flatMap(([status, response]) =>
    Object.values(response.content?.["application/json"]?.examples ?? {}).map(({ value }) => ({
      status,
      code: value.message,
    })),
  );
  const [bodyType = "application/json"] = Object.keys(raw.requestBody?.content ?? {});
  const body = raw.requestBody?.content["application/json"];
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path: at,
    tag: raw.tags[0] ?? "",
    scope: raw["x-required-scope"],
    summary: raw.summary,
    description: raw.description,
    pathParameters: parameters.filter((one) => one.in === "path"),
    query: parameters.filter((one) => one.in === "query"),
    keyed: parameters.some((one) => one.name === "Idempotency-Key"),
    ifMatch: parameters.find((one) => one.name === "If-Match") ?? null,
    versioned: success?.headers?.["ETag"] !== undefined,
    body: body?.schema ?? null,
    bodyType: bodyType === "application/json" ? null : bodyType,
    orFile: body !== undefined && raw.requestBody?.content[BYTES] !== undefined,
    bodyExample: body?.example,
    answer: GIVEN.has(answerType) ? (answer?.schema ?? null) : null,
    answerType,
    answerExample: answer?.example,
    answerStatus,
    codes: [...new Set(refusals.map(({ code }) => code))],
    refusals,
  };
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A tag as a name in code: `template-messages` is `templateMessages`. */
export const camel = (tag: string): string =>
  tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * How the client calls an operation: `listContacts` of `contacts` is `contacts.list`. What the document calls `get` in some
 * operations and `read` in others is one verb, `get`.
 */
export function methodName({ id, tag }: Pick<Operation, "id" | "tag">): string {
  const [, first = id, noun = ""] = /^([a-z]+)(.*)$/.exec(id) ?? [];
  const verb = first === "read" ? "get" : first;
  const plural = capital(camel(tag));
  const singular = plural.replace(/ies$/, "y").replace(/s$/, "");
  for (const own of [plural, singular])
    if (noun.startsWith(own) && !/^[a-z]/.test(noun.slice(own.length)))
      return verb + noun.slice(own.length);
  return verb + noun;
}

/** `body`: the cursor is a member of the body. */
export type Paging = "page" | "cursor" | "feed" | "body";

/** How the rest of a list is asked for; null when it is whole, or no list. */
export function pagingOf(document: Document, operation: Operation): Paging | null {
  const shape = shapeOf(document, operation.answer);
  if (!shape?.properties?.["items"]) return null;
  const asks = (name: string) => operation.query.some((one) => one.name === name);
  if (asks("page")) return "page";
  if (asks("cursor") && shape.properties["nextCursor"]) return "cursor";
  if (asks("after") && shape.properties["nextAfter"]) return "feed";
  const body = shapeOf(document, operation.body);
  if (body?.properties?.["cursor"] && shape.properties["nextCursor"]) return "body";
  return null;
}

/** A schema with its name followed. */
function shapeOf(document: Document, schema: Schema | null): Schema | undefined {
  return (schema?.$ref ? document.components.schemas[nameOf(schema.$ref)] : schema) ?? undefined;
}

/** How the items of a list are read one by one: `list` is `iterate`, `search` is `iterateSearch`. */
export const everyName = (name: string): string =>
  name.startsWith("list") ? name.replace("list", "iterate") : `iterate${capital(name)}`;

/** A call that takes many items of one kind, and answers each. */
export interface Batch {
  /** The body's member that has them. */
  readonly member: string;
  readonly most: number;
  readonly item: Schema;
  readonly result: Schema;
  /** Of the method that takes any number of them. */
  readonly name: string;
}

/** The batch that an operation is; null for any other. */
export function batchOf(document: Document, operation: Operation): Batch | null {
  const [[member, list] = ["", {}], ...others] = Object.entries(
    shapeOf(document, operation.body)?.properties ?? {},
  );
  const result = shapeOf(document, operation.answer)?.properties?.["results"]?.items;
  if (others.length > 0 || !list.items || list.maxItems === undefined || !result) return null;
  const name = `${methodName(operation).replace(/[A-Z]\w*Batch$/, "")}All`;
  return { member, most: list.maxItems, item: list.items, result, name };
}

/** `sendTemplateBatch` is `send_template_batch`. */
export const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
