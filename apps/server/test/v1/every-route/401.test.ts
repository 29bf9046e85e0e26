import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createKey } from "../../../src/api-keys/create-key.ts";
import { listKeys } from "../../../src/api-keys/list-keys.ts";
import { revokeKey } from "../../../src/api-keys/revoke-key.ts";
import { startApi, type Api } from "../api.ts";
import { ROUTES } from "./routes.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const BEARER = "Authorization: Bearer PUBLIC:SECRET";
const WORDS = {
  MISSING_API_KEY: `send the header ${BEARER}`,
  MALFORMED_API_KEY: `the header must be ${BEARER}, with the word Bearer, a space, and both halves joined by a colon`,
  INVALID_API_KEY: "the key is unknown, revoked or expired, or its secret is wrong",
};

async function everyRoute(
  headers: Record<string, string>,
  code: keyof typeof WORDS,
  words = WORDS[code],
): Promise<void> {
  for (const { method, path } of ROUTES) {
    // Wrong keys of one address, and wrong secrets of one key, have limits of their own.
    api.clock.advance(61_000);
    const answer = await api.call(method, path, { bearer: null, headers });
    assert.deepEqual(
      answer.body,
      {
        statusCode: 401,
        error: "Unauthorized",
        message: code,
        details: [{ path: "", message: words }],
      },
      `${method} ${path}`,
    );
    assert.equal(answer.headers["ratelimit-limit"], undefined, "the key is not known");
  }
}

test("no credential, or an empty one, is MISSING_API_KEY", async () => {
  await everyRoute({}, "MISSING_API_KEY");
  await everyRoute({ authorization: "" }, "MISSING_API_KEY");
});

test("another scheme, no colon and an empty half are MALFORMED_API_KEY", async () => {
  for (const authorization of ["Basic cGs6c2s=", "Bearer pk", "Bearer pk:", "Bearer :sk", "pk:sk"])
    await everyRoute({ authorization }, "MALFORMED_API_KEY");
  const missing = "the key is missing behind the word Bearer: is the variable set that holds it?";
  for (const authorization of ["Bearer", "Bearer "])
    await everyRoute({ authorization }, "MALFORMED_API_KEY", missing);
});

test("unknown, wrong, revoked and expired are INVALID_API_KEY, and the answers are the same bytes", async () => {
  const { app, workspaceId } = api;
  const revoked = await createKey(OPERATOR, app, workspaceId);
  const expired = await createKey(OPERATOR, app, workspaceId, {
    expiresAt: new Date(api.clock.now().getTime() + 1),
  });
  const good = await createKey(OPERATOR, app, workspaceId);
  assert.equal((await api.call("GET", "/usage", { bearer: revoked.bearer })).status, 200);
  await revokeKey(OPERATOR, app, workspaceId, revoked.id);
  api.clock.advance(1);
  for (const bearer of ["pk_x:sk_x", `${good.publicKey}:sk_x`, revoked.bearer, expired.bearer])
    await everyRoute({ authorization: `Bearer ${bearer}` }, "INVALID_API_KEY");
  assert.equal((await api.call("GET", "/usage", { bearer: good.bearer })).status, 200);
});

test("a key that a request was made with says when, and one that none was made with does not", async () => {
  const { app, workspaceId, clock } = api;
  const [used, unused] = [
    await createKey(OPERATOR, app, workspaceId),
    await createKey(OPERATOR, app, workspaceId),
  ];
  assert.equal((await api.call("GET", "/usage", { bearer: used.bearer })).status, 200);
  clock.advance(60_000);
  await app.drain();
  const of = async (id: string) =>
    (await listKeys(app, workspaceId)).find((key) => key.id === id)?.lastUsedAt;
  assert.deepEqual(await of(used.id), new Date(clock.now().getTime() - 60_000));
  assert.equal(await of(unused.id), null);
});
