import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect as dial, type AddressInfo, type Socket } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyInstance } from "fastify";
import { connectChannel } from "../../channels/connect-channel.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { errorAnswer, toAppError } from "../edge/errors.ts";
import { networkOf } from "../edge/client-address.ts";
import { BodyRoom } from "./body-room.ts";
import { CALL_RULES } from "./call-rules.ts";
import { registerHooks } from "./platform-hooks.ts";

const MOST = CALL_RULES.WHATSAPP.mostBytes;
const FORGED = { "x-hub-signature-256": `sha256=${"a".repeat(64)}` };

let t: TestApp;
let server: FastifyInstance;
let room: BodyRoom;
let channels: string[];
const sockets = new Set<Socket>();

before(async () => {
  t = await startTestApp();
  room = new BodyRoom();
  server = Fastify({ forceCloseConnections: true, trustProxy: ["127.0.0.0/8"] });
  server.setErrorHandler((error, _request, reply) => {
    const { status, body } = errorAnswer(toAppError(error));
    return reply.code(status).send(body);
  });
  registerHooks(server, t.app, room);
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "W",
    plan: "business",
  });
  channels = [];
  for (let n = 1; n <= 6; n++) {
    const { id } = await connectChannel(OPERATOR, t.app, workspaceId, {
      type: "WHATSAPP",
      name: `N${n}`,
      phoneNumberId: String(7_000_000 + n),
      wabaId: "1",
      accessToken: "EAAB",
      appSecret: "app-1",
      verifyToken: "v",
    });
    channels.push(id);
  }
});
after(async () => {
  await server.close();
  await t[Symbol.asyncDispose]();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await holds(0);
});

/** Waits until this many bytes are reserved: the server has then seen what was sent. */
async function holds(bytes: number): Promise<void> {
  for (const end = performance.now() + 180_000; room.bytes !== bytes;) {
    assert.ok(performance.now() < end, `${room.bytes} bytes are set aside, not ${bytes}`);
    await sleep(5);
  }
}

interface Call {
  readonly channel?: number;
  readonly from?: string;
  /** The announced length; without one the body comes in chunks. */
  readonly length?: number;
  readonly headers?: Record<string, string>;
}

/** Sends the head of a call; the test sends its body. */
function begin({ channel = 0, from = "192.0.2.1", length, headers = FORGED }: Call): Socket {
  const { port } = server.server.address() as AddressInfo;
  const socket = dial({ host: "127.0.0.1", port });
  socket.on("error", () => {});
  sockets.add(socket);
  const all = {
    host: "x",
    "x-forwarded-for": from,
    "content-type": "application/json",
    ...headers,
    ...(length === undefined
      ? { "transfer-encoding": "chunked" }
      : { "content-length": String(length) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /hooks/whatsapp/${channels[channel]} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  const [data] = await once(socket, "data", { signal: AbortSignal.timeout(120_000) });
  return String(data);
}

const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;

test("two of the largest bodies find room for one address and channel; the third gets 503 before it is sent", async () => {
  begin({ length: MOST }).write("{");
  begin({ length: MOST }).write("{");
  await holds(2 * MOST);
  const refused = await answerOf(begin({ length: MOST }));
  assert.match(refused, /^HTTP\/1\.1 503 /);
  assert.match(refused, /^retry-after: 10\r$/im);
  // The address is full, not only the channel; the channel is full, not only the address.
  assert.match(await answerOf(begin({ length: MOST, channel: 1 })), /^HTTP\/1\.1 503 /);
  assert.match(await answerOf(begin({ length: MOST, from: "192.0.2.2" })), /^HTTP\/1\.1 503 /);
  begin({ length: MOST, channel: 1, from: "192.0.2.2" });
  await holds(3 * MOST);
});

test("beside large bodies that never end, a signed call of the same address and channel is accepted", async () => {
  begin({ length: MOST });
  begin({ length: MOST });
  await holds(2 * MOST);
  const body = '{"object":"whatsapp_business_account","entry":[]}';
  const signature = createHmac("sha256", "app-1").update(body).digest("hex");
  const genuine = begin({
    length: body.length,
    headers: { "x-hub-signature-256": `sha256=${signature}` },
  });
  genuine.write(body);
  assert.match(await answerOf(genuine), /^HTTP\/1\.1 200 /);
  await holds(2 * MOST);
});

test("a process holds three of the largest bodies, whatever their senders and channels", async () => {
  for (let n = 0; n < 3; n++) {
    begin({ length: MOST, channel: n, from: `198.51.100.${n}` });
    await holds((n + 1) * MOST);
  }
  const next = begin({ length: MOST, channel: 5, from: "198.51.100.9" });
  assert.match(await answerOf(next), /^HTTP\/1\.1 503 /);
});

test("room is given back when a call is answered, and when its connection is cut", async () => {
  const whole = begin({ length: MOST });
  await holds(MOST);
  whole.write("x".repeat(MOST));
  assert.match(await answerOf(whole), /^HTTP\/1\.1 401 /);
  await holds(0);
  const cut = begin({ length: MOST });
  cut.write("x".repeat(100_000));
  await holds(MOST);
  cut.destroy();
  await holds(0);
});

test("a body in chunks begins as a small one and counts as the largest beyond 64 KiB", async () => {
  const small = begin({});
  small.write(chunk(1_000));
  await holds(65_536);
  small.write(chunk(70_000));
  await holds(MOST);
  begin({ length: MOST });
  await holds(2 * MOST);
  const late = begin({});
  late.write(chunk(70_000));
  assert.match(await answerOf(late), /^HTTP\/1\.1 503 /);
  await holds(2 * MOST);
});

test("413: a length beyond the platform's calls is refused before its first byte", async () => {
  assert.match(await answerOf(begin({ length: MOST + 1 })), /^HTTP\/1\.1 413 /);
});

test("401 comes before the body for a call without any signature", async () => {
  assert.match(await answerOf(begin({ length: 200_000, headers: {} })), /^HTTP\/1\.1 401 /);
});

test("an IPv6 address counts with all that share its first 64 bits, an IPv4 address by itself", () => {
  assert.equal(networkOf("192.0.2.7"), "192.0.2.7");
  assert.equal(networkOf("::ffff:192.0.2.7"), "192.0.2.7");
  assert.equal(networkOf("2001:db8:0:1::5"), "2001:db8:0:1::/64");
  assert.equal(networkOf("2001:db8::1:0:0:0:9"), "2001:db8:0:1::/64");
  assert.equal(networkOf("2001:0DB8:0000:0001:a:b:c:d"), "2001:db8:0:1::/64");
  assert.equal(networkOf("::1"), "0:0:0:0::/64");
  assert.equal(networkOf("fe80::1%eth0"), "fe80:0:0:0::/64");
});
