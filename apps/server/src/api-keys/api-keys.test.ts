import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildApp } from "../app.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { SCOPES } from "../wire/words.ts";
import { mayUse, parseAuthorization, type Principal } from "./api-key.ts";
import { createKey } from "./create-key.ts";
import { CACHE_MS, KeyCache, keyCache } from "./key-cache.ts";
import { listKeys } from "./list-keys.ts";
import { recordKeyUse } from "./record-key-use.ts";
import { revokeKey } from "./revoke-key.ts";
import * as keys from "./verify-key.ts";

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

const verifyKey = (
  context: Parameters<typeof keys.verifyKey>[0],
  authorization: string,
  address = "192.0.2.1",
) => keys.verifyKey(context, authorization, () => address);

const refused = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;

test("a wrong header is refused with the code of its fault", () => {
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

test("a key gives access to its workspace and shows its secret once", async () => {
  const created = await createKey(OPERATOR, t.app, workspaceId, {
    name: " CI ",
    scopes: ["usage:read"],
  });
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

test("the nine scopes of the specification lead the list; a key without scopes has full access", async () => {
  await assert.rejects(
    createKey(OPERATOR, t.app, workspaceId, { scopes: ["contacts:delete"] }),
    refused("VALIDATION_FAILED"),
  );
  const of = (scopes: Principal["scopes"]): Principal => ({
    workspaceId,
    keyId: "k",
    publicKey: "p",
    scopes,
  });
  // The nine of the specification come first, under its names.
  assert.deepEqual(SCOPES.slice(0, 9), [
    "contacts:read",
    "contacts:write",
    "messages:write",
    "messages:read",
    "otp:send",
    "templates:read",
    "broadcasts:read",
    "broadcasts:write",
    "usage:read",
  ]);
  assert.ok(SCOPES.every((scope) => mayUse(of([]), scope)));
  assert.deepEqual(
    SCOPES.filter((scope) => mayUse(of(["otp:send"]), scope)),
    ["otp:send"],
  );
});

test("each of the 512 sets of scopes opens what it names and no more; the empty set opens everything", () => {
  for (let set = 0; set < 512; set++) {
    const scopes = SCOPES.filter((_, bit) => set & (1 << bit));
    const principal: Principal = { workspaceId, keyId: "k", publicKey: "p", scopes };
    for (const [bit, scope] of SCOPES.entries()) {
      // Whoever may write may draft.
      const writes = scopes.some((one) => one === scope.replace(/:draft$/, ":write"));
      assert.equal(mayUse(principal, scope), set === 0 || Boolean(set & (1 << bit)) || writes);
    }
  }
});

test("unknown, wrong, revoked and expired keys are all INVALID_API_KEY", async () => {
  const key = await createKey(OPERATOR, t.app, workspaceId);
  const other = await createKey(OPERATOR, t.app, workspaceId);
  const short = await createKey(OPERATOR, t.app, workspaceId, {
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
  await revokeKey(OPERATOR, t.app, null, key.id);
  await assert.rejects(verifyKey(t.app, `Bearer ${key.bearer}`), invalid);
});

test("another process learns of a revocation within five seconds, when it looks again", async () => {
  await using second = await buildApp(
    t.app.config,
    { masterKey: Buffer.alloc(32) },
    { clock: t.clock },
  );
  const key = await createKey(OPERATOR, t.app, workspaceId);
  await verifyKey(second, `Bearer ${key.bearer}`);
  await revokeKey(OPERATOR, t.app, workspaceId, key.id);
  t.clock.advance(4_999);
  await verifyKey(second, `Bearer ${key.bearer}`);
  t.clock.advance(1);
  await assert.rejects(verifyKey(second, `Bearer ${key.bearer}`), refused("INVALID_API_KEY"));
});

test("a clock that is set back by an hour does not keep a revoked key valid for that hour", async () => {
  const { bearer, id } = await createKey(OPERATOR, t.app, workspaceId);
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

test("proofs that are over are removed with the next proof of any key", () => {
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
  // The clock was set back, so the earlier times count no more.
  put("e", 100);
  assert.deepEqual([cache.size, cache.get("e", 100)], [1, principal]);
});

test("a key of another workspace is not found", async () => {
  const key = await createKey(OPERATOR, t.app, workspaceId);
  await assert.rejects(revokeKey(OPERATOR, t.app, t.app.ids.next(), key.id), refused("NOT_FOUND"));
  await assert.rejects(revokeKey(OPERATOR, t.app, null, "x"), refused("NOT_FOUND"));
  for (const nobody of [t.app.ids.next(), "x"])
    await assert.rejects(createKey(OPERATOR, t.app, nobody), refused("NOT_FOUND"));
  const { id: other } = await createWorkspace(OPERATOR, t.app, { name: "B" });
  assert.deepEqual(await listKeys(t.app, other), []);
  await verifyKey(t.app, `Bearer ${key.bearer}`);
});

test("uses of keys are written later, all at once", async () => {
  await recordKeyUse(t.app);
  const made = await Promise.all([
    createKey(OPERATOR, t.app, workspaceId),
    createKey(OPERATOR, t.app, workspaceId),
  ]);
  for (const key of made) await verifyKey(t.app, `Bearer ${key.bearer}`);
  assert.equal((await listKeys(t.app, workspaceId))[0]?.lastUsedAt, null);
  assert.equal(await recordKeyUse(t.app), 2);
  assert.deepEqual((await listKeys(t.app, workspaceId))[0]?.lastUsedAt, t.clock.now());
  assert.equal(await recordKeyUse(t.app), 0);
});

test("20 wrong secrets a minute for one public half from one address are 401 and later ones 429; the right one passes", async () => {
  const key = await createKey(OPERATOR, t.app, workspaceId);
  const other = await createKey(OPERATOR, t.app, workspaceId);
  const wrong = (publicKey: string, from?: string) =>
    verifyKey(t.app, `Bearer ${publicKey}:sk_wrong`, from);
  // Unknown halves are counted like those that exist, or the count would tell them apart.
  for (const publicKey of [key.publicKey, "pk_nobody"]) {
    for (let n = 0; n < 20; n++) {
      await assert.rejects(wrong(publicKey), refused("INVALID_API_KEY"));
      t.clock.advance(100);
    }
    await assert.rejects(wrong(publicKey), (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.facts.retryAfterSeconds], ["RATE_LIMITED", 58]);
      return true;
    });
    t.clock.advance(-2_000);
  }
  t.clock.advance(2_000);
  // Who knows the public half cannot lock the owner out, from whatever address.
  await verifyKey(t.app, `Bearer ${key.bearer}`);
  await verifyKey(t.app, `Bearer ${other.bearer}`);
  await assert.rejects(wrong(key.publicKey), refused("RATE_LIMITED"), "still, after a right one");
  await assert.rejects(wrong(key.publicKey, "192.0.2.2"), refused("INVALID_API_KEY"));
  t.clock.advance(57_999);
  await assert.rejects(wrong(key.publicKey), refused("RATE_LIMITED"));
  t.clock.advance(1);
  await assert.rejects(wrong(key.publicKey), refused("INVALID_API_KEY"));
  await assert.rejects(wrong(key.publicKey), refused("RATE_LIMITED"), "19 of them still count");
});

test("a flood of wrong and unknown keys reads the database once for each public half, together", async () => {
  const key = await createKey(OPERATOR, t.app, workspaceId);
  let reads = 0;
  const { db } = t.app;
  const counting = {
    ...t.app,
    db: {
      ...db,
      read: (statement: Parameters<typeof db.read>[0]) => {
        reads++;
        return db.read(statement);
      },
    } as typeof db,
  };
  const flood = (publicKey: (n: number) => string) =>
    Promise.allSettled(
      Array.from({ length: 500 }, (_, n) =>
        verifyKey(counting, `Bearer ${publicKey(n)}:sk_wrong`, `198.51.100.${n % 250}`),
      ),
    );
  const answers = await flood((n) => `pk_flood_${n}`);
  assert.ok(
    answers.every((one) => one.status === "rejected" && refused("INVALID_API_KEY")(one.reason)),
  );
  assert.equal(reads, 1, "500 unknown halves that come together");
  await flood((n) => `pk_flood_${n}`);
  assert.equal(reads, 1, "the same again");
  await flood(() => key.publicKey);
  await flood(() => key.publicKey);
  assert.equal(reads, 2, "a key that exists");
  t.clock.advance(CACHE_MS);
  await flood((n) => `pk_flood_${n}`);
  assert.equal(reads, 3, "five seconds later");
});

test("a key works at once where it is made, and within five seconds where it was unknown", async () => {
  await using second = await buildApp(
    t.app.config,
    { masterKey: Buffer.alloc(32) },
    { clock: t.clock },
  );
  const { epoch } = keyCache(t.app.db);
  const key = await createKey(OPERATOR, t.app, workspaceId);
  assert.ok(keyCache(t.app.db).epoch > epoch, "what was read before is not kept");
  const bearer = `Bearer ${key.bearer}`;
  // As if both had been looked up before the key existed.
  const none = { secretHash: Buffer.alloc(32), principal: null, goodUntil: -Infinity };
  for (const app of [t.app, second]) {
    const cache = keyCache(app.db);
    cache.putHalf(key.publicKey, { ...none, since: t.clock.now().getTime() }, cache.epoch);
    await assert.rejects(verifyKey(app, bearer), refused("INVALID_API_KEY"));
  }
  // The last step of `createKey`.
  keyCache(t.app.db).forget(key.publicKey);
  await verifyKey(t.app, bearer);
  t.clock.advance(4_999);
  await assert.rejects(verifyKey(second, bearer), refused("INVALID_API_KEY"));
  t.clock.advance(1);
  await verifyKey(second, bearer);
});

test("an answer that was read before a key was created is not kept after that", () => {
  const cache = new KeyCache();
  const half = { secretHash: Buffer.alloc(32), principal: null, goodUntil: 0, since: 0 };
  const { epoch } = cache;
  cache.forget("pk");
  cache.putHalf("pk", half, epoch);
  assert.equal(cache.half("pk", 0), undefined);
  cache.putHalf("pk", half, cache.epoch);
  assert.equal(cache.half("pk", 0), half);
  assert.equal(cache.half("pk", -1), undefined, "the clock was set back");
});

test("the last 10,000 public halves, and the last 10,000 pairs with an address, are remembered", () => {
  const cache = new KeyCache();
  const half = { secretHash: Buffer.alloc(32), principal: null, goodUntil: 0, since: 0 };
  for (let n = 0; n <= 10_000; n++) {
    cache.putHalf(`pk_${n}`, half, cache.epoch);
    for (let time = 0; time < (n < 2 ? 20 : 1); time++) cache.wrongSecrets.note(`pk_${n} a`, 0);
  }
  assert.deepEqual([cache.half("pk_0", 0), cache.half("pk_1", 0)], [undefined, half]);
  assert.equal(cache.wrongSecrets.size, 10_000);
  assert.deepEqual(
    [cache.wrongSecrets.waitMs("pk_0 a", 0), cache.wrongSecrets.waitMs("pk_1 a", 0)],
    [0, 60_000],
  );
});

test("a credential that cannot be ours is refused without a look-up, however long it is", async () => {
  for (const bearer of [`pk_${"x".repeat(15_000)}:sk`, `pk_1:${"x".repeat(15_000)}`, "pk_é:sk"])
    await assert.rejects(verifyKey(t.app, `Bearer ${bearer}`), refused("INVALID_API_KEY"));
});
