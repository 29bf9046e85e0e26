import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { sql } from "../../src/db/sql.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { Cable } from "../cable.ts";
import { freePort } from "../free-port.ts";
import { LONG } from "../group.ts";
import { createTestDatabase, startTestApp } from "../harness.ts";
import { launch, privateFolder } from "../process/launch.ts";

const KILLS = LONG ? 50 : 2;
/** Calls that are under way at each kill. */
const AT_ONCE = 8;

interface Asked {
  readonly key: string;
  readonly email: string;
  /** The first answer; null when the server died before it. */
  heard: string | null;
}

test("kill -9 between the effect of a POST and its answer: repeated with its key, nothing is there twice", async (t) => {
  const database = await createTestDatabase();
  const cable = await Cable.lay(database.url);
  using folder = privateFolder();
  const masterKey = randomBytes(32);
  const ours = await startTestApp({ config: { databaseUrl: database.url }, masterKey });
  const { app } = ours;
  const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
    name: "Shop",
    plan: "business",
  });
  const bearers: string[] = [];
  for (let at = 0; at < Math.ceil(KILLS / 5); at++)
    bearers.push((await createKey(OPERATOR, app, workspaceId)).bearer);
  const port = await freePort();
  const start = async () => {
    const server = launch("main.ts", [], {
      DATABASE_URL: cable.url,
      PARLEY_MASTER_KEY: masterKey.toString("base64"),
      PARLEY_DATA_DIR: folder.path,
      PORT: String(port),
    });
    await server.serves;
    return server;
  };
  const post = async (bearer: string, { key, email }: Asked): Promise<[number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/contacts`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify({ email }),
    });
    return [answer.status, await answer.text()];
  };

  const done: Asked[] = [];
  let lost = 0;
  let server = await start();
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const bearer = bearers[Math.floor(kill / 5)] ?? "";
      const asked = Array.from({ length: AT_ONCE }, (_, at): Asked => {
        const key = `kill ${kill} call ${at}`;
        return { key, email: `k${kill}c${at}@example.com`, heard: null };
      });
      const committed = cable.silentAfter(`k${kill}c`);
      const calls = asked.map((one) =>
        post(bearer, one).then(
          ([status, body]) => {
            assert.equal(status, 201, body);
            one.heard = body;
          },
          // The connection broke with the server.
          () => {},
        ),
      );
      // The first effect is committed, and the server dies before it hears of it.
      await committed;
      server.child.kill("SIGKILL");
      await server.ended;
      await Promise.all(calls);
      cable.vanish();
      cable.speak();
      const [stored] = await app.db.query<{ n: number }>(
        sql`select count(*)::int as n from contact where email like ${`k${kill}c%`}`,
      );
      assert.ok(stored && stored.n > 0);
      assert.deepEqual(
        asked.filter((one) => one.heard !== null),
        [],
      );
      lost += stored.n;
      server = await start();
      for (const one of asked) {
        const [status, body] = await post(bearer, one);
        assert.equal(status, 201, body);
        assert.deepEqual(await post(bearer, one), [status, body], one.key);
      }
      done.push(...asked);
    }
    const rows = await app.db.query<{ email: string; n: number }>(sql`
      select email, count(*)::int as n from contact where email like 'k%@example.com' group by email`);
    assert.deepEqual(
      rows.filter(({ n }) => n !== 1),
      [],
    );
    assert.equal(rows.length, done.length);
    t.diagnostic(`${done.length} calls without an answer, ${lost} with their effect; 0 doubled`);
  } finally {
    server.child.kill("SIGKILL");
    await server.ended;
    await ours[Symbol.asyncDispose]();
    await cable[Symbol.asyncDispose]();
    await database.drop();
  }
});
