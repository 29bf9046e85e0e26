import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { proven, serve, WebShop } from "../../test/web-shop.ts";
import { sql } from "../db/sql.ts";
import { TOKEN_LIFE_MS } from "./visitor-token.ts";

const DAY = 86_400_000;

test("who said a name and never wrote is forgotten after two days; signed out ones when their tokens have ended; others never", async () => {
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
