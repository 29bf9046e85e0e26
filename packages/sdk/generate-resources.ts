import {
  batchOf,
  BYTES,
  camel,
  capital,
  everyName,
  isFile,
  methodName,
  nameOf,
  operationsOf,
  pagingOf,
  type Document,
  type Operation,
  type Paging,
} from "./document.ts";
import { HEAD, typeName, typeOf } from "./schema-type.ts";

const STREAM = "text/event-stream";

/** The classes behind `parley.contacts`, `parley.messages` …: one per tag, one method per operation. */
export function resourcesText(document: Document): string {
  const byTag = new Map<string, Operation[]>();
  for (const one of operationsOf(document)) {
    byTag.set(one.tag, [...(byTag.get(one.tag) ?? []), one]);
  }
  const used = new Set<string>();
  const classes = [...byTag].map(([tag, operations]) => {
    const about = document.tags.find(({ name }) => name === tag)?.description ?? "";
    const methods = operations.flatMap((one) => methodsOf(document, one, used));
    return `/** ${about} */
export class ${capital(camel(tag))} {
  readonly #caller: Caller;
  constructor(caller: Caller) {
    this.#caller = caller;
  }
${methods.join("")}}
`;
  });
  const tags = [...byTag.keys()];
  const streams = operationsOf(document).some((one) => one.answerType === STREAM);
  return `${HEAD}
import { everyOf, inBatches, type Caller, type CallOptions, type ChangeOptions${streams ? ", type StreamOptions" : ""} } from "../call.ts";
import { segment } from "../segment.ts";
import type { ${[...used].toSorted().join(", ")} } from "./types.ts";

${classes.join("\n")}
/** Every part of the API. */
export class Resources {
${tags.map((tag) => `  readonly ${camel(tag)}: ${capital(camel(tag))};\n`).join("")}  constructor(caller: Caller) {
${tags.map((tag) => `    this.${camel(tag)} = new ${capital(camel(tag))}(caller);\n`).join("")}  }
}
`;
}

function methodsOf(document: Document, operation: Operation, used: Set<string>): string[] {
  const name = methodName(operation);
  const namedQuery = operation.query.length > 0 ? `${capital(operation.id)}Query` : null;
  // With JSON there is no query: it names the file.
  const queryType = operation.orFile ? null : namedQuery;
  const bodyType = operation.bodyType
    ? "string"
    : operation.body
      ? nameOfBody(operation.body.$ref, operation.id)
      : null;
  const binary = operation.answerType === BYTES;
  const answer = binary
    ? "Uint8Array"
    : operation.answer
      ? typeOf(operation.answer, "  ", false)
      : "void";
  for (const one of [namedQuery, bodyType, ...(answer.match(/\b[A-Z]\w+/g) ?? [])])
    if (one && !["Record", "string", "Uint8Array"].includes(one)) used.add(one);
  const needed = operation.query.some((one) => one.required);
  const path = operation.pathParameters.map((one) => `${one.name}: string`);
  const body = bodyType ? [`body: ${bodyType}${operation.bodyType ? " | Blob" : ""}`] : [];
  const query = queryType ? [`query: ${queryType}${needed ? "" : " = {}"}`] : [];
  const streams = operation.answerType === STREAM;
  const kind = streams ? "StreamOptions" : operation.ifMatch ? "ChangeOptions" : "CallOptions";
  const options = `options: ${kind} = {}`;
  const parameters = [...path, ...body, ...query, options].join(", ");
  const at = `\`${operation.path.replaceAll(/\{(\w+)\}/g, (_, one: string) => `\${segment("${one}", ${one})}`)}\``;
  const facts = [
    `id: "${operation.id}"`,
    `method: "${operation.method}"`,
    `path: ${at}`,
    ...(bodyType ? ["body"] : []),
    ...(operation.bodyType ? [`bodyType: "${operation.bodyType}"`] : []),
    ...(queryType ? ["query"] : []),
    ...(operation.keyed ? ["keyed: true"] : []),
    ...(operation.ifMatch ? ["ifMatch: options.ifMatch"] : []),
    ...(binary ? ["binary: true"] : []),
  ].join(", ");
  const docs = [
    operation.summary + ".",
    ...operation.description.split("\n\n"),
    `\`${operation.method} ${operation.path}\``,
    `Fails with: ${operation.codes.map((code) => `\`${code}\``).join(", ")}.`,
  ];
  if (streams) {
    used.add("WebhookEvent");
    return [
      `${comment(docs)}  ${name}(${parameters}): AsyncGenerator<WebhookEvent, void, undefined> {
    return this.#caller.stream({ ${facts} }, options);
  }
`,
    ];
  }
  const methods = [
    `${comment(docs)}  ${name}(${parameters}): Promise<${answer}> {
    return this.#caller.call({ ${facts} }, options);
  }
`,
  ];
  if (operation.versioned)
    methods.push(`${comment([`${operation.summary}: with the \`ETag\` of the record, its version.`])}  ${name}WithEtag(${parameters}): Promise<[${answer}, string]> {
    return this.#caller.call({ ${facts}, withEtag: true }, options);
  }
`);
  if (isFile(operation))
    methods.push(`${comment([`${operation.summary}: piece by piece as it arrives, so that no more than a piece is in memory.`])}  ${name}Pieces(${parameters}): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#caller.pieces({ ${facts} }, options);
  }
`);
  if (operation.orFile) {
    const typed = "options: CallOptions & { mediaType?: string | undefined } = {}";
    const file = [...path, "file: Uint8Array | string | Blob", `query: ${namedQuery}`, typed].join(
      ", ",
    );
    const sent = facts.replace(
      "body",
      `body: file, bodyType: options.mediaType ?? "${BYTES}", query`,
    );
    methods.push(`${comment([`${operation.summary}: with the bytes of the file. \`mediaType\` says what a file is whose bytes do not, as a text.`])}  ${name}File(${file}): Promise<${answer}> {
    return this.#caller.call({ ${sent} }, options);
  }
`);
  }
  const paging = pagingOf(document, operation);
  if (paging) methods.push(everyMethod(operation, paging, parameters, answer));
  methods.push(...batchMethods(document, operation, used));
  return methods;
}

/** The method that reads a list to its end. */
function everyMethod(
  operation: Operation,
  paging: Paging,
  parameters: string,
  answer: string,
): string {
  const name = methodName(operation);
  const rest = [
    ...operation.pathParameters.map((one) => one.name),
    paging === "body" ? "{ ...body, ...next }" : "{ ...query, ...next }",
    "options",
  ];
  const feed = paging === "feed";
  const asked = feed
    ? parameters.replace("options: CallOptions", "options: StreamOptions")
    : parameters;
  const reading =
    paging === "page"
      ? ", { first: query.page }"
      : feed
        ? ", { after: query.after, onGap: options.onGap }"
        : "";
  return `${comment([`${operation.summary}: every one, page after page as they are needed.`])}  ${everyName(name)}(${asked}): AsyncGenerator<${answer}["items"][number], void, undefined> {
    return everyOf((next) => this.${name}(${rest.join(", ")})${reading});
  }
`;
}

/** The method that sends any number of items, of an operation that takes many. */
function batchMethods(document: Document, operation: Operation, used: Set<string>): string[] {
  const batch = batchOf(document, operation);
  if (!batch) return [];
  const { member, most } = batch;
  const [item, result] = [batch.item, batch.result].map((one) => typeOf(one, "  ", false));
  for (const one of [item, result]) if (one) used.add(one);
  const about = [
    `${operation.summary}: any number of them, ${most} in a call.`,
    "Gives each item with its result, in their order. It sends as the results are read.",
    "Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.",
  ];
  return [
    `${comment(about)}  ${batch.name}(${member}: Iterable<${item}> | AsyncIterable<${item}>, options: CallOptions = {}): AsyncGenerator<[${item}, ${result}], void, undefined> {
    return inBatches(${member}, ${most}, async (part, idempotencyKey) => (await this.${methodName(operation)}({ ${member}: part }, { ...options, idempotencyKey })).results, options.idempotencyKey);
  }
`,
  ];
}

function nameOfBody(ref: string | undefined, id: string): string {
  if (!ref) throw new Error(`the body of ${id} has no name`);
  return typeName(nameOf(ref));
}

function comment(lines: readonly string[]): string {
  const body = lines.map((line) => `   * ${line.replaceAll("*/", "* /")}\n`).join("   *\n");
  return `  /**\n${body}   */\n`;
}
