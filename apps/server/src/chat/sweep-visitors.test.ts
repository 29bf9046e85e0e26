import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { proven, serve, WebShop } from "../../test/web-shop.ts";
import { sql, type Sql } from "../db/sql.ts";
import { sweepVisitors } from "./sweep-visitors.ts";
import { TOKEN_LIFE_MS } from "./visitor-token.ts";

const DAY = 86_400_000;

test("a visitor that gave a name and never wrote is deleted after two days, a signed-out one when its token has ended, any other never", async () => {
  await using t = await startTestApp();
  const { server, base } = await serve(t.app);
  try {
    const shop = await WebShop.open(t.app, base);
    const open = async (body: Record<string, unknown>, words?: string) => {
      const client = shop.client();
      await client.session(body);
      if (words !== undefined) assert.equal((await client.say(words, "c1")).status, 201);
      return client;
    };
    const rows = async () =>
      (
        await t.app.db.query<{ said: string }>(
          sql`select coalesce(profile ->> 'name', user_id, 'signed out') as said from chat_visitor order by 1`,
        )
      ).map(({ said }) => said);
    await open({ user: { name: "silent" } });
    const wrote = await open({ user: { name: "wrote" } }, "hello");
    await open(proven("user-silent"));
    await open(proven("user-wrote"), "hello");
    assert.equal((await (await open({})).post("logout", {})).status, 204);
    const all = ["signed out", "silent", "user-silent", "user-wrote", "wrote"];
    assert.deepEqual(await rows(), all);

    t.clock.advance(2 * DAY - 1000);
    await t.app.drain();
    assert.deepEqual(await rows(), all);
    t.clock.advance(2000);
    await t.app.drain();
    assert.deepEqual(
      await rows(),
      all.filter((said) => said !== "silent"),
    );
    // Its token holds, and what it wrote is there.
    assert.equal((await wrote.session()).messages.length, 1);
    t.clock.advance(TOKEN_LIFE_MS);
    await t.app.drain();
    assert.deepEqual(await rows(), ["user-wrote", "wrote"]);
  } finally {
    await server.close();
  }
});

test("visitors that never wrote are found by the key of identities, before the first statistics too", async () => {
  await using t = await startTestApp();
  const { db, ids, clock } = t.app;
  const [w, channel] = [ids.next(), ids.next()];
  await db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)
    select ${w}::uuid, ${channel}::uuid, 'wrote.' || n, gen_random_uuid(), ${clock.now()} from generate_series(1, 3000) n`);
  await db.query(sql`
    insert into chat_visitor (workspace_id, channel_id, id, updated_at)
    select ${w}::uuid, ${channel}::uuid, 'silent.' || n, ${clock.now()} from generate_series(1, 200) n`);
  t.clock.advance(3 * DAY);
  let statement: Sql | undefined;
  const listening = { ...db, query: (one: Sql) => ((statement = one), Promise.resolve([])) };
  await sweepVisitors({ clock, db: listening });
  assert.ok(statement);
  const [plan] = await db.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
    sql`explain (analyze, buffers, format json) ${statement}`,
  );
  const pages = plan?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"] ?? Number.POSITIVE_INFINITY;
  assert.ok(pages <= 200 * 15, `${pages} pages`);
});
