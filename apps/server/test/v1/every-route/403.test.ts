import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../api.ts";
import { IMPLIED, OPENS, ROUTES, SCOPES } from "./routes.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

/** Under the limit of a key, which is fewer than there are routes. */
const MOST = 100;

const call = ({ method, path, ...rest }: (typeof ROUTES)[number], bearer: string) =>
  api.call(method, path, { bearer, ...("json" in rest && { json: rest.json }) });

test("a scope opens its routes and no other", async () => {
  for (const scope of SCOPES) {
    const bearer = await api.key([scope]);
    for (const [index, route] of ROUTES.entries()) {
      if (index % MOST === 0) api.clock.advance(61_000);
      const needed = route.scope;
      const { status, body } = await call(route, bearer);
      const passes = OPENS.get(scope)?.[index];
      assert.equal(status !== 403, passes, `${scope} at ${needed}`);
      if (!passes) {
        assert.deepEqual(body, {
          statusCode: 403,
          error: "Forbidden",
          message: `MISSING_SCOPE:${needed}`,
          details: [{ path: "", message: `the key was made without the scope ${needed}` }],
        });
      }
    }
  }
});

test("all scopes but one do not open what only that one opens", async () => {
  const implied = Object.values(IMPLIED);
  for (const left of SCOPES.filter((scope) => !implied.includes(scope))) {
    const bearer = await api.key(SCOPES.filter((scope) => scope !== left));
    for (const route of ROUTES.filter((one) => one.scope === left && !one.others))
      assert.equal((await call(route, bearer)).status, 403, `without ${left}`);
  }
});

test("a key without scopes has full access", async () => {
  const bearer = await api.key();
  for (const [index, route] of ROUTES.entries()) {
    if (index % MOST === 0) api.clock.advance(61_000);
    assert.notEqual((await call(route, bearer)).status, 403);
  }
});
