import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { operationsOf, readDocument, type Document, type Operation } from "./document.ts";

/** Where the collections for Postman and Bruno lie. They are committed. */
export const COLLECTIONS = path.join(import.meta.dirname, "../../docs/api");
const BASE = "http://127.0.0.1:3000/api";

/** What `docs/api/` must hold, by path: a Postman collection (v2.1) and a Bruno folder, one request per operation. */
export function collections(document: Document = readDocument()): Map<string, string> {
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map((one) => one.tag))].map((name) => ({
    name,
    description: document.tags.find((tag) => tag.name === name)?.description ?? "",
    operations: operations.filter((one) => one.tag === name),
  }));
  return new Map([
    ["postman.json", postman(document, tags)],
    ["bruno/bruno.json", json({ version: "1", name: document.info.title, type: "collection" })],
    ["bruno/collection.bru", bru("auth", "mode: bearer") + bru("auth:bearer", "token: {{apiKey}}")],
    ["bruno/environments/Local.bru", `vars {\n  baseUrl: ${BASE}\n}\nvars:secret [\n  apiKey\n]\n`],
    ...tags.flatMap((tag) =>
      tag.operations.map(
        (one, index): [string, string] => [`bruno/${tag.name}/${one.id}.bru`, bruno(one, index + 1)],
      ),
    ),
  ]); // oxfmt-ignore
}

interface Tag {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const shown = (value: unknown) => (value === undefined ? "" : JSON.stringify(value));
/** A text as it is; anything else as JSON. */
const plain = (value: unknown) => (typeof value === "string" ? value : shown(value));
const exampleOf = (operation: Operation) =>
  operation.body ? JSON.stringify(operation.bodyExample, null, 2) : null;

function postman(document: Document, tags: readonly Tag[]): string {
  const { title, summary } = document.info;
  return json({
    info: {
      name: title,
      description: summary,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: BASE },
      { key: "apiKey", value: "" },
    ],
    item: tags.map(({ name, description, operations }) => ({
      name,
      description,
      item: operations.map((one) => ({ name: one.summary, request: postmanRequest(one) })),
    })),
  });
}

function postmanRequest(one: Operation) {
  const at = one.path.replaceAll(/\{(\w+)\}/g, ":$1");
  const raw = exampleOf(one);
  return {
    method: one.method,
    description: one.description,
    header: [
      ...(one.keyed ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
      ...(raw === null ? [] : [{ key: "Content-Type", value: "application/json" }]),
    ],
    url: {
      raw: `{{baseUrl}}${at}`,
      host: ["{{baseUrl}}"],
      path: at.split("/").slice(1),
      ...(one.query.length > 0 && {
        query: one.query.map(({ name, description, schema, required = false, example }) => ({
          key: name,
          value: required ? plain(example) : shown(schema.default),
          ...(description !== undefined && { description }),
          disabled: !required,
        })),
      }),
      ...(one.pathParameters.length > 0 && {
        variable: one.pathParameters.map(({ name }) => ({ key: name, value: "" })),
      }),
    },
    ...(raw !== null && { body: { mode: "raw", raw, options: { raw: { language: "json" } } } }),
  };
}

/** One request in Bruno's own language. */
function bruno(one: Operation, seq: number): string {
  const at = one.path.replaceAll(/\{(\w+)\}/g, ":$1");
  const raw = exampleOf(one);
  const lines = (all: readonly string[]) => all.join("\n");
  return [
    bru("meta", lines([`name: ${one.summary}`, "type: http", `seq: ${seq}`])),
    bru(
      one.method.toLowerCase(),
      lines([`url: {{baseUrl}}${at}`, `body: ${raw === null ? "none" : "json"}`, "auth: inherit"]),
    ),
    ...(one.query.length > 0
      ? [bru("params:query", lines(one.query.map(({ name, schema, required, example }) => required ? `${name}: ${plain(example)}` : `~${name}: ${shown(schema.default)}`)))]
      : []),
    ...(one.pathParameters.length > 0
      ? [bru("params:path", lines(one.pathParameters.map(({ name }) => `${name}: `)))]
      : []),
    ...(one.keyed ? [bru("headers", "Idempotency-Key: {{$guid}}")] : []),
    ...(raw === null ? [] : [bru("body:json", raw)]),
    // It would be waited for, and the requests after it with it.
    ...(one.answerType === "text/event-stream" ? [bru("settings", "timeout: 5000")] : []),
    bru("docs", one.description),
  ].join("\n"); // oxfmt-ignore
}

function bru(name: string, text: string): string {
  return `${name} {\n${text.replaceAll(/^(?=.)/gm, "  ")}\n}\n`;
}

if (import.meta.main) {
  rmSync(COLLECTIONS, { recursive: true, force: true });
  for (const [name, text] of collections()) {
    mkdirSync(path.dirname(path.join(COLLECTIONS, name)), { recursive: true });
    writeFileSync(path.join(COLLECTIONS, name), text);
  }
}
