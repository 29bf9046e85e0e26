import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { after, before, test } from "node:test";
import Fastify from "fastify";
import { boundPipelining } from "./pipelined.ts";
import { closeSlowReaders } from "./slow-readers.ts";

// More than the buffers of a loopback connection hold.
const LARGE = Buffer.alloc(24 * 1024 * 1024, "x");
const fastify = Fastify();
let worked = 0;
let port = 0;

before(async () => {
  boundPipelining(fastify, 4);
  closeSlowReaders(fastify, { answerMs: 200, fileMs: 60_000 });
  fastify.get("/small", async () => String(++worked));
  fastify.get("/large", async () => LARGE);
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = fastify.server.address() as AddressInfo);
});
after(() => fastify.close());

async function ask(paths: readonly string[]): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  return socket;
}

test(
  "pipelined requests are answered in order, again and again",
  { timeout: 300_000 },
  async () => {
    worked = 0;
    const socket = await ask([]);
    let text = "";
    for (let round = 1; round <= 5; round++) {
      socket.write("GET /small HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5));
      while ((text.match(/HTTP\/1\.1 200/g) ?? []).length < round * 5)
        text += String((await once(socket, "data"))[0]);
    }
    const bodies = [...text.matchAll(/\r\n\r\n(\d+)/g)].map(([, n]) => Number(n));
    assert.deepEqual(
      bodies,
      Array.from({ length: 25 }, (_, n) => n + 1),
    );
    socket.destroy();
  },
);

test(
  "a client that pipelines a thousand requests is cut off, and hardly any is worked on",
  { timeout: 300_000 },
  async () => {
    worked = 0;
    const socket = await ask(Array.from({ length: 1_000 }, () => "/small"));
    socket.resume();
    await once(socket, "close");
    assert.ok(worked <= 5, `${worked} were worked on`);
  },
);

test(
  "waiting answers are not kept for a client that takes none",
  { timeout: 300_000 },
  async () => {
    const closed = once(fastify.server, "connection").then(([socket]) => once(socket, "close"));
    const socket = await ask(["/small", "/large", "/large"]);
    await closed;
    socket.destroy();
  },
);
