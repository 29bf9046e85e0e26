import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import Fastify from "fastify";
import { closeSlowBodies } from "./slow-bodies.ts";

test("a body that still comes after its request was refused is closed, a file's too", async () => {
  const fastify = Fastify();
  // Long enough for the answer to be read: a cut connection loses what was not read.
  closeSlowBodies(fastify, { bodyMs: 1_000, lookMs: 50 });
  fastify.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  const refuse = { config: { slowBody: true } } as const;
  fastify.post(
    "/early",
    { ...refuse, onRequest: async (_a, to) => to.code(404).send() },
    async () => "",
  );
  fastify.post("/late", refuse, async (_asked, to) => to.code(401).send());
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  try {
    const refused = async (path: string) => {
      // It may end by a reset as well as by a close, and `once` would reject for a reset.
      const socket = connect(port, "127.0.0.1").on("error", () => {});
      const closed = new Promise((resolve) => socket.once("close", resolve));
      const head = "Host: x\r\nContent-Type: a/b\r\nContent-Length: 99999";
      socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\nx`);
      const drops = setInterval(() => void socket.write("x"), 10);
      let heard = "";
      socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
      await closed.finally(() => clearInterval(drops));
      return [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    };
    // One answer each, then the end.
    assert.deepEqual(await Promise.all([refused("/early"), refused("/late")]), [["404"], ["401"]]);
  } finally {
    await fastify.close();
  }
});

test("a body that trickles is closed, except on file routes, which wait for the rest", async () => {
  const fastify = Fastify();
  // Long enough for a body that is sent at once, also on a busy machine.
  closeSlowBodies(fastify, { bodyMs: 1_000, lookMs: 5 });
  fastify.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  fastify.post("/text", async (asked) => asked.body);
  fastify.post("/file", { config: { slowBody: true } }, async (asked) => asked.body);
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const begin = (path: string): ClientRequest => {
    const headers = { "content-type": "a/b", "content-length": "10" };
    const call = request({ host: "127.0.0.1", port, path, method: "POST", agent: false, headers });
    call.write("12345");
    return call;
  };
  const answerOf = async (call: ClientRequest) => {
    const [response] = (await once(call, "response")) as [IncomingMessage];
    return { status: response.statusCode, text: await text(response) };
  };
  try {
    const file = begin("/file");
    const other = begin("/text");
    other.on("error", () => {});
    const closed = await answerOf(other);
    assert.equal(closed.status, 408);
    assert.match(closed.text, /REQUEST_TIMEOUT/);
    // It was open before the one that is closed by now.
    file.end("67890");
    assert.deepEqual(await answerOf(file), { status: 200, text: "1234567890" });
    const quick = begin("/text");
    quick.end("67890");
    assert.deepEqual(await answerOf(quick), { status: 200, text: "1234567890" });
  } finally {
    await fastify.close();
  }
});
