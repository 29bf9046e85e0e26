import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { OPENS, ROUTES, SCOPES } from "./routes.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const call = (index: number, bearer: string) => {
  const { method, path, ...rest } = ROUTES[index] ?? ROUTES[0];
  return api.call(method, path, { bearer, ...("json" in rest && { json: rest.json }) });
};

test("a scope opens its routes and no other", async () => {
  for (const scope of SCOPES) {
    const bearer = await api.key([scope]);
    for (const [index, { scope: needed }] of ROUTES.entries()) {
      const { status, body } = await call(index, bearer);
      const passes = OPENS[scope][index];
      assert.equal(status !== 403, passes, `${scope} at ${needed}`);
      if (!passes) {
        assert.deepEqual(body, {
          statusCode: 403,
          error: "Forbidden",
          message: `MISSING_SCOPE:${needed}`,
        });
      }
    }
  }
});

test("all scopes but one lock just the routes of that one", async () => {
  for (const left of SCOPES) {
    const bearer = await api.key(SCOPES.filter((scope) => scope !== left));
    for (const [index, { scope: needed, ...rest }] of ROUTES.entries()) {
      const locked = needed === left && !("others" in rest);
      assert.equal((await call(index, bearer)).status === 403, locked, `without ${left}`);
    }
  }
});

test("a key without scopes has full access", async () => {
  const bearer = await api.key();
  for (const index of ROUTES.keys()) assert.notEqual((await call(index, bearer)).status, 403);
});
