import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server } from "node:net";
import { after, before, test } from "node:test";
import { freePort } from "../../test/free-port.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { streaming } from "../../test/streaming.ts";
import {
  bareWorkspace,
  emitSome,
  startReceiver,
  type Receiver,
} from "../../test/webhook-receiver.ts";
import { sql } from "../db/sql.ts";
import { createAddressGuard } from "../lib/address-guard.ts";
import { HttpFailure } from "../lib/http.ts";
import { createGuardedHttp } from "../lib/outbound-http.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { createDeliveryLanes } from "./delivery-lanes.ts";
import { listDeliveries } from "./list-deliveries.ts";

let t: TestApp;
let receiver: Receiver;
let closed: number;
let rude: Server;
before(async () => {
  t = await startTestApp();
  receiver = await startReceiver();
  closed = await freePort();
  rude = createServer((socket) => socket.on("data", () => socket.destroy()));
  await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
});
after(async () => {
  receiver.close();
  rude.close();
  await t[Symbol.asyncDispose]();
});

/** Makes one delivery to an address that was fine when it was entered, and gives what the log says about it. */
async function deliverTo(url: string, guardedHttp = t.app.guardedHttp) {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/fine` });
  await t.app.db.query(
    sql`update endpoint set url = ${url}, url_sealed = null where workspace_id = ${id}`,
  );
  await emitSome(t, id);
  const lanes = createDeliveryLanes({ ...t.app, guardedHttp });
  await lanes.turn();
  await lanes.news();
  await lanes.stop();
  const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
  const [entry] = delivery?.log ?? [];
  assert.equal(delivery?.state, "pending", "it will be tried again");
  return { statusCode: entry?.statusCode ?? null, failure: entry?.failure, answer: entry?.answer };
}

test("dns, connect, tls, reset, status and blocked are told apart in the log", async () => {
  receiver.answers.set("/410", (response) => response.writeHead(410).end("gone"));
  const cases: [url: string, failure: string, statusCode: number | null][] = [
    [`http://127.0.0.1:${closed}/`, "connect", null],
    [`${receiver.base.replace("http", "https")}/`, "tls", null],
    [`http://127.0.0.1:${(rude.address() as AddressInfo).port}/`, "reset", null],
    [`${receiver.base}/410`, "status", 410],
    ["https://192.168.1.1/", "blocked", null],
    ["https://[::1]/", "blocked", null],
  ];
  for (const [url, failure, statusCode] of cases) {
    const told = await deliverTo(url);
    assert.deepEqual([told.failure, told.statusCode], [failure, statusCode], url);
  }
  const unknown = createGuardedHttp({
    allow: [],
    resolve: () => Promise.reject(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" })),
  });
  const told = await deliverTo("https://gone.example.com/", unknown);
  assert.deepEqual([told.failure, told.statusCode], ["dns", null]);
});

test("answers that are none count against the receiver, not as a fault of ours", async () => {
  const heads = ["099 X", "1000 X", "abc", "200 OK\r\nContent-Length: 1\r\nContent-Length: 2"];
  for (const head of heads) {
    const odd = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`));
    });
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const told = await deliverTo(`http://127.0.0.1:${(odd.address() as AddressInfo).port}/`);
    odd.close();
    assert.equal(told.failure, "reset", head);
  }
});

test("a receiver that does not answer in ten seconds is a time-out, and the log's words hold no address", async () => {
  const asked: (number | undefined)[] = [];
  const slow = streaming({
    request({ timeoutMs }) {
      asked.push(timeoutMs);
      return Promise.reject(new HttpFailure("timeout", true, "no answer in time"));
    },
  });
  const told = await deliverTo("https://example.com/", slow);
  assert.deepEqual(told, { statusCode: null, failure: "timeout", answer: "no answer in time" });
  assert.deepEqual(asked, [10_000]);
});

test("a name that turns private between the check and the connection reaches nobody", async () => {
  // It counts connections, not requests, because not one packet may reach it.
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const answers = [["93.184.216.34"], ["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::1"]];
  let asked = 0;
  const resolve = () => Promise.resolve(answers[Math.min(asked++, 3)] ?? []);
  const url = `https://turns.example.com:${port}/`;
  await createAddressGuard({ allow: [], resolve }).check(url);
  for (let turn = 1; turn < answers.length; turn++) {
    const guarded = createGuardedHttp({ allow: [], resolve });
    const told = await deliverTo(url, guarded);
    assert.deepEqual([told.failure, told.statusCode], ["blocked", null]);
    assert.equal(asked, turn + 1, "the name was asked for again, by the connection");
  }
  listener.close();
  assert.equal(connections, 0);
});
