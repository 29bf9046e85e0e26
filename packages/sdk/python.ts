import path from "node:path";
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
  snake,
  type Document,
  type Operation,
  type Paging,
  type Parameter,
} from "./document.ts";
import {
  answerName,
  docstring,
  isPythonName,
  PYTHON_HEAD,
  PythonTypes,
  pythonTypes,
} from "./python-types.ts";
import { typeName } from "./schema-type.ts";

export const PYTHON = path.join(import.meta.dirname, "../sdk-python/src/parley");

/** The generated files of the Python client, by name. */
export function generatePython(document: Document): Record<string, string> {
  return { "types.py": pythonTypes(document), "resources.py": resources(document) };
}

const STREAM = "text/event-stream";
const OPTIONS = ["idempotency_key: Optional[str] = None", "timeout: Optional[float] = None", "max_retries: Optional[int] = None"]; // oxfmt-ignore
const UNKEYED = OPTIONS.slice(1);
const IF_MATCH = "if_match: Optional[str] = None";
const ON_GAP = "on_gap: Optional[Callable[[Gap], None]] = None";

function resources(document: Document): string {
  const byTag = new Map<string, Operation[]>();
  for (const one of operationsOf(document))
    byTag.set(one.tag, [...(byTag.get(one.tag) ?? []), one]);
  const classes = [...byTag].map(([tag, operations]) => {
    const about = document.tags.find(({ name }) => name === tag)?.description;
    const methods = operations.flatMap((one) => methodsOf(document, one));
    return `

class ${capital(camel(tag))}:
${docstring(about, "    ")}
    def __init__(self, caller: Caller) -> None:
        self._caller = caller
${methods.map((text) => `\n${text}`).join("")}`;
  });
  return `${PYTHON_HEAD}
from typing import IO, TYPE_CHECKING, Any, Callable, Iterable, Iterator, Literal, Optional, Protocol, Sequence, Tuple, Union, cast

from ._call import Gap, every_of, in_batches, segment
from ._transport import Options, Request

if TYPE_CHECKING:
    from . import types as t


class Caller(Protocol):
    def _call(self, request: Request, options: Options) -> Any: ...

    def _pieces(self, request: Request, options: Options) -> Iterator[bytes]: ...

    def _stream(
        self, request: Request, max_retries: Optional[int], on_gap: Optional[Callable[[Gap], None]]
    ) -> Iterator[Any]: ...
${classes.join("")}

class Resources:
    """Every part of the API."""

    def __init__(self, caller: Caller) -> None:
${[...byTag.keys()].map((tag) => `        self.${snake(camel(tag))} = ${capital(camel(tag))}(caller)\n`).join("")}`;
}

/** A name as an argument: `from` is `from_`. */
const argument = (name: string): string => {
  const own = snake(name);
  return isPythonName(own) ? own : `${own}_`;
};

/** How Python calls a method. */
export const pythonName = (name: string): string => argument(name);

interface Method {
  readonly name: string;
  readonly given: readonly string[];
  readonly named: readonly string[];
  readonly answer: string;
  readonly docs: readonly string[];
  readonly lines: readonly string[];
}

function methodText({ name, given, named, answer, docs, lines }: Method): string {
  const all = ["self", ...given, "*", ...named];
  return `    def ${argument(name)}(
${all.map((one) => `        ${one},\n`).join("")}    ) -> ${answer}:
${docstring(docs.join("\n\n"), "        ")}${lines.map((line) => `        ${line}\n`).join("")}`;
}

function methodsOf(document: Document, operation: Operation): string[] {
  const name = methodName(operation);
  const ids = operation.pathParameters.map((one) => `${argument(one.name)}: str`);
  const bodyType = operation.bodyType ? "Union[str, IO[bytes]]" : bodyName(operation);
  const body = bodyType === null ? [] : [`body: ${bodyType}`];
  // With JSON there is no query: it names the file.
  const queries = operation.orFile ? [] : operation.query;
  const docs = docsOf(operation);
  if (operation.answerType === STREAM)
    return [
      methodText({
        name,
        given: [...ids, ...body],
        named: [...queries.map(queryOf), "max_retries: Optional[int] = None", ON_GAP],
        answer: "Iterator[t.WebhookEvent]",
        docs,
        lines: [`request = ${requestOf(operation)}`, "return self._caller._stream(request, max_retries, on_gap)"],
      }),
    ]; // oxfmt-ignore
  const answer = answerOf(operation);
  const call: Method = {
    name,
    given: [...ids, ...body],
    named: [
      ...sorted(queries).map(queryOf),
      ...(operation.ifMatch ? [IF_MATCH] : []),
      ...(operation.keyed ? OPTIONS : UNKEYED),
    ],
    answer,
    docs,
    lines: [
      `request = ${requestOf(operation)}`,
      `answer: ${answer} = self._caller._call(request, Options(${operation.keyed ? "idempotency_key" : "None"}, timeout, max_retries))`,
      "return answer",
    ],
  };
  const methods = [call];
  if (operation.versioned) methods.push(versioned(operation, call));
  if (isFile(operation))
    methods.push({
      ...call,
      name: `${name}Pieces`,
      answer: "Iterator[bytes]",
      docs: [
        `${operation.summary}: piece by piece as it arrives, so that no more than a piece is in memory.`,
      ],
      lines: [
        ...call.lines.slice(0, 1),
        "return self._caller._pieces(request, Options(None, timeout, max_retries))",
      ],
    });
  if (operation.orFile)
    methods.push({
      ...call,
      name: `${name}File`,
      given: [...ids, "file: Union[bytes, str, IO[bytes]]"],
      named: [...sorted(operation.query).map(queryOf), `media_type: str = "${BYTES}"`, ...OPTIONS],
      docs: [
        `${operation.summary}: with the bytes of the file. \`\`media_type\`\` says what a file is whose bytes do not, as a text.`,
      ],
      lines: [`request = ${requestOf(operation, BYTES)}`, ...call.lines.slice(1)],
    });
  const paging = pagingOf(document, operation);
  if (paging) methods.push(everyMethod(document, operation, call, paging));
  const batch = batchOf(document, operation);
  if (batch && bodyType) {
    const types = [
      new PythonTypes().of(batch.item, `${nameOf(operation.body?.$ref ?? "")}${capital(batch.member)}Item`, "t."),
      new PythonTypes().of(batch.result, `${nameOf(operation.answer?.$ref ?? "")}ResultsItem`, "t."),
    ]; // oxfmt-ignore
    methods.push({
      ...call,
      name: batch.name,
      given: [...ids, `${batch.member}: Iterable[${types[0]}]`],
      answer: `Iterator[Tuple[${types.join(", ")}]]`,
      docs: [
        `${operation.summary}: any number of them, ${batch.most} in a call.`,
        "Gives each item with its result, in their order. It sends as the results are read.\nCall N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.",
      ],
      lines: [
        `return in_batches(`,
        `    ${batch.member},`,
        `    ${batch.most},`,
        `    lambda part, key: self.${argument(name)}({"${batch.member}": part}, idempotency_key=key, timeout=timeout, max_retries=max_retries),`,
        `    idempotency_key,`,
        `)`,
      ],
    });
  }
  return methods.map(methodText);
}

/** The method that gives the version beside the record. */
function versioned({ summary }: Operation, call: Method): Method {
  const { name, answer } = call;
  return {
    ...call,
    name: `${name}WithEtag`,
    answer: `Tuple[${answer}, str]`,
    docs: [`${summary}: with the \`ETag\` of the record, its version.`],
    lines: call.lines.map((line) =>
      line
        .replace(/\)$/, line.startsWith("request") ? ", with_etag=True)" : ")")
        .replace(`answer: ${answer} `, `answer: Tuple[${answer}, str] `),
    ),
  };
}

function everyMethod(
  document: Document,
  operation: Operation,
  call: Method,
  paging: Paging,
): Method {
  const schema = operation.answer;
  const name = schema?.$ref?.split("/").at(-1);
  const shape = name === undefined ? schema : document.components.schemas[name];
  const items = shape?.properties?.["items"];
  const own = name === undefined ? answerName(operation) : typeName(name);
  const inner = new PythonTypes().of(items ?? {}, `${own}Items`, "t.");
  const item = /^Sequence\[(.*)\]$/.exec(inner)?.[1] ?? "Any";
  const names = sorted(operation.query).map((one) => one.name);
  const ids = operation.pathParameters.map((one) => argument(one.name));
  const place = paging === "body" ? "" : paging === "feed" ? "after" : paging;
  const rest = [
    ...ids,
    ...(paging === "body"
      ? [`cast(${JSON.stringify(bodyName(operation))}, {**body, **next})`]
      : []),
    ...names.map((one) => {
      const given = one === place ? `next.get("${one}", ${argument(one)})` : argument(one);
      return `${argument(one)}=${given}`;
    }),
    "timeout=timeout",
    "max_retries=max_retries",
  ];
  const reading =
    paging === "page" ? ", first=page" : paging === "feed" ? ", after=after, on_gap=on_gap" : "";
  const method = argument(call.name);
  return {
    ...call,
    name: everyName(call.name),
    named: [...(paging === "body" ? UNKEYED : call.named), ...(paging === "feed" ? [ON_GAP] : [])],
    answer: `Iterator[${item}]`,
    docs: [`${operation.summary}: every one, page after page as they are needed.`],
    lines: [`return every_of(lambda next: self.${method}(${rest.join(", ")})${reading})`],
  };
}

const sorted = (queries: readonly Parameter[]) =>
  queries.toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false));

function queryOf(one: Parameter): string {
  const type = new PythonTypes().of(one.schema, "", "t.");
  return `${argument(one.name)}: ${one.required ? type : `Optional[${type}] = None`}`;
}

function bodyName(operation: Operation): string | null {
  if (!operation.body) return null;
  if (!operation.body.$ref) throw new Error(`the body of ${operation.id} has no name`);
  return new PythonTypes().of(operation.body, "", "t.");
}

function answerOf(operation: Operation): string {
  if (operation.answerType === BYTES) return "bytes";
  return operation.answer
    ? new PythonTypes().of(operation.answer, answerName(operation), "t.")
    : "None";
}

function docsOf(operation: Operation): string[] {
  const queries = operation.orFile ? [] : operation.query;
  const about = [...operation.pathParameters, ...queries]
    .filter((one) => one.description !== undefined)
    .map((one) => `:param ${argument(one.name)}: ${one.description?.replaceAll("\n", " ")}`);
  if (operation.ifMatch)
    about.push(
      ":param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed",
    );
  return [
    `${operation.summary}.`,
    operation.description,
    `\`\`${operation.method} ${operation.path}\`\``,
    `Fails with: ${operation.codes.map((code) => `\`${code}\``).join(", ")}.`,
    ...(about.length > 0 ? [about.join("\n")] : []),
  ];
}

function requestOf(operation: Operation, file: string | null = null): string {
  const at = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, one: string) => `{segment("${argument(one)}", ${argument(one)})}`,
  );
  const queries = operation.orFile && file === null ? [] : operation.query;
  const asked = queries.map(({ name }) => `"${name}": ${argument(name)}`);
  const bodyType = file ?? operation.bodyType;
  const body = file === null ? "body" : "file";
  const facts = [
    JSON.stringify(operation.id),
    JSON.stringify(operation.method),
    // Before Python 3.12 a text between braces has other quotes than the text around it.
    operation.pathParameters.length > 0 ? `f'${at}'` : JSON.stringify(at),
    ...(asked.length > 0 ? [`query={${asked.join(", ")}}`] : []),
    ...(operation.body !== null || bodyType !== null ? [`body=${body}`] : []),
    ...(bodyType === null ? [] : [`body_type=${file === null ? `"${bodyType}"` : "media_type"}`]),
    ...(operation.keyed ? ["keyed=True"] : []),
    ...(operation.answerType === BYTES ? ["binary=True"] : []),
    ...(operation.ifMatch ? ["if_match=if_match"] : []),
  ];
  return `Request(${facts.join(", ")})`;
}
