import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openapiDocument } from "../../../src/http/openapi/openapi.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

interface Documented {
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, unknown> };
}

const paths = openapiDocument()["paths"] as Record<string, Record<string, Documented>>;
const withBody = Object.entries(paths).flatMap(([path, methods]) =>
  (["POST", "PUT", "PATCH"] as const).flatMap((method) => {
    const body = methods[method.toLowerCase()]?.requestBody;
    if (!body || !("application/json" in body.content)) return [];
    const at = path.replace("/v1", "").replaceAll(/\{\w+\}/g, "none");
    return { method, path: at, required: body.required };
  }),
);

test("a POST that needs no member is called without a body as with {}; any other call without a body is refused", async () => {
  const wrong: unknown[] = [];
  for (const { method, path, required } of withBody) {
    const bare = await api.call(method, path);
    const empty = await api.call(method, path, { json: {} });
    const answer = [bare.status, bare.body.message, bare.body.details];
    const expected = required
      ? [
          400,
          "VALIDATION_FAILED",
          [{ path: "", message: "must be a JSON object; {} when nothing is to be said" }],
        ]
      : [empty.status, empty.body.message, empty.body.details];
    try {
      assert.deepEqual(answer, expected);
    } catch {
      wrong.push([method, path, ...answer]);
    }
  }
  assert.deepEqual(wrong, []);
  const optional = withBody.filter(({ required }) => !required);
  assert.ok(optional.length > 10 && optional.every(({ method }) => method === "POST"));
});
