import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after, before, test } from "node:test";
import { buffer } from "node:stream/consumers";
import { HttpFailure } from "./http.ts";
import { createGuardedHttp, createProviderHttp } from "./outbound-http.ts";

const MIB = 1024 * 1024;
let handler: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const server = createServer((request, response) => handler(request, response));
let base = "";
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});
const clients = [
  ["provider", createProviderHttp()],
  ["guarded", createGuardedHttp({ allow: ["127.0.0.0/8"] })],
] as const;

async function failure(call: Promise<unknown>): Promise<[kind: string, sent: boolean]> {
  const error = await call.then(
    () => assert.fail("expected a failure"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HttpFailure, String(error));
  return [error.kind, error.sent];
}

for (const [name, http] of clients) {
  test(`${name}: an answer larger than the limit for answers in memory is read to its end`, async () => {
    const bytes = Buffer.alloc(3 * MIB, "parley");
    handler = (_request, response) => response.writeHead(200, { "x-a": "b" }).end(bytes);
    const answer = await http.stream({ method: "GET", url: base });
    assert.deepEqual([answer.status, answer.headers["x-a"]], [200, "b"]);
    assert.ok((await buffer(answer.body)).equals(bytes));
  });

  test(`${name}: a redirect is an answer and is not followed`, async () => {
    const asked: unknown[] = [];
    handler = (request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: `${base}/inner` }).end("no");
    };
    const answer = await http.stream({ method: "GET", url: `${base}/outer` });
    assert.deepEqual([answer.status, String(await buffer(answer.body))], [302, "no"]);
    assert.deepEqual(asked, ["/outer"]);
  });

  test(`${name}: the time-out counts for the whole call, with a body that drips`, async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.writeHead(200).write("a");
      const drip = setInterval(() => response.write("a"), 20);
      response.on("close", () => {
        clearInterval(drip);
        resolve();
      });
    };
    const answer = await http.stream({ method: "GET", url: base, timeoutMs: 1_000 });
    assert.deepEqual(await failure(buffer(answer.body)), ["timeout", true]);
    await closed;
  });

  test(`${name}: a loop that ends early closes the connection`, async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    handler = (_request, response) => {
      response.on("close", resolve);
      response.writeHead(200).write("some");
    };
    const answer = await http.stream({ method: "GET", url: base });
    for await (const chunk of answer.body) {
      assert.equal(String(chunk), "some");
      break;
    }
    await closed;
  });

  test(`${name}: what is not read waits on the other side, not in memory`, async () => {
    const total = 64 * MIB;
    let given = 0;
    let full: Socket | undefined;
    handler = (_request, response) => {
      const chunk = Buffer.alloc(MIB);
      const more = () => {
        while (given < total) {
          given += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
        response.end();
      };
      full = response.socket ?? undefined;
      more();
    };
    const answer = await http.stream({ method: "GET", url: base });
    const reader = answer.body[Symbol.asyncIterator]();
    await reader.next();
    // The two sockets' own buffers fill up; then the peer can send no more.
    for (let before = -1; before !== given;) {
      before = given;
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    }
    assert.ok((full?.writableLength ?? 0) > 0 && given < total / 2, `${given} given`);
    let read = 0;
    for (;;) {
      const { done, value } = await reader.next();
      if (done === true) break;
      read += value.length;
    }
    assert.ok(read > total - 2 * MIB, "and the rest comes when it is asked for");
  });

  test(`${name}: a body that breaks off fails for its reader, and for nobody else`, async () => {
    handler = (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write("abc");
      setImmediate(() => response.destroy());
    };
    const answer = await http.stream({ method: "GET", url: base });
    assert.deepEqual(await failure(buffer(answer.body)), ["reset", true]);
    await http.stream({ method: "GET", url: base });
  });

  test(`${name}: a request's body is read once, as it goes`, async () => {
    handler = (request, response) => {
      const length = request.headers["content-length"];
      void buffer(request).then((got) => response.end(`${length} ${got.length}`));
    };
    async function* bytes() {
      for (let sent = 0; sent < 5; sent++) yield Buffer.alloc(MIB);
    }
    const answer = await http.request({
      method: "PUT",
      url: base,
      body: bytes(),
      headers: { "content-length": String(5 * MIB) },
    });
    assert.equal(String(answer.body), `${5 * MIB} ${5 * MIB}`);
  });

  test(`${name}: a body of another length than was declared fails the call, as our own fault`, async () => {
    handler = (request) => request.resume();
    async function* bytes() {
      yield Buffer.from("short");
    }
    const call = http.request({
      method: "PUT",
      url: base,
      body: bytes(),
      headers: { "content-length": "9" },
    });
    assert.deepEqual(await failure(call), ["client", true]);
  });
}

test("a guarded stream judges the address like any other call", async () => {
  const guarded = createGuardedHttp({ allow: [], resolve: () => Promise.resolve(["127.0.0.1"]) });
  for (const url of [
    base,
    "https://rebind.example.com/",
    "https://[::ffff:127.0.0.1]/",
    "file:///etc/passwd",
  ])
    assert.deepEqual(await failure(guarded.stream({ method: "GET", url })), ["blocked", false]);
});
