import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import net, { type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { HttpFailure } from "./http.ts";
import { failureOf } from "./outbound-call.ts";
import { createGuardedHttp, createProviderHttp } from "./outbound-http.ts";

const http = createProviderHttp();
/** Long enough for a connection to this machine, a request over it and the beginning of an answer, on a busy one too. */
const CONNECTED_MS = 2_000;
let handler: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`);
  request.resume();
  handler(request, response);
});
let base = "";
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** A TCP server that does `onConnection` with each connection. Gives its address. */
async function listen(onConnection: (socket: net.Socket) => void) {
  const tcp = net.createServer(onConnection);
  await new Promise<void>((resolve) => tcp.listen(0, "127.0.0.1", resolve));
  return { port: (tcp.address() as AddressInfo).port, close: () => tcp.close() };
}

async function failure(call: Promise<unknown>): Promise<[kind: string, sent: boolean]> {
  const error = await call.then(
    () => assert.fail("expected no answer"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HttpFailure, String(error));
  return [error.kind, error.sent];
}

test("an answer of any status resolves, a redirect too", async () => {
  handler = (_request, response) =>
    response.writeHead(302, { location: "http://169.254.169.254/" }).end("no");
  const answer = await http.request({ method: "POST", url: `${base}/a?b=1`, body: "x" });
  assert.deepEqual([answer.status, answer.body.toString()], [302, "no"]);
  assert.equal(seen.at(-1), "POST /a?b=1");
});

test("a call that our own client cannot make counts as the client's fault, not the network's", async () => {
  const bad = { authorization: "Bearer a\nb" };
  const told: [string, boolean] = ["client", false];
  for (const client of [http, createGuardedHttp({ allow: ["127.0.0.0/8"] })])
    assert.deepEqual(
      await failure(client.request({ method: "POST", url: `${base}/`, headers: bad })),
      told,
    );
  const headers = { "content-length": "9" };
  const [kind] = await failure(
    http.request({ method: "POST", url: `${base}/`, headers, body: "short" }),
  );
  assert.equal(kind, "client");
  // The error of another version of undici about a handler that it does not know.
  const other = Object.assign(new Error("invalid onRequestStart method"), {
    code: "UND_ERR_INVALID_ARG",
  });
  for (const error of [other, new TypeError("x is not a function"), new RangeError("x")])
    assert.equal(failureOf(error, false).kind, "client");
  for (const code of ["ECONNREFUSED", "UND_ERR_SOCKET", "HPE_INVALID_CONSTANT", "ERR_SSL_ALERT"])
    assert.equal(failureOf(Object.assign(new Error("x"), { code }), false).kind, "connect");
});

test("a refused connection and an unknown name count as not sent", async () => {
  const free = await listen(() => {});
  free.close();
  assert.deepEqual(
    await failure(
      http.request({ method: "POST", url: `http://127.0.0.1:${free.port}/`, body: "x" }),
    ),
    ["connect", false],
  );
  assert.deepEqual(await failure(http.request({ method: "GET", url: "http://nowhere.invalid/" })), [
    "dns",
    false,
  ]);
});

test("a TLS failure counts as not sent", async () => {
  const plain = await listen((socket) => socket.end("HTTP/1.1 400 plain\r\n\r\n"));
  const url = `https://127.0.0.1:${plain.port}/`;
  assert.deepEqual(await failure(http.request({ method: "POST", url, body: "x" })), ["tls", false]);
  plain.close();
});

test("a connection that breaks during the handshake is a failure of TLS", async () => {
  const rude = await listen((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const url = `https://127.0.0.1:${rude.port}/`;
  assert.deepEqual(await failure(http.request({ method: "POST", url, body: "x" })), ["tls", false]);
  rude.close();
});

test("a platform's name is resolved like a receiver's, and any of its addresses will do", async () => {
  handler = (_request, response) => response.end("ok");
  const asked: string[] = [];
  const named = createProviderHttp({
    resolve(name) {
      asked.push(name);
      return Promise.resolve(["127.0.0.9", "::1", "127.0.0.1"]);
    },
  });
  const url = `http://gateway.example.com:${new URL(base).port}/`;
  const answer = await named.request({ method: "GET", url });
  assert.deepEqual([answer.body.toString(), asked], ["ok", ["gateway.example.com"]]);
  const unknown = createProviderHttp({ resolve: () => Promise.resolve([]) });
  assert.deepEqual(await failure(unknown.request({ method: "GET", url })), ["dns", false]);
});

test("a time-out before the connection is made counts as not sent, and one while waiting for the answer as sent", async () => {
  const mute = await listen(() => {});
  const secure = `https://127.0.0.1:${mute.port}/`;
  assert.deepEqual(await failure(http.request({ method: "POST", url: secure, timeoutMs: 50 })), [
    "timeout",
    false,
  ]);
  const plain = `http://127.0.0.1:${mute.port}/`;
  assert.deepEqual(
    await failure(http.request({ method: "POST", url: plain, timeoutMs: CONNECTED_MS })),
    ["timeout", true],
  );
  mute.close();
});

test("a call that is given up while its connection is being made sends nothing over it afterwards", async () => {
  handler = (_request, response) => response.end("ok");
  const { promise: addresses, resolve: found } = Promise.withResolvers<string[]>();
  const slow = createProviderHttp({ resolve: () => addresses });
  const url = `http://gateway.example.com:${new URL(base).port}`;
  const already = seen.length;
  const late = slow.request({ method: "POST", url: `${url}/late`, body: "x", timeoutMs: 10 });
  assert.deepEqual(await failure(late), ["timeout", false]);
  found(["127.0.0.1"]);
  await slow.request({ method: "GET", url: `${url}/next` });
  await slow.request({ method: "GET", url: `${url}/last` });
  assert.deepEqual(seen.slice(already), ["GET /next", "GET /last"]);
});

test("without a port in the address, the scheme's own port is called", async (t) => {
  handler = (_request, response) => response.end("ok");
  const { connect } = net;
  const ports: unknown[] = [];
  t.mock.method(net, "connect", (options: net.TcpNetConnectOpts) => {
    ports.push(options.port);
    return connect({ ...options, port: Number(new URL(base).port) });
  });
  await http.request({ method: "GET", url: "http://127.0.0.1/" });
  const plain = http.request({ method: "GET", url: "https://127.0.0.1/" });
  assert.deepEqual(
    [await failure(plain), ports],
    [
      ["tls", false],
      [80, 443],
    ],
  );
});

test("a connection that breaks after the request left counts as sent", async () => {
  const rude = await listen((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const url = `http://127.0.0.1:${rude.port}/`;
  assert.deepEqual(await failure(http.request({ method: "POST", url, body: "x" })), [
    "reset",
    true,
  ]);
  rude.close();
});

test("when a kept connection dies during the second request, it counts as sent and nothing is repeated", async () => {
  let requests = 0;
  const fickle = await listen((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      if (++requests === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      else socket.destroy();
    });
  });
  const url = `http://127.0.0.1:${fickle.port}/`;
  await http.request({ method: "GET", url });
  assert.deepEqual(await failure(http.request({ method: "GET", url })), ["reset", true]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(requests, 2);
  fickle.close();
});

test("a body is read to the limit and no further", async () => {
  const left = Promise.withResolvers<void>();
  handler = (_request, response) => {
    response.on("close", left.resolve).write("x".repeat(1_000_000));
  };
  const [timeoutMs, maxResponseBytes] = [180_000, 4_096];
  const answer = await http.request({ method: "GET", url: base, timeoutMs, maxResponseBytes });
  assert.deepEqual([answer.status, answer.body.length, answer.partial], [200, 4_096, true]);
  const begun = performance.now();
  await left.promise;
  assert.ok(performance.now() - begun < 60_000, "not only when the call's time is over");
  const most = await http.request({ method: "GET", url: base });
  assert.deepEqual([most.body.length, most.partial], [256 * 1024, true]);
  handler = (_request, response) => response.end("x".repeat(4_096));
  const whole = await http.request({ method: "GET", url: base, maxResponseBytes: 4_096 });
  assert.deepEqual([whole.body.length, whole.partial], [4_096, undefined]);
});

test("a body that never ends fails the call, or counts as far as it came where that is accepted", async () => {
  handler = (_request, response) => {
    response.writeHead(200).write("abc");
  };
  const request = { method: "GET", url: base, timeoutMs: CONNECTED_MS } as const;
  const [refused, answer] = await Promise.all([
    failure(http.request(request)),
    http.request({ ...request, acceptPartial: true }),
  ]);
  assert.deepEqual(refused, ["timeout", true]);
  assert.deepEqual([answer.status, answer.body.toString(), answer.partial], [200, "abc", true]);
});

test("a server that only ever announces its answer is dropped before the time is over", async () => {
  const hints = await listen((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      // One at a time, so that the client's own timer gets its turn.
      const timer = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n"), 2);
      socket.once("close", () => clearInterval(timer));
    });
  });
  const url = `http://127.0.0.1:${hints.port}/`;
  assert.deepEqual(await failure(http.request({ method: "POST", url, timeoutMs: 180_000 })), [
    "reset",
    true,
  ]);
  hints.close();
  handler = (_request, response) => {
    response.writeEarlyHints({ link: "</a.css>; rel=preload" });
    response.end("fine");
  };
  const answer = await http.request({ method: "GET", url: `${base}/hints` });
  assert.equal(answer.body.toString(), "fine");
});

test("a server that goes on after a 100 Continue for which nobody asked is read to its final answer", async () => {
  const early = "HTTP/1.1 100 Continue\r\n\r\n";
  const body = "HTTP/1.1 100 is no head here";
  const answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const hint = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
  for (const parts of [
    [early, answer],
    [early + answer],
    [early + hint + early, hint, answer],
    [answer.slice(0, -body.length), body],
  ]) {
    const server = await listen((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => {
        void (async () => {
          // Each part arrives as one of its own: the next is written when the one before was taken.
          for (const part of parts) {
            await new Promise((written) => socket.write(part, written));
            await new Promise((turn) => setImmediate(turn));
          }
        })();
      });
    });
    const url = `http://127.0.0.1:${server.port}/`;
    try {
      // The second one goes over the same connection.
      for (const sent of ["{}", "x".repeat(1_000)]) {
        const got = await http.request({ method: "POST", url, body: sent });
        assert.deepEqual([got.status, got.body.toString()], [200, body], parts.join("|"));
      }
    } finally {
      server.close();
    }
  }
});

test("a failure's text carries no part of the address", async () => {
  const url = "http://nowhere.invalid/bot123:SECRET/send";
  const error = await http.request({ method: "GET", url }).catch((reason: unknown) => reason);
  assert.ok(error instanceof HttpFailure);
  assert.doesNotMatch(`${error.message} ${error.stack ?? ""}`, /SECRET/);
});

test("an abort before the call sends nothing", async () => {
  const before = seen.length;
  const call = http.request({ method: "GET", url: base, signal: AbortSignal.abort() });
  assert.deepEqual(await failure(call), ["aborted", false]);
  assert.equal(seen.length, before);
});

test("the guarded client reaches an admitted address over a name and by number", async () => {
  const port = new URL(base).port;
  handler = (_request, response) => response.end("ok");
  const guarded = createGuardedHttp({
    allow: ["127.0.0.0/8"],
    resolve: () => Promise.resolve(["127.0.0.1"]),
  });
  for (const host of ["127.0.0.1", "hooks.example.com"]) {
    const answer = await guarded.request({
      method: "POST",
      url: `http://${host}:${port}/g`,
      body: "{}",
    });
    assert.equal(answer.body.toString(), "ok");
  }
});

test("of several admitted addresses the one that answers is used; https is judged in the same way", async () => {
  const port = new URL(base).port;
  handler = (_request, response) => response.end("ok");
  const resolve = () => Promise.resolve(["127.0.0.2", "127.0.0.1"]);
  const guarded = createGuardedHttp({ allow: ["127.0.0.0/8"], resolve });
  const answer = await guarded.request({ method: "GET", url: `http://hooks.example.com:${port}/` });
  assert.equal(answer.body.toString(), "ok");
  const plain = await listen((socket) => socket.end("HTTP/1.1 400 plain\r\n\r\n"));
  const url = `https://hooks.example.com:${plain.port}/`;
  assert.deepEqual(await failure(guarded.request({ method: "GET", url })), ["tls", false]);
  plain.close();
});

test("a name that changes its answer to a private address is not connected to", async () => {
  let connections = 0;
  const target = await listen(() => connections++);
  const answers = [["93.184.215.14"], ["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["::1"]];
  const url = `https://rebind.example.com:${target.port}/`;
  for (const answer of answers.slice(1)) {
    const guarded = createGuardedHttp({ allow: [], resolve: () => Promise.resolve(answer) });
    assert.deepEqual(await failure(guarded.request({ method: "POST", url, body: "x" })), [
      "blocked",
      false,
    ]);
  }
  const literal = createGuardedHttp({ allow: [] });
  for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "0177.1", "①②⑦.0.0.1"]) {
    const call = literal.request({
      method: "POST",
      url: `https://${host}:${target.port}/`,
      body: "x",
    });
    assert.deepEqual(await failure(call), ["blocked", false]);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(connections, 0);
  target.close();
});

test("plain http is refused outside the allow list, whatever the name resolves to", async () => {
  const guarded = createGuardedHttp({
    allow: ["10.0.0.0/8"],
    resolve: () => Promise.resolve(["127.0.0.1"]),
  });
  const call = guarded.request({
    method: "POST",
    url: `${base.replace("127.0.0.1", "a.example.com")}/`,
  });
  assert.deepEqual(await failure(call), ["blocked", false]);
});

test("a redirect to a private address is an answer like any other, and is not followed", async () => {
  const before = seen.length;
  handler = (_request, response) => response.writeHead(302, { location: `${base}/inner` }).end();
  const guarded = createGuardedHttp({ allow: ["127.0.0.0/8"] });
  const answer = await guarded.request({ method: "POST", url: `${base}/outer`, body: "x" });
  assert.equal(answer.status, 302);
  assert.deepEqual(seen.slice(before), ["POST /outer"]);
});
