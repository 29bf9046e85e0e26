import assert from "node:assert/strict";
import { STATUS_CODES } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { openWorld, type World } from "./world.ts";

/** What comes over the wire and is no tidy HTTP: bytes through a socket, answers read as bytes. */
let world: World;
before(async () => (world = await openWorld()));
after(() => world[Symbol.asyncDispose]());

interface Reply {
  readonly status: number;
  readonly body: string;
}

interface Ended {
  readonly replies: readonly Reply[];
  /** Until the server closed, in milliseconds; -1 when it did not. */
  readonly closedAfter: number;
}

/**
 * Sends bytes as they are and reads until the server closes, is silent after so many answers as are `wanted`, or
 * `patience` ends.
 */
function speak(
  bytes: string | Buffer,
  options: { patience?: number; wanted?: number; end?: boolean } = {},
): Promise<Ended> {
  const { patience = 120_000, wanted = 1, end = false } = options;
  return new Promise((resolve) => {
    const begun = performance.now();
    const socket = connect(world.port, "127.0.0.1");
    let read = "";
    const finish = (closedAfter: number) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ replies: split(read), closedAfter });
    };
    let timer = setTimeout(() => finish(-1), patience);
    socket.setEncoding("latin1").on("data", (data: string) => {
      read += data;
      if (read.split("\r\n\r\n").length <= wanted) return;
      clearTimeout(timer);
      timer = setTimeout(() => finish(-1), 500);
    });
    socket.on("error", () => {});
    socket.on("close", () => finish(performance.now() - begun));
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

function split(read: string): Reply[] {
  const replies: Reply[] = [];
  for (let rest = read; rest !== "";) {
    const from = rest.indexOf("\r\n\r\n") + 4;
    const head = rest.slice(0, from);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1];
    assert.ok(status, `no HTTP: ${rest.slice(0, 200)}`);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    replies.push({ status: Number(status), body: rest.slice(from, from + length) });
    rest = rest.slice(from + length);
  }
  return replies;
}

function judge({ status, body }: Reply): void {
  assert.ok(status < 500, `${status} ${body}`);
  if (status < 400 || body === "") return;
  const error = JSON.parse(body) as Record<string, unknown>;
  assert.deepEqual([error["statusCode"], error["error"]], [status, STATUS_CODES[status]], body);
  assert.match(String(error["message"]), /^[A-Z][A-Z0-9_]*$/);
}

const bearer = () => `Authorization: Bearer ${world.a.bearer}\r\n`;
const post = (headers: string, body: string) =>
  `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\n${bearer()}Content-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const CONTACT = '{"email":"raw@example.com"}';

test("a request that is none is refused in the form of every error, and changes nothing", async () => {
  const before = await world.hash();
  const cases: [string, string | Buffer, number[]][] = [
    ["noise", "\x16\x03\x01\x02\0\x01\0", [400]],
    ["words", "hello there\r\n\r\n", [400]],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]],
    ["another version", "GET /api/v1/usage HTTP/9.9\r\nHost: x\r\n\r\n", [400]],
    ["without Host", `GET /api/v1/usage HTTP/1.1\r\n${bearer()}\r\n`, [400]],
    [
      "another host in the first line",
      `GET http://y/api/v1/usage HTTP/1.1\r\nHost: x\r\n${bearer()}\r\n`,
      [400],
    ],
    ["two hosts", `GET /api/v1/usage HTTP/1.1\r\nHost: x\r\nhost: x\r\n${bearer()}\r\n`, [400]],
    [
      "two credentials",
      `GET /api/v1/usage HTTP/1.1\r\nHost: x\r\n${bearer()}${bearer().toUpperCase()}\r\n`,
      [400],
    ],
    ["headers of 40 kB", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(40_000)}\r\n\r\n`, [431]],
    ["a NUL in a header", `GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n`, [400]],
    ["two lengths", post("Content-Length: 27\r\nContent-Length: 5", CONTACT), [400]],
    [
      "a length and chunks",
      post("Content-Length: 27\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
      [400],
    ],
    ["a length below zero", post("Content-Length: -1", CONTACT), [400]],
    ["a length that is a word", post("Content-Length: many", CONTACT), [400]],
    ["chunks of no size", post("Transfer-Encoding: chunked", "zz\r\n{}\r\n0\r\n\r\n"), [400]],
    ["an encoding nobody knows", post("Transfer-Encoding: brotli", CONTACT), [400]],
    ["a method nobody knows", "BREW /api/v1/usage HTTP/1.1\r\nHost: x\r\n\r\n", [400, 405]],
    ["a space in the path", `GET /api/v1/us age HTTP/1.1\r\nHost: x\r\n\r\n`, [400]],
    [
      "bytes in the path",
      Buffer.from(`GET /api/v1/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n`, "latin1"),
      [400, 404],
    ],
    ["a path that does not decode", "GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", [404]],
    [
      "no credential, a body of 1 GB to come",
      post("Content-Length: 1073741824", "{").replace(bearer(), ""),
      [401, 413],
    ],
    ["a body of 1 GB to come", post("Content-Length: 1073741824", "{"), [413]],
  ];
  const all = await Promise.all(cases.map(([, bytes]) => speak(bytes)));
  for (const [n, [name, , statuses]] of cases.entries()) {
    const replies = all[n]?.replies ?? [];
    const [first] = replies;
    assert.ok(first, `${name}: no answer`);
    assert.ok(statuses.includes(first.status), `${name}: ${first.status} ${first.body}`);
    for (const reply of replies) judge(reply);
  }
  assert.equal(await world.hash(), before);
});

test("a body that ends too soon is no request: nothing is stored", async () => {
  const before = await world.hash();
  for (const bytes of [
    post("Content-Length: 500", CONTACT),
    post("Transfer-Encoding: chunked", `1b\r\n${CONTACT}\r\n`),
    post("Transfer-Encoding: chunked", `ff\r\n${CONTACT}`),
  ])
    for (const reply of (await speak(bytes, { end: true })).replies) judge(reply);
  assert.equal(await world.hash(), before);
});

test("what is unusual and right is served", async () => {
  const length = `Content-Length: ${CONTACT.length}`;
  const chunks = Array.from(CONTACT, (letter) => `1;x=y\r\n${letter}\r\n`).join("");
  const cases: [string, string, number[]][] = [
    [
      "the server in the first line",
      `GET http://X/api/v1/usage HTTP/1.1\r\nHost: x\r\n${bearer()}\r\n`,
      [200],
    ],
    ["nothing behind it", "OPTIONS http://x HTTP/1.1\r\nHost: x\r\n\r\n", [421]],
    [
      "one chunk a letter, with extensions and a trailer",
      post("Transfer-Encoding: chunked", `${chunks}0\r\nX: y\r\n\r\n`),
      [201],
    ],
    ["Expect: 100-continue", post(`${length}\r\nExpect: 100-continue`, CONTACT), [100, 201]],
    ["three at once on one connection", post(length, CONTACT).repeat(3), [201, 201, 201]],
    [
      "an upgrade nobody offers",
      post(`${length}\r\nConnection: Upgrade\r\nUpgrade: h2c`, CONTACT),
      [201],
    ],
    ["an expectation nobody knows", post(`${length}\r\nExpect: cake`, CONTACT), [201]],
    ["the scheme in lower case", post(length, CONTACT).replace("Bearer", "bearer"), [201]],
  ];
  const all = await Promise.all(
    cases.map(([, bytes, { length: wanted }]) => speak(bytes, { wanted })),
  );
  for (const [n, [name, , statuses]] of cases.entries()) {
    const replies = all[n]?.replies ?? [];
    assert.deepEqual(
      replies.map((reply) => reply.status),
      statuses,
      `${name}: ${JSON.stringify(replies)}`,
    );
  }
});

test("random bytes after a fine beginning never make a 5xx", async () => {
  const start = fc.constantFrom(
    "GET ",
    "POST /api/v1/contacts HTTP/1.1\r\n",
    "POST /api/v1/otp/send HTTP/1.1\r\nHost: x\r\n",
    "",
  );
  const rest = fc.uint8Array({ maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(start, rest, async (text, bytes) => {
      const { replies } = await speak(
        Buffer.concat([Buffer.from(text), bytes, Buffer.from("\r\n\r\n")]),
        { end: true },
      );
      for (const reply of replies) judge(reply);
    }),
    { numRuns: 60 },
  );
  assert.equal((await world.call({ method: "GET", path: "/v1/usage" })).status, 200);
});

test("a client that sends a header or a body by drops is closed after ten seconds", async () => {
  const slow = [
    "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nX-Slow:",
    post("Content-Length: 100", "{"),
    post("Transfer-Encoding: chunked", "5\r\n{"),
  ];
  const ended = await Promise.all(slow.map((bytes) => speak(bytes, {})));
  for (const { closedAfter, replies } of ended) {
    assert.ok(closedAfter > 0, "was held for two minutes");
    for (const reply of replies) {
      judge(reply);
      assert.equal(reply.status, 408);
    }
  }
});
