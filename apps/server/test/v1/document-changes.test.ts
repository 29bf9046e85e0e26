import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openapiDocument } from "../../src/http/openapi/openapi.ts";
import { documentChanges, type OpenApi } from "./document-changes.ts";

/** The last released document, without its words: `data/README.md` says how it is made. */
const released = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "../data/openapi-1.0.0.json"), "utf8"),
) as OpenApi;
const today = openapiDocument() as unknown as OpenApi;

/** The specification's own routes: address, status of success, scope. */
const NINE = [
  ["get", "/v1/contacts", "200", "contacts:read"],
  ["post", "/v1/contacts", "201", "contacts:write"],
  ["get", "/v1/segments", "200", "contacts:read"],
  ["post", "/v1/messages", "201", "messages:write"],
  ["post", "/v1/otp/send", "201", "otp:send"],
  ["get", "/v1/templates", "200", "templates:read"],
  ["get", "/v1/broadcasts", "200", "broadcasts:read"],
  ["post", "/v1/broadcasts/{id}/start", "201", "broadcasts:write"],
  ["get", "/v1/usage", "200", "usage:read"],
] as const;

/** What was written down later. No call that had an effect before is refused. */
const WRITTEN_LATER: Readonly<Record<string, string>> = {
  "POST /v1/contacts body.tags: a lower maxItems": "16 KiB hold fewer tags",
  "PATCH /v1/contacts/{id} body.tags: a lower maxItems": "16 KiB hold fewer tags",
  "POST /v1/contacts body.email: another pattern": "wider: the part before the @ may fill the 200",
  "PATCH /v1/contacts/{id} body.email: another pattern":
    "wider: the part before the @ may fill the 200",
  "POST /v1/messages body.conversationId: a lower maxLength": "ids have 36 characters",
  "GET /v1/conversations query channelId: a lower maxLength": "ids have 36 characters",
  "GET /v1/conversations query contactId: a lower maxLength": "ids have 36 characters",
  "GET /v1/conversations 200.nextCursor: another format":
    "by another order it is a time and an id; a cursor is given back as it was",
  "GET /v1/conversations query cursor: a higher minLength": "an empty one named nothing",
  "GET /v1/conversations query cursor: another pattern": "no U+0000, which no cursor had",
  "GET /v1/conversations query cursor: a lower maxLength": "cursors are ids, or a time and an id",
  "GET /v1/conversations/{id}/messages query cursor: a lower maxLength": "cursors are ids",
  "GET /v1/broadcasts/{id}/recipients query cursor: a lower maxLength": "cursors are ids",
  "GET /v1/events query types: a lower maxItems": "there are fewer kinds",
  "GET /v1/events/stream query types: a lower maxItems": "there are fewer kinds",
};

test("the nine routes of the specification stand in the released document and in today's", () => {
  for (const document of [released, today])
    for (const [method, at, status, scope] of NINE) {
      const operation = document.paths[at]?.[method];
      assert.equal(operation?.["x-required-scope"], scope, `${method} ${at}`);
      const statuses = Object.keys(operation?.responses ?? {}).filter((one) => one < "300");
      assert.deepEqual(statuses, [status], `${method} ${at}`);
    }
});

test("nothing of the released document is removed or narrowed", () => {
  const changes = documentChanges(released, today);
  assert.deepEqual(changes.toSorted(), Object.keys(WRITTEN_LATER).toSorted());
});

/** Edits of the text of the released document, and what the comparison must say of each. */
const EDITS: readonly (readonly [said: string, path: readonly string[], value: unknown])[] = [
  ["GET /v1/usage: removed", ["paths", "/v1/usage", "get"], undefined],
  [
    "POST /v1/messages body.text: a lower maxLength",
    ["components", "schemas", "NewMessage", "properties", "text", "maxLength"],
    100,
  ],
  [
    "POST /v1/contacts body.name: became required",
    ["components", "schemas", "NewContact", "required"],
    ["name"],
  ],
  [
    "GET /v1/contacts/{id} 200.phone: removed",
    ["components", "schemas", "Contact", "properties", "phone"],
    undefined,
  ],
  [
    "GET /v1/contacts/{id} 200.tags: may be null",
    ["components", "schemas", "Contact", "properties", "tags", "type"],
    ["array", "null"],
  ],
  [
    "GET /v1/contacts/{id} 200.optedOut: may be missing",
    ["components", "schemas", "Contact", "required"],
    ["id"],
  ],
  ["GET /v1/usage: needs another scope", ["paths", "/v1/usage", "get", "x-required-scope"], "x"],
  [
    "GET /v1/usage 200 RateLimit-Limit: removed",
    ["paths", "/v1/usage", "get", "responses", "200", "headers", "RateLimit-Limit"],
    undefined,
  ],
];

test("the comparison finds what a caller would miss", () => {
  for (const [said, place, value] of EDITS) {
    const edited = withValue(released, place, value) as OpenApi;
    const found = documentChanges(released, edited);
    assert.ok(found.includes(said), `${said}: only ${found.join("; ")}`);
  }
  assert.deepEqual(documentChanges(released, released), []);
});

/** A copy of a JSON value with another value at a place; undefined takes the member out. */
function withValue(whole: unknown, [name, ...more]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  assert.ok(typeof whole === "object" && whole !== null);
  const members = new Map(Object.entries(whole));
  const next = withValue(members.get(name), more, value);
  if (next === undefined) members.delete(name);
  else members.set(name, next);
  return Object.fromEntries(members);
}
