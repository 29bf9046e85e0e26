// alone: it measures the memory of its process.
import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LONG } from "../../test/group.ts";
import { buildHttp } from "../http/server.ts";
import { multipart } from "../lib/multipart.ts";
import { MediaGround } from "./media.fixture.ts";
import { outboundMedia } from "./outbound-media.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MIB = 1024 * 1024;
const SIZE = (LONG ? 50 : 24) * MIB;
/** For the buffers of sockets and streams of both sides, which are both in this process. 380 KiB were seen. */
const MOST = 4 * MIB;

/**
 * Bytes that are still in use. Collects garbage first, and waits for the turns of the loop in which buffers are given
 * back.
 */
async function alive(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().arrayBuffers;
}

/**
 * The most bytes that were in use at once while `work` ran, beyond those before it. The side that reads or gives a
 * chunk waits for `look`, so that the other side runs as far ahead as it may.
 */
async function peakOf(work: (look: () => Promise<void>) => Promise<void>): Promise<number> {
  const before = await alive();
  let peak = 0;
  let calls = 0;
  await work(async () => {
    if (++calls % 200 === 0) peak = Math.max(peak, (await alive()) - before);
  });
  assert.ok(calls > 300, "looked often enough");
  return peak;
}

let look = () => Promise.resolve();

/** The platform: takes whatever is posted, and gives a large file. */
async function platform(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  if (asked.method === "POST") {
    for await (const data of asked) {
      bytes += (data as Buffer).length;
      await look();
    }
    response.end(String(bytes));
    return;
  }
  const chunk = Buffer.alloc(64 * 1024, 7);
  for (; bytes < SIZE; bytes += chunk.length) {
    await look();
    if (!response.write(chunk)) await once(response, "drain");
  }
  response.end();
}

test("a large file is never in memory: fetched, served and sent on as it comes", async () => {
  await using ground = await MediaGround.open();
  ground.answer = (asked, response) => void platform(asked, response);
  const message = await ground.receives(`${ground.base}/film`);
  const fetched = await peakOf(async (each) => {
    look = each;
    await ground.fetch();
  });
  const attachment = await ground.attachment(message);
  assert.deepEqual([attachment["status"], attachment["size"]], ["stored", SIZE]);

  const http = await buildHttp(ground.t.app);
  await http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const { pathname } = new URL(String(attachment["url"]));
  let read = 0;
  const served = await peakOf(async (each) => {
    const call = request({ host: "127.0.0.1", port, path: pathname, agent: false }).end();
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    for await (const data of answer) {
      read += (data as Buffer).length;
      await each();
    }
  });
  await http.close();
  assert.equal(read, SIZE);

  const key = { workspaceId: ground.account.workspaceId, id: String(attachment["mediaId"]) };
  const media = (await outboundMedia(ground.t.app, key)) ?? assert.fail();
  const form = multipart([], { name: "file", ...media });
  let answered = "";
  const sent = await peakOf(async (each) => {
    look = each;
    const { headers, body } = form;
    const url = `${ground.base}/upload`;
    const answer = await ground.t.app.providerHttp.request({ method: "POST", url, headers, body });
    answered = String(answer.body);
  });
  assert.equal(answered, form.headers["content-length"]);
  for (const [what, peak] of Object.entries({ fetched, served, sent }))
    assert.ok(peak < MOST, `${what}: ${Math.round(peak / 1024)} KiB alive at once`);
});
