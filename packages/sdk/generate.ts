import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  capital,
  nameOf,
  operationsOf,
  readDocument,
  type Document,
  type Schema,
  eventsOf,
  lateAnswerOf,
} from "./document.ts";
import { generatePhp, PHP } from "./php.ts";
import { generatePython, PYTHON } from "./python.ts";
import { resourcesText } from "./generate-resources.ts";
import { comment, HEAD, typeName, typeOf } from "./schema-type.ts";

export const GENERATED = path.join(import.meta.dirname, "src/generated");

/** The document's Event, told apart by kind. */
const EVENTS = `export type EventType = keyof EventData;

/** One event of one kind. */
export interface EventOf<K extends EventType> {
  /** The same over every retry: process an id once. */
  readonly id: string;
  readonly type: K;
  readonly apiVersion: string;
  readonly createdAt: string;
  readonly workspaceId: string;
  /** Rises by one per event of the workspace: shows a gap. */
  readonly sequence: number;
  readonly data: EventData[K];
}

/** Any event: \`switch (event.type)\` narrows \`data\`. A newer server may send kinds that this version does not know. */
export type WebhookEvent = { [K in EventType]: EventOf<K> }[EventType];
`;

/** Every generated file of the clients, by its path. */
export function generate(document: Document = readDocument()): ReadonlyMap<string, string> {
  const typescript = { "types.ts": typesText(document), "resources.ts": resourcesText(document) };
  const all = [
    [GENERATED, typescript],
    [PYTHON, generatePython(document)],
    [PHP, generatePhp(document)],
  ] as const;
  return new Map(
    all.flatMap(([folder, files]) =>
      Object.entries(files).map(([name, text]) => [path.join(folder, name), text] as const),
    ),
  );
}

function typesText(document: Document): string {
  const operations = operationsOf(document);
  const asked = new Set<string>();
  for (const { body } of operations) if (body) follow(document, body, asked);
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => name !== "Event")
    .map(([name, schema]) => {
      const type = typeOf(schema, "", asked.has(name));
      const own = schema.properties ? `interface ${typeName(name)} ${type}` : `type ${typeName(name)} = ${type};`;
      return `${comment(schema.description)}export ${own}\n`;
    }); // oxfmt-ignore
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map(({ id, query }) => {
      const shape: Schema = {
        type: "object",
        properties: Object.fromEntries(
          query.map((one) => [one.name, { ...one.schema, ...described(one.description) }]),
        ),
        required: query.filter((one) => one.required).map((one) => one.name),
      };
      return `/** The query of \`${id}\`. */\nexport interface ${capital(id)}Query ${typeOf(shape, "", true)}\n`;
    });
  const codes = [...new Set(operations.flatMap((one) => one.codes))].toSorted();
  const events = eventsOf(document).map(([kind, data]) => {
    return `  "${kind}": ${typeOf(data, "  ", false)};\n`;
  });
  return [
    HEAD,
    `export const API_VERSION = ${JSON.stringify(document.info.version)};\n`,
    ...schemas,
    ...queries,
    `/** What a bot answers a turn with (\`docs/external-bots.md\`). */\nexport interface BotTurnAnswer ${typeOf(lateAnswerOf(document).body ?? {}, "", true)}\n`,
    `/** What \`ParleyError.code\` says when the server refuses. */\nexport type ApiErrorCode =\n${codes.map((code) => `  | ${JSON.stringify(code)}\n`).join("")};\n`,
    `/** What \`data\` of an event holds, by kind. */\nexport interface EventData {\n${events.join("")}}\n`,
    EVENTS,
  ].join("\n");
}

/** The names that a request body reaches. */
function follow(document: Document, schema: Schema, found: Set<string>): void {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    const next = document.components.schemas[name];
    if (!next || found.has(name)) return;
    found.add(name);
    follow(document, next, found);
  }
  const below = [
    schema.items,
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
  ];
  for (const one of below) if (one) follow(document, one, found);
}

const described = (description: string | undefined) =>
  description === undefined ? {} : { description };

if (import.meta.main)
  for (const [file, text] of generate()) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
