import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildApp } from "../app.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { mayUse, parseAuthorization, SCOPES, type Principal } from "./api-key.ts";
import { createKey } from "./create-key.ts";
import { KeyCache, keyCache } from "./key-cache.ts";
import { listKeys } from "./list-keys.ts";
import { recordKeyUse } from "./record-key-use.ts";
import { revokeKey } from "./revoke-key.ts";
import { verifyKey } from "./verify-key.ts";

let t: TestApp;
let workspaceId: string;
before(async () => {
  t = await startTestApp();
  workspaceId = t.app.ids.next();
  await t.app.db.query(
    sql`insert into workspace (id, name, plan, created_at) values (${workspaceId}, 'A', 'free', ${t.clock.now()})`,
  );
});
after(() => t[Symbol.asyncDispose]());

const refused = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;

test("the header says what is wrong with it", () => {
  for (const missing of [undefined, "", "   "])
    assert.throws(() => parseAuthorization(missing), refused("MISSING_API_KEY"));
  for (const malformed of [
    "Bearer",
    "Bearer pk_1",
    "Bearer :sk_1",
    "Bearer pk_1:",
    "Bearer :",
    "Basic pk_1:sk_1",
    "pk_1:sk_1",
    "Bearer pk_1:sk_1 more",
  ])
    assert.throws(() => parseAuthorization(malformed), refused("MALFORMED_API_KEY"), malformed);
  assert.deepEqual(parseAuthorization("bearer  pk_1:sk_1:2"), {
    publicKey: "pk_1",
    secret: "sk_1:2",
  });
});

test("a key proves its workspace and shows its secret once", async () => {
  const created = await createKey(t.app, workspaceId, { name: " CI ", scopes: ["usage:read"] });
  assert.match(created.bearer, /^pk_[\w-]{22}:sk_[\w-]{43}$/);
  const principal = await verifyKey(t.app, `Bearer ${created.bearer}`);
  assert.deepEqual(principal, {
    workspaceId,
    keyId: created.id,
    publicKey: created.publicKey,
    scopes: ["usage:read"],
  });
  const listed = (await listKeys(t.app, workspaceId)).find((key) => key.id === created.id);
  assert.equal(listed?.name, "CI");
  assert.ok(!JSON.stringify(listed).includes(created.secret));
  const stored = await t.app.db.query(sql`select * from api_key where id = ${created.id}`);
  assert.ok(!JSON.stringify(stored).includes(created.secret));
});

test("scopes are a list of nine; none is full access", async () => {
  await assert.rejects(
    createKey(t.app, workspaceId, { scopes: ["contacts:delete"] }),
    refused("VALIDATION_FAILED"),
  );
  const of = (scopes: Principal["scopes"]): Principal => ({
    workspaceId,
    keyId: "k",
    publicKey: "p",
    scopes,
  });
  assert.equal(SCOPES.length, 9);
  assert.ok(SCOPES.every((scope) => mayUse(of([]), scope)));
  assert.deepEqual(
    SCOPES.filter((scope) => mayUse(of(["otp:send"]), scope)),
    ["otp:send"],
  );
});

test("each of the 512 sets of scopes opens what it holds and no more; the empty one opens all", () => {
  for (let set = 0; set < 512; set++) {
    const scopes = SCOPES.filter((_, bit) => set & (1 << bit));
    const principal: Principal = { workspaceId, keyId: "k", publicKey: "p", scopes };
    for (const [bit, scope] of SCOPES.entries())
      assert.equal(mayUse(principal, scope), set === 0 || Boolean(set & (1 << bit)));
  }
});

test("unknown, wrong, revoked and expired keys are all INVALID_API_KEY", async () => {
  const key = await createKey(t.app, workspaceId);
  const other = await createKey(t.app, workspaceId);
  const short = await createKey(t.app, workspaceId, {
    expiresAt: new Date(t.clock.now().getTime() + 2_000),
  });
  const invalid = refused("INVALID_API_KEY");
  await assert.rejects(verifyKey(t.app, "Bearer pk_none:sk_none"), invalid);
  await assert.rejects(verifyKey(t.app, "Bearer pk_\0:sk_none"), invalid);
  await assert.rejects(verifyKey(t.app, `Bearer ${key.publicKey}:${other.secret}`), invalid);
  await assert.rejects(verifyKey(t.app, `Bearer ${key.publicKey}:${key.secret}x`), invalid);
  await verifyKey(t.app, `Bearer ${short.bearer}`);
  t.clock.advance(2_000);
  await assert.rejects(verifyKey(t.app, `Bearer ${short.bearer}`), invalid);
  await verifyKey(t.app, `Bearer ${key.bearer}`);
  await revokeKey(t.app, null, key.id);
  await assert.rejects(verifyKey(t.app, `Bearer ${key.bearer}`), invalid);
});

test("another process learns of a revocation within five seconds, and not before it looks again", async () => {
  await using second = await buildApp(
    t.app.config,
    { masterKey: Buffer.alloc(32) },
    { clock: t.clock },
  );
  const key = await createKey(t.app, workspaceId);
  await verifyKey(second, `Bearer ${key.bearer}`);
  await revokeKey(t.app, workspaceId, key.id);
  t.clock.advance(4_999);
  await verifyKey(second, `Bearer ${key.bearer}`);
  t.clock.advance(1);
  await assert.rejects(verifyKey(second, `Bearer ${key.bearer}`), refused("INVALID_API_KEY"));
});

test("a clock that is set back by an hour does not keep a revoked key for that hour", async () => {
  const { bearer, id } = await createKey(t.app, workspaceId);
  await verifyKey(t.app, `Bearer ${bearer}`);
  await t.app.db.query(
    sql`update api_key set revoked_at = ${t.clock.now()} where workspace_id = ${workspaceId} and id = ${id}`,
  );
  t.clock.advance(-3_600_000);
  await assert.rejects(verifyKey(t.app, `Bearer ${bearer}`), refused("INVALID_API_KEY"));
  t.clock.advance(3_600_000);
});

test("a row read before a revocation is not cached after it", () => {
  const cache = keyCache(t.app.db);
  const principal: Principal = { workspaceId, keyId: "k", publicKey: "pk", scopes: [] };
  const { epoch } = cache;
  const always = { since: 0, until: Number.POSITIVE_INFINITY };
  cache.clear();
  cache.put("pk:sk", principal, always, epoch);
  assert.equal(cache.get("pk:sk", 0), undefined);
  cache.put("pk:sk", principal, always, cache.epoch);
  assert.equal(cache.get("pk:sk", 0), principal);
});

test("proofs that are over go with the next one, whoever's it is", () => {
  const cache = new KeyCache();
  const principal: Principal = { workspaceId, keyId: "k", publicKey: "pk", scopes: [] };
  const put = (bearer: string, since: number) =>
    cache.put(bearer, principal, { since, until: since + 5_000 }, cache.epoch);
  for (const [n, bearer] of ["a", "b", "c"].entries()) put(bearer, n * 1_000);
  assert.equal(cache.size, 3);
  put("d", 6_000);
  assert.deepEqual(
    [cache.size, cache.get("a", 6_000), cache.get("c", 6_000)],
    [2, undefined, principal],
  );
  // The clock was set back: what it showed is no term any more.
  put("e", 100);
  assert.deepEqual([cache.size, cache.get("e", 100)], [1, principal]);
});

test("a key of another workspace is not found", async () => {
  const key = await createKey(t.app, workspaceId);
  await assert.rejects(revokeKey(t.app, t.app.ids.next(), key.id), refused("NOT_FOUND"));
  await assert.rejects(revokeKey(t.app, null, "x"), refused("NOT_FOUND"));
  for (const nobody of [t.app.ids.next(), "x"])
    await assert.rejects(createKey(t.app, nobody), refused("NOT_FOUND"));
  const { id: other } = await createWorkspace(t.app, { name: "B" });
  assert.deepEqual(await listKeys(t.app, other), []);
  await verifyKey(t.app, `Bearer ${key.bearer}`);
});

test("uses are written together, later", async () => {
  await recordKeyUse(t.app);
  const keys = await Promise.all([createKey(t.app, workspaceId), createKey(t.app, workspaceId)]);
  for (const key of keys) await verifyKey(t.app, `Bearer ${key.bearer}`);
  assert.equal((await listKeys(t.app, workspaceId))[0]?.lastUsedAt, null);
  assert.equal(await recordKeyUse(t.app), 2);
  assert.deepEqual((await listKeys(t.app, workspaceId))[0]?.lastUsedAt, t.clock.now());
  assert.equal(await recordKeyUse(t.app), 0);
});
