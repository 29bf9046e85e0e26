import path from "node:path";
import {
  batchOf,
  BYTES,
  camel,
  capital,
  everyName,
  isFile,
  methodName,
  operationsOf,
  pagingOf,
  type Document,
  type Operation,
  type Paging,
  type Parameter,
  type Schema,
} from "./document.ts";
import { PHP_HEAD, phpErrorCodes, PhpTypes, phpTypes } from "./php-types.ts";

export const PHP = path.join(import.meta.dirname, "../sdk-php/src");

const STREAM = "text/event-stream";
const KEY = "?string $idempotencyKey = null";
const OPTIONS = ["?float $timeout = null", "?int $maxRetries = null"];
const FILE_ABOUT = "its bytes, or the open file (`fopen`), which is sent piece by piece";
const IF_MATCH_ABOUT =
  "the ETag that a `…WithEtag` method gave with the record: no other version is changed";
const IF_MATCH = "?string $ifMatch = null";
const ON_GAP = "?\\Closure $onGap = null";

/** The generated files of the PHP client, by name. */
export function generatePhp(document: Document): Record<string, string> {
  const byTag = new Map<string, Operation[]>();
  for (const one of operationsOf(document))
    byTag.set(one.tag, [...(byTag.get(one.tag) ?? []), one]);
  const tags = [...byTag.keys()];
  const properties = tags.map(
    (tag) => `    public readonly Resources\\${capital(camel(tag))} $${camel(tag)};\n`,
  );
  const made = tags.map(
    (tag) => `        $this->${camel(tag)} = new Resources\\${capital(camel(tag))}($caller);\n`,
  );
  return {
    "Types.php": phpTypes(document),
    "ErrorCode.php": phpErrorCodes(document),
    "Resources.php": `${PHP_HEAD}
namespace Parley;

/** Every part of the API. */
abstract class Resources
{
${properties.join("")}
    public function __construct(Internal\\Caller $caller)
    {
${made.join("")}    }
}
`,
    ...Object.fromEntries(
      [...byTag].map(([tag, operations]) => [
        `Resources/${capital(camel(tag))}.php`,
        resource(document, tag, operations),
      ]),
    ),
  };
}

function resource(document: Document, tag: string, operations: readonly Operation[]): string {
  const about = document.tags.find(({ name }) => name === tag)?.description ?? "";
  const types = new PhpTypes(document);
  const methods = operations.flatMap((one) => methodsOf(document, one, types));
  const imports = [...types.used]
    .toSorted()
    .map((name) => ` * @phpstan-import-type ${name} from \\Parley\\Types\n`);
  return `${PHP_HEAD}
namespace Parley\\Resources;

use Parley\\Internal\\Caller;
use Parley\\Internal\\Request;

/**
 * ${about}
${imports.length > 0 ? ` *\n${imports.join("")}` : ""} */
final class ${capital(camel(tag))}
{
    public function __construct(private readonly Caller $caller)
    {
    }
${methods.map(methodText).join("")}}
`;
}

interface Method {
  readonly name: string;
  /** Each with its type for checkers, when PHP's own says less. */
  readonly given: readonly (readonly [
    parameter: string,
    type: string | null,
    about?: string | undefined,
  ])[];
  readonly returns: readonly [type: string, shape: string];
  readonly docs: readonly string[];
  readonly line: string;
}

function methodText({ name, given, returns, docs, line }: Method): string {
  const lines = [
    ...docs.flatMap((text) => [...text.split("\n"), ""]),
    ...given.flatMap(([parameter, type, about]) => {
      const variable = /\$\w+/.exec(parameter)?.[0] ?? "";
      const own = parameter.slice(0, parameter.indexOf("$")).trim();
      return type === null && about === undefined
        ? []
        : [`@param ${type ?? own} ${variable} ${about ?? ""}`.trimEnd()];
    }),
    `@return ${returns[1]}`,
    "@throws \\Parley\\ParleyError",
  ];
  const comment = lines
    .map((text) => `     * ${text.replaceAll("*/", "* /")}`.trimEnd() + "\n")
    .join("");
  return `
    /**
${comment}     */
    public function ${name}(${given.map(([parameter]) => parameter).join(", ")}): ${returns[0]}
    {
        return ${line};
    }
`;
}

function methodsOf(document: Document, operation: Operation, types: PhpTypes): Method[] {
  const name = methodName(operation);
  const ids = operation.pathParameters.map(
    (one) => [`string $${one.name}`, null, one.description?.replaceAll("\n", " ")] as const,
  );
  const body = bodyOf(operation, types);
  // With JSON there is no query: it names the file.
  const queries = sorted(operation.orFile ? [] : operation.query).map((one) => queryOf(one, types));
  const options = [
    ...[...(operation.keyed ? [KEY] : []), ...OPTIONS].map((one) => [one, null] as const),
    ...(operation.ifMatch ? [[IF_MATCH, null, IF_MATCH_ABOUT] as const] : []),
  ];
  const docs = [
    `${operation.summary}.`,
    operation.description,
    `\`${operation.method} ${operation.path}\``,
    `Fails with: ${operation.codes.map((code) => `\`${code}\``).join(", ")}.`,
  ];
  if (operation.answerType === STREAM) {
    types.used.add("WebhookEvent");
    return [
      {
        name,
        given: [...ids, ...body, ...queries, ["?int $maxRetries = null", null], [ON_GAP, GAP]],
        returns: ["\\Generator", "\\Generator<int, WebhookEvent>"],
        docs,
        line: `$this->caller->stream(${requestOf(operation)}, $maxRetries, $onGap)`,
      },
    ];
  }
  const sent = (request: string) =>
    `$this->caller->call(${request}, ${operation.keyed ? "$idempotencyKey" : "null"}, $timeout, $maxRetries)`;
  const call: Method = {
    name,
    given: [...required([...ids, ...body, ...queries]), ...options],
    returns: returnsOf(operation, types),
    docs,
    line: sent(requestOf(operation)),
  };
  const methods = [call];
  if (operation.versioned)
    methods.push({
      ...call,
      name: `${name}WithEtag`,
      returns: ["array", `array{${call.returns[1]}, string}`],
      docs: [`${operation.summary}: with the \`ETag\` of the record, its version.`],
      line: sent(requestOf(operation).replace(/\)$/, ", withEtag: true)")),
    });
  if (isFile(operation))
    methods.push({
      ...call,
      name: `${name}Pieces`,
      returns: ["\\Generator", "\\Generator<int, string>"],
      docs: [`${operation.summary}: piece by piece as it arrives, so that no more than a piece is in memory.`],
      line: `$this->caller->pieces(${requestOf(operation)}, $timeout, $maxRetries)`,
    }); // oxfmt-ignore
  if (operation.orFile)
    methods.push({
      ...call,
      name: `${name}File`,
      given: [...ids, ["mixed $file", "string|resource", FILE_ABOUT], ...sorted(operation.query).map((one) => queryOf(one, types)), [`string $mediaType = '${BYTES}'`, null], ...options],
      docs: [`${operation.summary}: with the bytes of the file. \`mediaType\` says what a file is whose bytes do not, as a text.`],
      line: sent(requestOf(operation, BYTES)),
    }); // oxfmt-ignore
  const paging = pagingOf(document, operation);
  if (paging) methods.push(everyMethod(document, operation, call, paging, types));
  const batch = batchOf(document, operation);
  if (batch)
    methods.push({
      ...call,
      name: batch.name,
      given: [...ids, [`iterable $${batch.member}`, `iterable<${types.of(batch.item)}>`], ...options],
      returns: ["\\Generator", `\\Generator<int, array{${types.of(batch.item)}, ${types.of(batch.result)}}>`],
      docs: [
        `${operation.summary}: any number of them, ${batch.most} in a call.`,
        "Gives each item with its result, in their order. It sends as the results are read.\nCall N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.",
      ],
      line: `$this->caller->inBatches($${batch.member}, ${batch.most}, fn (array $part, string $key): array => $this->${name}(['${batch.member}' => $part], $key, $timeout, $maxRetries), $idempotencyKey)`,
    }); // oxfmt-ignore
  return methods;
}

const GAP = "(\\Closure(array{after: int, oldestSequence: int|null}): void)|null";

function everyMethod(
  document: Document,
  operation: Operation,
  call: Method,
  paging: Paging,
  types: PhpTypes,
): Method {
  const { answer } = operation;
  const shape: Schema | null | undefined = answer?.$ref
    ? document.components.schemas[answer.$ref.split("/").at(-1) ?? ""]
    : answer;
  const item = types.of(shape?.properties?.["items"]?.items ?? {});
  const place = paging === "body" ? "" : paging === "feed" ? "after" : paging;
  const rest = [
    ...operation.pathParameters.map((one) => `$${one.name}`),
    ...(paging === "body" ? ["$next + $body"] : []),
    ...sorted(operation.query).map(({ name }) =>
      name === place ? `$next['${name}'] ?? $${name}` : `$${name}`,
    ),
  ];
  const options = operation.keyed ? "null, $timeout, $maxRetries" : "$timeout, $maxRetries";
  const reading =
    paging === "page"
      ? ", first: $page"
      : paging === "feed"
        ? ", after: $after, onGap: $onGap"
        : "";
  return {
    ...call,
    name: everyName(call.name),
    given: [
      ...call.given.filter(([one]) => one !== KEY),
      ...(paging === "feed" ? [[ON_GAP, GAP] as const] : []),
    ],
    returns: ["\\Generator", `\\Generator<int, ${item}>`],
    docs: [`${operation.summary}: every one, page after page as they are needed.`],
    line: `$this->caller->everyOf(fn (array $next): array => $this->${call.name}(${[...rest, options].join(", ")})${reading})`,
  };
}

const sorted = (queries: readonly Parameter[]) =>
  queries.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false));

/** PHP wants what must be given before what may be left out. */
const required = (given: Method["given"]) =>
  given.toSorted((a, b) => Number(a[0].includes("=")) - Number(b[0].includes("=")));

function bodyOf(operation: Operation, types: PhpTypes): Method["given"] {
  if (operation.bodyType) return [["mixed $body", "string|resource", FILE_ABOUT]];
  return operation.body ? [["array $body", types.of(operation.body)]] : [];
}

/** PHP's own types. */
const PLAIN: Readonly<Record<string, string>> = {
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "array",
};

function queryOf(one: Parameter, types: PhpTypes): Method["given"][number] {
  const kinds = (one.schema.anyOf ?? [one.schema]).flatMap(({ type }) => [type ?? "string"].flat());
  const own = [...new Set(kinds.map((kind) => PLAIN[kind] ?? "string"))].join("|");
  const shape = types.of(one.schema);
  const about = one.description?.replaceAll("\n", " ");
  if (one.required) return [`${own} $${one.name}`, shape, about];
  const open = own.includes("|") ? `${own}|null` : `?${own}`;
  return [`${open} $${one.name} = null`, `${shape}|null`, about];
}

function returnsOf(operation: Operation, types: PhpTypes): Method["returns"] {
  if (operation.answerType === BYTES || operation.answer?.type === "string")
    return ["string", "string"];
  return operation.answer ? ["array", types.of(operation.answer)] : ["mixed", "mixed"];
}

function requestOf(operation: Operation, file: string | null = null): string {
  const parts = operation.path
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name === undefined ? `'${part}'` : `Request::segment('${name}', $${name})`;
    });
  const queries = operation.orFile && file === null ? [] : operation.query;
  const asked = queries.map(({ name }) => `'${name}' => $${name}`);
  const bodyType = file ?? operation.bodyType;
  const facts = [
    `'${operation.id}'`,
    `'${operation.method}'`,
    parts.join(" . "),
    ...(asked.length > 0 ? [`query: [${asked.join(", ")}]`] : []),
    ...(operation.body !== null || bodyType !== null
      ? [`body: ${file === null ? "$body" : "$file"}`]
      : []),
    ...(bodyType === null ? [] : [`bodyType: ${file === null ? `'${bodyType}'` : "$mediaType"}`]),
    ...(operation.keyed ? ["keyed: true"] : []),
    ...(operation.answerType === BYTES ? ["binary: true"] : []),
    ...(operation.ifMatch ? ["ifMatch: $ifMatch"] : []),
  ];
  return `new Request(${facts.join(", ")})`;
}
