import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import Fastify from "fastify";
import { AppError } from "../../errors.ts";
import { passOn } from "./forward.ts";

/**
 * A process that runs the sandbox and was stopped (SIGSTOP): it accepts the connection, says `words` and nothing
 * more.
 */
async function silent(words: string) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.write(words));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const at = server.address();
  const port = at !== null && typeof at === "object" ? at.port : 0;
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function ask(address: string): Promise<{ code: string; status: number }> {
  const fastify = Fastify();
  let code = "";
  fastify.get("/x", (request, reply) => passOn(address, request, reply, 1_000));
  fastify.setErrorHandler((error, _request, reply) => {
    code = error instanceof AppError ? error.code : String(error);
    return reply.code(503).send();
  });
  const { statusCode: status } = await fastify.inject("/x");
  await fastify.close();
  return { code, status };
}

test("a process of ours that hangs is given up: the client is told to try again", async () => {
  const still = await silent("");
  assert.deepEqual(await ask(still.address), { code: "OVERLOADED", status: 503 });
  await still.close();
});

test("a stream whose other end hangs is cut, so that its reader comes back", async () => {
  const still = await silent(
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n: open\n\n",
  );
  assert.deepEqual(await ask(still.address), { code: "", status: 200 });
  await still.close();
});
