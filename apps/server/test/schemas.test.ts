import assert from "node:assert/strict";
import { test } from "node:test";
import { FACES } from "../src/http/dashboard/faces.fixture.ts";
import type { Face } from "../src/http/edge/face.ts";
import { bodyCheck, queryCheck } from "../src/http/edge/validation.ts";
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
