import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import * as chat from "../src/http/chat/shapes.ts";
import { FACES } from "../src/http/dashboard/faces.fixture.ts";
import type { Face } from "../src/http/edge/face.ts";
import { bodyCheck, queryCheck } from "../src/http/edge/validation.ts";
import { SHAPES as sandbox } from "../src/http/sandbox/shapes.ts";
import { routes } from "../src/http/v1/routes.ts";

// The server reads a route's schema only when the first request comes. A wrong one is found here.

const faces: readonly (readonly [string, Face])[] = [
  ...routes.map((route) => [route.operationId, route] as const),
  ...Object.entries(FACES),
];

test("the schema of every route is one that requests can be checked with", () => {
  assert.ok(faces.length > 100);
  for (const [name, { query, body }] of faces)
    assert.doesNotThrow(() => {
      if (query) queryCheck(query)({ values: new Map(), repeated: new Map(), faults: [] });
      if (body) bodyCheck(body)({});
    }, name);
});

/** Maps that are bounded by the sum of what they hold, not by their members. */
const BOUNDED_OTHERWISE = {
  // 16 KiB in all: `contact-input.ts`.
  attributes: /^(createContact|updateContact|editContact) body\.attributes$/,
  // Read one by one by `compileSegment`, which refuses what no rule has.
  rules:
    /^(createSegment|updateSegment|countDefinition|sampleDefinition) body\.definition\.rules\[\]$/,
} as const;

interface Shape {
  readonly type?: string | readonly string[];
  readonly [keyword: string]: unknown;
}
const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null;

/** Every place of a schema that takes something without a bound: arrays, texts, and maps of any names. */
function* unbounded(shape: unknown, at: string): Generator<string> {
  if (!isShape(shape)) return;
  const { type, properties, items, enum: words, const: word } = shape;
  const types = [type].flat();
  if (types.includes("array") && shape["maxItems"] === undefined) yield `${at}: maxItems`;
  const closed = words !== undefined || word !== undefined;
  if (types.includes("string") && !closed && shape["maxLength"] === undefined)
    yield `${at}: maxLength`;
  const map = types.includes("object") && !isShape(properties);
  const otherwise = Object.values(BOUNDED_OTHERWISE).some((place) => place.test(at));
  if (map && shape["maxProperties"] === undefined && !otherwise) yield `${at}: maxProperties`;
  for (const [name, inner] of Object.entries(isShape(properties) ? properties : {}))
    yield* unbounded(inner, `${at}.${name}`);
  yield* unbounded(items, `${at}[]`);
  for (const name of ["anyOf", "oneOf", "allOf", "patternProperties", "additionalProperties"])
    for (const inner of isShape(shape[name]) ? innerOf(name, shape[name]) : [])
      yield* unbounded(inner, at);
}

const innerOf = (name: string, inner: Shape): readonly unknown[] =>
  name === "additionalProperties" ? [inner] : Object.values(inner);

test("whatever a caller gives has a bound: no array without maxItems, no text without maxLength, no map without maxProperties", () => {
  const inputs = [
    ...faces.flatMap(([name, { query, body }]) => [
      [`${name} query`, query] as const,
      [`${name} body`, body] as const,
    ]),
    ...Object.entries({ ...chat, ...sandbox }),
  ];
  assert.ok(inputs.length > 200);
  const found = inputs.flatMap(([name, shape]) => [...unbounded(shape, name)]);
  assert.deepEqual(found, []);
  // The walk sees what it looks for.
  const open = Type.Object({
    a: Type.Optional(Type.Array(Type.String())),
    b: Type.Record(Type.String(), Type.Unknown()),
  });
  assert.deepEqual(
    [...unbounded(open, "x")],
    ["x.a: maxItems", "x.a[]: maxLength", "x.b: maxProperties"],
  );
});

test("the faults of a body are plain words, and of several shapes those of the one that is meant", () => {
  const body = Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1 })),
      list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 9 })),
      size: Type.Optional(Type.Integer({ minimum: 4, maximum: 10 })),
      note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      change: Type.Optional(
        Type.Union([
          Type.Object(
            { action: Type.Literal("tag"), tags: Type.Array(Type.String()) },
            { additionalProperties: false },
          ),
          Type.Object(
            { action: Type.Literal("opt_out"), reason: Type.Optional(Type.String()) },
            { additionalProperties: false },
          ),
        ]),
      ),
    },
    { additionalProperties: false },
  );
  const faults = (given: object) =>
    bodyCheck(body)(given).faults.map(({ path, message }) => `${path} ${message}`);
  assert.deepEqual(faults({ name: "", list: [], size: 3 }), [
    "name must not be empty",
    "list must have at least one item",
    "size must be at least 4",
  ]);
  assert.deepEqual(faults({ name: 7, list: "x", size: "4" }), [
    "name must be a text",
    "list must be a list",
    "size must be a whole number",
  ]);
  assert.deepEqual(faults({ change: { action: "optout", reason: "x" } }), [
    "change.action must be one of tag, opt_out",
  ]);
  assert.deepEqual(faults({ size: 11, change: {} }), [
    "size must be at most 10",
    "change.action is required",
  ]);
  assert.deepEqual(faults({ change: { action: "opt_out", tags: ["a"] } }), [
    "change.tags is unknown; known are action, reason",
  ]);
  assert.deepEqual(faults({ change: { action: "tag", tags: 7 } }), ["change.tags must be a list"]);
  assert.deepEqual(faults({ change: "tag" }), ["change must be an object"]);
  assert.deepEqual(faults({ change: { action: "opt_out" } }), []);
});

test("of a body with very many values only the first fault is looked for", () => {
  const check = bodyCheck(FACES.createView.body);
  const wrong = (count: number) =>
    check({ name: "x", shared: false, filter: { all: [Array.from({ length: count }, () => 1)] } })
      .faults;
  assert.ok(wrong(15).length > 10);
  assert.deepEqual(wrong(120_000), [
    { path: "filter.all.0", message: "must not have more than 20 items" },
  ]);
});
