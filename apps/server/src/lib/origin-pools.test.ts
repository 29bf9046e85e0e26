import assert from "node:assert/strict";
import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { OriginPools } from "./origin-pools.ts";
import { call } from "./outbound-call.ts";

/** Makes one call and gives its outcome. */
function ask(pools: OriginPools, port: number, signal?: AbortSignal): Promise<string> {
  const url = `http://127.0.0.1:${port}/`;
  const request = { method: "POST", url, body: "x", ...(signal && { signal }) } as const;
  return new Promise((resolve) => {
    call(pools, new URL(url), request, {
      started: () => {},
      data: () => {},
      ended: () => resolve("answered"),
      failed: ({ kind }) => resolve(kind),
    });
  });
}

async function forgotten(pools: OriginPools): Promise<number> {
  for (const end = performance.now() + 60_000; pools.size > 0 && performance.now() < end;)
    await turn();
  return pools.size;
}

async function portOf(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

test("an origin is forgotten with its last connection: after an answer, after a call given up, after a refusal", async () => {
  const pools = new OriginPools({});
  const givenUp = new AbortController();
  const answers = createServer((_request, response) =>
    response.setHeader("connection", "close").end(),
  );
  const hangs = net.createServer((socket) => socket.once("data", () => givenUp.abort()));
  const [good, silent] = [await portOf(answers), await portOf(hangs)];
  const calls = [ask(pools, good), ask(pools, silent, givenUp.signal)];
  assert.equal(pools.size, 2);
  assert.deepEqual(await Promise.all(calls), ["answered", "aborted"]);
  assert.equal(await forgotten(pools), 0);

  await new Promise((resolve) => answers.close(resolve));
  assert.equal(await ask(pools, good), "connect");
  assert.equal(await forgotten(pools), 0);
  hangs.close();
});
