import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { LONG } from "../group.ts";
import { RealServer } from "./real-server.ts";

const KILLS = LONG ? 50 : 1;
/** The short suite goes on to so many, until a server died between an effect and its answer. */
const MOST_KILLS = 4;
/** Calls that are under way at each kill. */
const AT_ONCE = 8;

interface Asked {
  readonly key: string;
  readonly email: string;
  /** The first answer; null when the server died before it. */
  heard: string | null;
}

test("kill -9 between the effect of a POST and its answer: repeated with its key, nothing is there twice", async (t) => {
  await using server = await RealServer.start();
  const app = await server.open();
  const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
    name: "Shop",
    plan: "business",
  });
  const bearers: string[] = [];
  for (let at = 0; at < Math.ceil(KILLS / 5); at++)
    bearers.push((await createKey(OPERATOR, app, workspaceId)).bearer);
  await app[Symbol.asyncDispose]();
  const post = async (bearer: string, { key, email }: Asked): Promise<[number, string]> => {
    const answer = await fetch(`${server.base}/api/v1/contacts`, {
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

  const [done, lost, replayed] = [[] as Asked[], [] as number[], [] as number[]];
  const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);
  const enough = (kill: number) => kill >= KILLS && (sum(lost) > 0 || kill >= MOST_KILLS);
  for (let kill = 0; !enough(kill); kill++) {
    const bearer = bearers[Math.floor(kill / 5)] ?? "";
    const asked = Array.from({ length: AT_ONCE }, (_, at): Asked => {
      const key = `kill ${kill} call ${at}`;
      return { key, email: `k${kill}c${at}@example.com`, heard: null };
    });
    const watcher = new pg.Client({ connectionString: server.databaseUrl });
    watcher.on("error", () => {});
    await watcher.connect();
    const stored = async () => {
      const { rows } = await watcher.query<{ n: number }>(
        "select count(*)::int as n from contact where email like $1",
        [`k${kill}c%`],
      );
      return rows[0]?.n ?? 0;
    };
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
    // The first effect is committed: the server dies before it can answer all.
    while ((await stored()) === 0);
    await server.kill("server");
    await Promise.all(calls);
    const effects = await stored().catch(() => null);
    await watcher.end().catch(() => {});
    server.launch();
    await server.ready();
    const heard = asked.filter((one) => one.heard !== null).length;
    if (effects !== null) lost.push(effects - heard);
    let again = 0;
    for (const one of asked) {
      const [status, body] = await post(bearer, one);
      assert.equal(status, 201, body);
      assert.equal(body, one.heard ?? body, one.key);
      if (one.heard === null) again++;
    }
    replayed.push(again);
    done.push(...asked);
  }
  const rows = await server.query<{ email: string; n: number }>(
    "select email, count(*)::int as n from contact where email like 'k%@example.com' group by email",
  );
  assert.deepEqual(
    rows.filter(({ n }) => n !== 1),
    [],
  );
  assert.equal(rows.length, done.length);
  t.diagnostic(
    `${done.length} calls, ${sum(replayed)} without an answer, ${sum(lost)} of them with their effect; 0 doubled`,
  );
  assert.ok(sum(replayed) > 0, "every call was answered before its server died");
});
