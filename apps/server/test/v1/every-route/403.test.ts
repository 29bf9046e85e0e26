import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { OPENS, ROUTES, SCOPES } from "./routes.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const call = ({ method, path, ...rest }: (typeof ROUTES)[number], bearer: string) =>
  api.call(method, path, { bearer, ...("json" in rest && { json: rest.json }) });

test("a scope opens its routes and no other", async () => {
  for (const scope of SCOPES) {
    const bearer = await api.key([scope]);
    for (const [index, route] of ROUTES.entries()) {
      const needed = route.scope;
      const { status, body } = await call(route, bearer);
      const passes = OPENS.get(scope)?.[index];
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
    for (const route of ROUTES) {
      const locked = route.scope === left && !("others" in route);
      assert.equal((await call(route, bearer)).status === 403, locked, `without ${left}`);
    }
  }
});

test("a key without scopes has full access", async () => {
  const bearer = await api.key();
  for (const route of ROUTES) assert.notEqual((await call(route, bearer)).status, 403);
});
