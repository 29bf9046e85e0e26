import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatClient } from "../chat-client.ts";
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

test("files of one address are counted over all of its visitors, and the wait is told", async () => {
  await using t = await startTestApp({ config: { trustedProxies: ["127.0.0.0/8"] } });
  const { server, base } = await serve(t.app);
  try {
    const shop = await WebShop.open(t.app, base);
    // Of a type that web chat does not take: counted all the same, and nothing is written.
    const send = async (visitor: ChatClient, address: string) =>
      visitor.post("files?name=a.exe", Buffer.of(1), {
        "content-type": "application/x-msdownload",
        "x-forwarded-for": address,
      });
    const visitors: ChatClient[] = [];
    for (let n = 0; n < 7; n++) visitors.push(await shop.visitor());
    for (const visitor of visitors.slice(0, 6))
      for (let n = 0; n < 10; n++) assert.equal((await send(visitor, "198.51.100.7")).status, 415);
    const [first, last] = [visitors[0], visitors[6]];
    assert.ok(first && last);
    const refused = await send(last, "198.51.100.7");
    assert.deepEqual([refused.status, refused.body["message"]], [429, "RATE_LIMITED"]);
    assert.equal(refused.headers.get("retry-after"), "600");
    assert.equal((await send(last, "198.51.100.8")).status, 415, "another address goes on");
    assert.equal((await send(first, "198.51.100.9")).status, 429, "its own ten are spent");
    t.clock.advance(600_000);
    assert.equal((await send(last, "198.51.100.7")).status, 415);
  } finally {
    await server.close();
  }
});
