import assert from "node:assert/strict";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import Fastify from "fastify";
import { graceSilentConnections } from "./silent-connections.ts";

test("connections that were silent at the server's stop are served if they ask at once, and closed if they do not", async () => {
  const fastify = Fastify({ return503OnClosing: false });
  fastify.get("/", () => "here");
  // Long enough for a request that is asked at once, also on a busy machine.
  graceSilentConnections(fastify.server, 2_000);
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const open = async () => {
    const accepted = once(fastify.server, "connection");
    const socket = net.connect(port, "127.0.0.1");
    await Promise.all([once(socket, "connect"), accepted]);
    return socket;
  };
  const [fresh, used, silent] = [await open(), await open(), await open()];
  const request = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
  used.write(request);
  await once(used, "data");

  const closed = fastify.close();
  const answers = [fresh, used].map((socket) => {
    socket.write(request);
    return text(socket);
  });
  for (const answer of await Promise.all(answers)) {
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /connection: close/i);
  }
  assert.equal(await text(silent), "");
  await closed;
});
