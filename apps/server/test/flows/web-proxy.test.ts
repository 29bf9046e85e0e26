import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../harness.ts";
import { serve, WebShop } from "../web-shop.ts";

const LIMIT = 30;

/** New visitors in the name of so many addresses; how many were let in. */
async function visits(config: { trustedProxies?: readonly string[] }): Promise<number> {
  await using t = await startTestApp({ config });
  const { server, base } = await serve(t.app);
  try {
    const shop = await WebShop.open(t.app, base);
    const answers = [];
    for (let n = 0; n < LIMIT + 5; n++)
      answers.push(
        await shop.client().post("session", {}, { "x-forwarded-for": `198.51.100.${n}` }),
      );
    return answers.filter(({ status }) => status === 200).length;
  } finally {
    await server.close();
  }
}

test("a visitor's address is what a trusted proxy says; nobody else is believed", async () => {
  assert.equal(await visits({}), LIMIT);
  assert.equal(await visits({ trustedProxies: ["203.0.113.0/24"] }), LIMIT);
  assert.equal(await visits({ trustedProxies: ["127.0.0.0/8"] }), LIMIT + 5);
});
