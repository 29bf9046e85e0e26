import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as deadline } from "node:timers/promises";
import Fastify from "fastify";
import { closeSlowReaders } from "./slow-readers.ts";

// More than the buffers of a loopback connection hold.
const LARGE = Buffer.alloc(24 * 1024 * 1024, "x");

test("a client that does not take its answer is cut off, but not one that waits for it, reads slowly, or pauses a file", async () => {
  const fastify = Fastify();
  // On a busy machine a willing reader may wait some tenths of a second for its turn.
  closeSlowReaders(fastify, { answerMs: 2_000, fileMs: 300_000 });
  fastify.get("/large", async () => LARGE);
  fastify.get("/file", async () => Readable.from([LARGE], { objectMode: false }));
  const waited = Promise.withResolvers<Buffer>();
  fastify.get("/later", async () => waited.promise);
  const served: Promise<unknown>[] = [];
  fastify.server.on("connection", (socket: Socket) => served.push(once(socket, "close")));
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const asked: Socket[] = [];
  const ask = async (path: string): Promise<Socket> => {
    const socket = connect({ host: "127.0.0.1", port });
    asked.push(socket);
    await once(socket, "connect");
    // Without a listener for data nothing is read.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return socket;
  };
  const take = async (socket: Socket, pauseMs: number): Promise<number> => {
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), pauseMs);
    });
    await once(socket, "close");
    return bytes;
  };
  try {
    const file = await ask("/file");
    const later = await ask("/later");
    const slow = take(await ask("/large"), 1);
    await ask("/large");
    const end = await Promise.race([served[3], deadline(180_000, "never", { ref: false })]);
    assert.notEqual(end, "never", "who takes nothing is cut off");
    assert.ok((await slow) > LARGE.length, "it took part of the answer every few milliseconds");
    const answered = take(later, 0);
    waited.resolve(LARGE);
    assert.ok((await answered) > LARGE.length);
    assert.ok(
      (await take(file, 0)) > LARGE.length,
      "it was paused for longer than an answer may be",
    );
  } finally {
    for (const socket of asked) socket.destroy();
    await fastify.close();
  }
});
