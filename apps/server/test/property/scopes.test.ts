import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startApi } from "../v1/api.ts";
import { OPENS, ROUTES, SCOPES } from "../v1/every-route/routes.ts";
import { seed } from "../seed.ts";
import { runsOf } from "./runs.ts";

test("any set of scopes opens exactly the routes of its scopes", async () => {
  await using api = await startApi();
  await fc.assert(
    fc.asyncProperty(fc.subarray([...SCOPES], { minLength: 1 }), async (scopes) => {
      const bearer = await api.key(scopes);
      for (const [index, route] of ROUTES.entries()) {
        // Under the limit of a key, which is fewer than there are routes.
        if (index % 100 === 0) api.clock.advance(61_000);
        const { method, path, scope } = route;
        const json = "json" in route ? { json: route.json } : {};
        const { status, body } = await api.call(method, path, { bearer, ...json });
        const open = scopes.some((one) => OPENS.get(one)?.[index]);
        const told = `${scopes.join()} ${method} ${path}`;
        if (open) assert.notEqual(status, 403, told);
        else assert.deepEqual([status, body.message], [403, `MISSING_SCOPE:${scope}`], told);
      }
    }),
    { seed, numRuns: runsOf(40) },
  );
});
