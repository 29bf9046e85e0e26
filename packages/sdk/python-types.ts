import {
  capital,
  memberOf,
  operationsOf,
  nameOf,
  type Document,
  type Schema,
  eventsOf,
  lateAnswerOf,
} from "./document.ts";
import { noteOf, typeName } from "./schema-type.ts";

export const PYTHON_HEAD =
  "# Made from apps/server/openapi.json by `npm run sdk`. Do not edit.\nfrom __future__ import annotations\n";

/** Names that are no member of a class. */
const RESERVED = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
export const isPythonName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name);

/** Writes shapes as TypedDicts; one inside another gets a name of its own. */
export class PythonTypes {
  readonly texts: string[] = [];

  /** The type of a schema. `name`: of an object that has none. `prefix`: before names of the document. */
  of(schema: Schema, name: string, prefix = ""): string {
    if (schema.$ref) return prefix + typeName(nameOf(schema.$ref));
    if ("const" in schema) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return literals(schema.enum);
    // Beside members, `anyOf` narrows what they may be together, which no shape says.
    const either = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
    if (either)
      return union(either.map((one, index) => this.of(one, `${name}${index + 1}`, prefix)));
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return "Any";
    return union(types.map((type) => this.#plain(type, schema, name, prefix)));
  }

  #plain(type: string, schema: Schema, name: string, prefix: string): string {
    switch (type) {
      case "integer":
        return "int";
      case "number":
        return "float";
      case "string":
        return "str";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `Sequence[${this.of(schema.items ?? {}, `${name}Item`, prefix)}]`;
      case "object":
        if (!schema.properties) {
          const member = this.of(memberOf(schema), `${name}Value`, prefix);
          // A mapping of optional texts takes one of texts too, which a Dict would not.
          return member === "Any" ? "Dict[str, Any]" : `Mapping[str, ${member}]`;
        }
        this.object(name, schema);
        return prefix + name;
      default:
        throw new Error(`unknown type ${type}`);
    }
  }

  /** A class of a shape with members. */
  object(name: string, schema: Schema): void {
    const members = Object.entries(schema.properties ?? {}).map(([key, member]) => ({
      key,
      type: this.of(member, name + capital(key)),
      note: noteOf(member),
      required: schema.required?.includes(key) === true,
    }));
    const required = members.filter((one) => one.required);
    const optional = members.filter((one) => !one.required);
    const split = required.length > 0 && optional.length > 0;
    if (split) this.texts.push(shape(`_${name}`, "TypedDict", undefined, required));
    this.texts.push(
      split
        ? shape(name, `_${name}, total=False`, schema.description, optional)
        : shape(
            name,
            required.length > 0 ? "TypedDict" : "TypedDict, total=False",
            schema.description,
            members,
          ),
    );
  }
}

interface Member {
  readonly key: string;
  readonly type: string;
  readonly note: string | undefined;
}

function shape(
  name: string,
  bases: string,
  about: string | undefined,
  members: readonly Member[],
): string {
  const odd = members.filter(({ key }) => !isPythonName(key));
  const total = bases.includes("total=False") ? ", total=False" : "";
  // Members that no class can have are written as a mapping, which the class goes on from.
  const before =
    odd.length === 0
      ? ""
      : `_${name}Odd = TypedDict("_${name}Odd", {${odd.map(({ key, type }) => `${literal(key)}: ${literal(type)}`).join(", ")}}${total})\n\n\n`;
  const first = bases.split(",")[0] ?? "";
  const from =
    odd.length === 0
      ? bases
      : [first === "TypedDict" ? "" : first, `_${name}Odd`].filter(Boolean).join(", ") + total;
  const lines = members
    .filter((one) => !odd.includes(one))
    .flatMap(({ key, type, note }) => [`    ${key}: ${type}\n`, docstring(note, "    ")]);
  const body = `${docstring(about, "    ")}${lines.join("")}`;
  return `${before}class ${name}(${from}):\n${body || "    pass\n"}`;
}

const literal = (value: unknown): string =>
  value === null
    ? "None"
    : typeof value === "boolean"
      ? value
        ? "True"
        : "False"
      : JSON.stringify(value);

function literals(values: readonly unknown[]): string {
  return `Literal[${values.map(literal).join(", ")}]`;
}

function union(types: readonly string[]): string {
  const all = [...new Set(types)];
  const some = all.filter((one) => one !== "None");
  if (some.length === 0) return "None";
  const one = some.length === 1 ? (some[0] ?? "") : `Union[${some.join(", ")}]`;
  return some.length === all.length ? one : `Optional[${one}]`;
}

export function docstring(text: string | undefined, indent: string): string {
  if (!text) return "";
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''");
  const lines = safe.split("\n").map((line, index) => (index > 0 && line ? indent + line : line));
  const last = lines.length > 1 ? `\n${indent}` : safe.endsWith('"') ? " " : "";
  return `${indent}"""${lines.join("\n")}${last}"""\n`;
}

/** The name of an answer that has none in the document. */
export const answerName = ({ id }: { readonly id: string }): string => `${capital(id)}Answer`;

/** `types.py`: every shape, code and event. For checkers of types and editors: the client itself never loads it. */
export function pythonTypes(document: Document): string {
  const types = new PythonTypes();
  // One of several shapes: written last, because it names them.
  const unions: string[] = [];
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (schema.anyOf && !schema.properties)
      unions.push(
        `${typeName(name)} = ${types.of(schema, name)}\n${docstring(schema.description, "")}`,
      );
    else if (name !== "Event") types.object(typeName(name), schema);
  for (const one of operationsOf(document)) if (one.answer) types.of(one.answer, answerName(one));
  const kinds = eventsOf(document).map(([kind, data]) => {
    const name = `${kind.split(/[._]/).map(capital).join("")}Event`;
    types.object(name, {
      description: `An event of the kind \`${kind}\`.`,
      properties: {
        ...document.components.schemas["Event"]?.properties,
        type: { const: kind },
        data,
      },
      required: ["id", "type", "apiVersion", "createdAt", "workspaceId", "sequence", "data"],
    });
    return name;
  });
  types.object("BotTurnAnswer", {
    description: "What a bot answers a turn with (`docs/external-bots.md`).",
    ...lateAnswerOf(document).body,
  });
  const codes = [...new Set(operationsOf(document).flatMap((one) => one.codes))].toSorted();
  return `${PYTHON_HEAD}
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, TypedDict, Union

API_VERSION = ${JSON.stringify(document.info.version)}

${types.texts.map((text) => `\n${text}\n`).join("")}
${unions.join("\n")}
WebhookEvent = Union[
${kinds.map((name) => `    ${name},\n`).join("")}]
"""Any event: \`\`if event["type"] == …\`\` narrows \`\`data\`\`. A newer server may send kinds that this version does not know."""

EventType = Literal[
${eventsOf(document)
  .map(([kind]) => `    ${JSON.stringify(kind)},\n`)
  .join("")}]
"""The kinds of events, as \`\`types\`\` of \`\`events.list\`\` takes them."""

ApiErrorCode = Literal[
${codes.map((code) => `    ${JSON.stringify(code)},\n`).join("")}]
"""What \`\`ParleyError.code\`\` says when the server refuses."""

ClientErrorCode = Literal[
    "ROUTE_NOT_FOUND",
    "METHOD_NOT_ALLOWED",
    "CONNECTION_FAILED",
    "TIMED_OUT",
    "STREAM_REPLACED",
    "UNEXPECTED_ANSWER",
]
"""What it says when the address is none of the API, and of what happens on the way to it."""

BotContact = TypedDict("BotContact", {"id": str, "firstName": Optional[str], "language": Optional[str]})

BotMessage = TypedDict(
    "BotMessage",
    {
        "id": str,
        "from": Literal["customer", "bot", "person", "program"],
        "type": str,
        "text": Optional[str],
        "pressed": Optional[str],
        "at": str,
    },
)


class BotTurn(TypedDict):
    """What Parley asks a bot that runs in a program of yours (\`docs/external-bots.md\`)."""

    type: Literal["bot.turn"]
    token: str
    conversationId: str
    contact: BotContact
    messages: Sequence[BotMessage]
    """The newest 20, oldest first."""
    variables: Dict[str, Any]
    """What the bot stored in this conversation with its last answer."""


WebhookErrorCode = Literal[
    "NO_SIGNATURE", "MALFORMED_SIGNATURE", "WRONG_SIGNATURE", "STALE_SIGNATURE", "MALFORMED_BODY"
]
`;
}
