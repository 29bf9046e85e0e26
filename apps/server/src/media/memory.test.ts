import assert from "node:assert/strict";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { buildHttp } from "../http/server.ts";
import { multipart } from "../lib/multipart.ts";
import { MediaGround } from "./media.fixture.ts";
import { outboundMedia } from "./outbound-media.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MIB = 1024 * 1024;
const SIZE = 50 * MIB;
/**
 * Buffers of sockets and streams on both sides, which both are in this process, and what was collected and is not given
 * back yet (the engine does that beside): 4 to 9 MiB were seen. A file that is held even once has 50.
 */
const MOST = 16 * MIB;

/** The most bytes that were alive at once while `work` ran, beyond those before it. */
async function peakOf(work: (look: () => void) => Promise<void>): Promise<number> {
  const alive = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = alive();
  let peak = 0;
  let calls = 0;
  await work(() => {
    if (++calls % 100 === 0) peak = Math.max(peak, alive() - before);
  });
  assert.ok(calls > 200, "looked often enough");
  return peak;
}

test("a file of 50 MB is never in memory: fetched, served and sent on as it comes", async () => {
  await using ground = await MediaGround.open();
  let look = () => {};
  const chunk = Buffer.alloc(64 * 1024, 7);
  ground.answer = (asked, response) => {
    if (asked.method === "POST") {
      let got = 0;
      asked.on("data", (data: Buffer) => {
        got += data.length;
        look();
      });
      asked.on("end", () => response.end(String(got)));
      return;
    }
    let given = 0;
    const more = () => {
      for (;;) {
        if (given >= SIZE) return void response.end();
        given += chunk.length;
        look();
        if (!response.write(chunk)) return void response.once("drain", more);
      }
    };
    more();
  };
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
    await new Promise<void>((resolve, reject) => {
      const call = request({ host: "127.0.0.1", port, path: pathname, agent: false }, (answer) => {
        answer.on("data", (data: Buffer) => {
          read += data.length;
          each();
        });
        answer.on("end", resolve);
      });
      call.on("error", reject);
      call.end();
    });
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
