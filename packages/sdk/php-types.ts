import {
  capital,
  memberOf,
  nameOf,
  operationsOf,
  type Document,
  type Schema,
  eventsOf,
  lateAnswerOf,
} from "./document.ts";
import { typeName } from "./schema-type.ts";

export const PHP_HEAD = `<?php

// Made from apps/server/openapi.json by \`npm run sdk\`. Do not edit.

declare(strict_types=1);
`;

/** Writes shapes as array shapes of PHPStan and Psalm. */
export class PhpTypes {
  readonly #document: Document;
  /** Names that were met. */
  readonly used = new Set<string>();
  constructor(document: Document) {
    this.#document = document;
  }

  of(schema: Schema, within: readonly string[] = []): string {
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
      // A shape inside itself has no name there.
      if (within.includes(name) || this.#reaches(name, within.at(-1)))
        return "array<string, mixed>";
      this.used.add(typeName(name));
      return typeName(name);
    }
    if ("const" in schema) return literal(schema.const);
    if (schema.enum) return schema.enum.map(literal).join("|");
    // Beside members, `anyOf` narrows what they may be together, which no shape says.
    const either = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
    if (either) return [...new Set(either.map((one) => this.of(one, within)))].join("|");
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return "mixed";
    return types.map((type) => this.#plain(type, schema, within)).join("|");
  }

  #plain(type: string, schema: Schema, within: readonly string[]): string {
    switch (type) {
      case "integer":
        return "int";
      case "number":
        return "int|float";
      case "boolean":
        return "bool";
      case "string":
      case "null":
        return type;
      case "array":
        return `list<${this.of(schema.items ?? {}, within)}>`;
      case "object": {
        if (!schema.properties) return `array<string, ${this.of(memberOf(schema), within)}>`;
        const members = Object.entries(schema.properties).map(([key, member]) => {
          const name = /^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`;
          const optional = schema.required?.includes(key) ? "" : "?";
          return `${name}${optional}: ${this.of(member, within)}`;
        });
        return members.length === 0 ? "array<string, mixed>" : `array{${members.join(", ")}}`;
      }
      default:
        throw new Error(`unknown type ${type}`);
    }
  }

  /** True when the shape of a name holds another. */
  #reaches(from: string, to: string | undefined, seen = new Set<string>()): boolean {
    if (to === undefined || seen.has(from)) return false;
    seen.add(from);
    const text = JSON.stringify(this.#document.components.schemas[from] ?? {});
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name = ""]) => name,
    );
    return names.some((name) => name === to || this.#reaches(name, to, seen));
  }
}

const literal = (value: unknown): string =>
  typeof value === "string" ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

/** `Types.php`: every shape and event, as names for checkers of types and editors. */
export function phpTypes(document: Document): string {
  const types = new PhpTypes(document);
  const shapes = Object.entries(document.components.schemas)
    .filter(([name]) => name !== "Event")
    .map(([name, schema]) => [typeName(name), types.of(schema, [name])] as const);
  const base = document.components.schemas["Event"];
  const events = eventsOf(document).map(([kind, data]) => {
    const whole = { ...base, properties: { ...base?.properties, type: { const: kind }, data } };
    return [`${kind.split(/[._]/).map(capital).join("")}Event`, types.of(whole)] as const;
  });
  const all = [
    ...shapes,
    ...events,
    [
      "BotTurn",
      "array{type: 'bot.turn', token: string, conversationId: string, contact: array{id: string, firstName: string|null, language: string|null}, messages: list<array{id: string, from: 'customer'|'bot'|'person'|'program', type: string, text: string|null, pressed: string|null, at: string}>, variables: array<string, mixed>}",
    ] as const,
    ["BotTurnAnswer", types.of(lateAnswerOf(document).body ?? {})] as const,
    [
      "EventType",
      eventsOf(document)
        .map(([kind]) => literal(kind))
        .join("|"),
    ] as const,
    ["WebhookEvent", events.map(([name]) => name).join("|")] as const,
  ];
  return `${PHP_HEAD}
namespace Parley;

/**
 * Names of shapes, for \`@phpstan-import-type\`.
 *
${all.map(([name, type]) => ` * @phpstan-type ${name} ${type}\n`).join("")} */
final class Types
{
    public const API_VERSION = '${document.info.version}';
}
`;
}

/** `ErrorCode.php`: what `ParleyError::$errorCode` says. */
export function phpErrorCodes(document: Document): string {
  const own = ["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "CONNECTION_FAILED", "TIMED_OUT", "STREAM_REPLACED", "UNEXPECTED_ANSWER"]; // oxfmt-ignore
  const codes = [...operationsOf(document).flatMap((one) => one.codes), ...own];
  return `${PHP_HEAD}
namespace Parley;

/** What \`ParleyError::$errorCode\` says. A newer server may say one that is not here: keep a default. */
final class ErrorCode
{
${[...new Set(codes)]
  .toSorted()
  .map((code) => `    public const ${code.replaceAll(/\W/g, "_").toUpperCase()} = '${code}';\n`)
  .join("")}}
`;
}
