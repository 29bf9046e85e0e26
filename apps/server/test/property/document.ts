import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import path from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** JSON Schema as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** Of a list: an item that does not fit is refused alone. */
  readonly "x-each"?: boolean;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Media {
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly example?: unknown; readonly examples?: object }
    >
  >;
}
interface DocumentOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Media & { readonly headers?: object }>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** One operation of the committed document: what it takes and how its answers are judged. */
export interface Operation {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Without the server's `/api`; names between braces stand in it. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly body: Schema | undefined;
  /** A call without a body is one with `{}` (`v1/every-route/no-body.test.ts`). */
  readonly mayLackBody: boolean;
  /** The body may be a file, whatever its bytes are. */
  readonly takesFile: boolean;
  /** The document's own example of a body. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly takes: ValidateFunction;
  /** Throws when the document does not promise this answer. */
  judge(answer: Answer): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

// What is committed, not what the code would make now: readers have the file.
const text = readFileSync(path.join(import.meta.dirname, "../../openapi.json"), "utf8");
const document = JSON.parse(text) as OpenApi;

const requests = judgeOf(document);
const answers = judgeOf(closed(document));

function judgeOf(schemas: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  return ajv.addSchema(schemas, "document");
}

/** Headers that an answer has only when there is something to tell. */
const SOMETIMES = new Set(["Idempotency-Replayed", "Parley-Ignored", "Parley-Held"]);

const VERBS: Readonly<Record<string, Operation["method"]>> = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
};

/** Every operation of the document but those whose answer is no JSON: a stream that does not end, a file. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(
  ([url, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => {
        const fine = responses[200];
        return !fine || fine.content?.["application/json"];
      })
      .map(([method, operation]) => describe(url, method, operation)),
);

export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  if (name === undefined) return schema;
  const target = document.components.schemas[name];
  assert.ok(target, `${schema.$ref} is not in the document`);
  return resolve(target);
}

function describe(url: string, method: string, operation: DocumentOperation): Operation {
  const verb = VERBS[method];
  assert.ok(verb, method);
  const json = operation.requestBody?.content?.["application/json"];
  const at = (...steps: string[]) => ({
    $ref: `document#/${["paths", url, method, ...steps]
      .map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/")}`,
  });
  const media = ["content", "application/json", "schema"];
  const checks = new Map<string, ValidateFunction>(
    Object.keys(operation.responses).map((status) => [
      status,
      answers.compile(at("responses", status, ...media)),
    ]),
  );
  return {
    id: operation.operationId,
    method: verb,
    path: url,
    query: (operation.parameters ?? []).filter((one) => one.in === "query"),
    body: json && resolve(json.schema),
    takesFile: Object.keys(operation.requestBody?.content ?? {}).some(
      (type) => type !== "application/json",
    ),
    mayLackBody: operation.requestBody?.required === false,
    example: (json?.example ?? {}) as Record<string, unknown>,
    takes: requests.compile(json ? at("requestBody", ...media) : {}),
    judge(answer) {
      const check = checks.get(String(answer.status));
      const told = `${method} ${url} answered ${answer.status} ${answer.text.slice(0, 500)}`;
      assert.ok(check, `${told}: a status the document does not know`);
      assert.ok(answer.status < 500, told);
      assert.match(String(answer.headers["content-type"]), /^application\/json/, told);
      const body: unknown = JSON.parse(answer.text);
      assert.ok(check(body), `${told}: ${answers.errorsText(check.errors)}`);
      const promised = Object.keys(operation.responses[answer.status]?.headers ?? {});
      // Of the conflicts only a call in progress ends by waiting.
      const waits = answer.status !== 409 || answer.text.includes("IDEMPOTENCY_IN_PROGRESS");
      const due = promised.filter((one) => !SOMETIMES.has(one) && (waits || one !== "Retry-After"));
      for (const name of due)
        assert.ok(answer.headers[name.toLowerCase()], `${told}: without ${name}`);
      if (answer.status >= 400) judgeError(answer, body as Record<string, unknown>, told);
    },
  };
}

function judgeError(answer: Answer, body: Record<string, unknown>, told: string): void {
  assert.equal(body["statusCode"], answer.status, told);
  assert.equal(body["error"], STATUS_CODES[answer.status], told);
  assert.match(String(body["message"]), /^[A-Z][A-Z0-9_]*(:[a-z:]+)?$/, told);
  if (answer.status === 402) assert.equal(body["code"], body["message"], told);
}

/** Every shape that names its members takes no other: what leaves must be described. */
function closed(value: object): object {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (one === null || typeof one !== "object") return one;
    const copy = Object.fromEntries(
      Object.entries(one).map(([key, member]) => [key, walk(member)]),
    );
    return copy["type"] === "object" && copy["properties"] !== undefined
      ? { additionalProperties: false, ...copy }
      : copy;
  };
  return walk(value) as object;
}
