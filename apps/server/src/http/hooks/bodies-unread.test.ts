import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { WebShop } from "../../../test/web-shop.ts";
import { registerHooks } from "./platform-hooks.ts";
import { registerSmsHooks } from "./sms.ts";

let t: TestApp;
let server: FastifyInstance;

before(async () => {
  t = await startTestApp();
  server = Fastify({ forceCloseConnections: true });
  registerHooks(server, t.app);
  registerSmsHooks(server, t.app);
  await server.listen({ host: "127.0.0.1", port: 0 });
});
after(async () => {
  await server.close();
  await t[Symbol.asyncDispose]();
});

test("404 comes before the body: nothing is held for a caller that knows no hook's address", async () => {
  const { port } = server.server.address() as AddressInfo;
  const id = t.app.ids.next();
  // Every visitor of a site knows this id.
  const { channelId } = await WebShop.open(t.app, "");
  const paths = [`whatsapp/${id}`, `whatsapp/${channelId}`, `web/${channelId}`, "x/x", `sms/${id}`];
  for (const path of paths.map((one) => `/hooks/${one}`)) {
    const socket = connect({ host: "127.0.0.1", port });
    // The body that is announced never comes.
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n`);
    const late = AbortSignal.timeout(120_000);
    const [answer] = await once(socket, "data", { signal: late });
    assert.match(String(answer), /^HTTP\/1\.1 404 /, path);
    socket.destroy();
  }
});
