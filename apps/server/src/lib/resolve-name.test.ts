import assert from "node:assert/strict";
import dgram from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import {
  addressesOfName,
  createResolve,
  lookupName,
  NameUnresolved,
  parseHosts,
} from "./resolve-name.ts";
import { SmppLink } from "./smpp/link.ts";

/** DNS types of a question for IPv4 and for IPv6. */
const [FOUR, SIX] = [1, 28];
const server = dgram.createSocket("udp4");
let servers: string[] = [];
before(async () => {
  server.on("message", (question, { port, address }) => {
    const label = question.subarray(13, 13 + (question[12] ?? 0)).toString();
    const type = question.readUInt16BE(question.indexOf(0, 12) + 1);
    const answer = answerOf(label, type);
    if (answer === null) return;
    const end = question.indexOf(0, 12) + 5;
    const head = Buffer.alloc(12);
    question.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x81_80 | answer.code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answer.records.length, 6);
    const records = answer.records.map((data) =>
      Buffer.concat([
        Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]),
        Buffer.from(data),
      ]),
    );
    server.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  servers = [`127.0.0.1:${server.address().port}`];
});
after(() => server.close());

/** What the name server answers: the first label of the name decides. Null: it stays silent. */
function answerOf(label: string, type: number): { code: number; records: number[][] } | null {
  if (label === "unknown") return { code: 3, records: [] };
  if (label === "broken") return { code: 2, records: [] };
  if (label === "swallows" && type === SIX) return null;
  if (label === "empty" || type !== FOUR) return { code: 0, records: [] };
  return { code: 0, records: [[93, 184, 215, 14]] };
}

const never = () => new Promise<never>(() => {});
/** The addresses of a name, or why it has none. */
async function ask(hostname: string, askSystem: (name: string) => Promise<string[]> = never) {
  const resolve = createResolve({ servers, askSystem });
  return addressesOfName(hostname, resolve).catch((error: unknown) => {
    assert.ok(error instanceof NameUnresolved, String(error));
    return error.message;
  });
}

test("the name servers are asked, not the system, and nobody waits for an IPv6 answer that does not come", async () => {
  assert.deepEqual(await ask("hooks.shop.com"), ["93.184.215.14"]);
  assert.deepEqual(await ask("swallows.shop.com"), ["93.184.215.14"]);
});

test("the errors tell apart: no such name, no address, a name server in trouble", async () => {
  assert.equal(await ask("broken.shop.com"), "the name server could not tell the host's address");
  const nothing = () => Promise.reject(new Error("nothing"));
  assert.equal(await ask("unknown.shop.com", nothing), "there is no such host");
  assert.equal(await ask("empty.shop.com", nothing), "the host has no address");
});

test("the system may know a name that the servers do not, and is asked for one name at a time", async () => {
  const asked: string[] = [];
  const resolve = createResolve({
    servers,
    askSystem(name) {
      asked.push(name);
      return name === "unknown.a.com" ? never() : Promise.resolve(["10.0.0.7"]);
    },
  });
  // The first name has its call for as long as it takes, and the others do not wait behind it.
  const names = ["unknown.a.com", "unknown.b.com", "unknown.c.com"];
  const all = await Promise.allSettled(names.map((name) => resolve(name)));
  assert.ok(all.every((one) => one.status === "rejected"));
  assert.equal(asked.length, 1);
  assert.deepEqual(await resolve("gateway.internal"), ["10.0.0.7"], "a private name does not wait");
  assert.deepEqual(await ask("unknown.b.com", () => Promise.resolve(["10.0.0.8"])), ["10.0.0.8"]);
});

test("a socket that resolves its name itself gets all addresses, or the first", async () => {
  const told = (all: boolean) =>
    new Promise((resolve, reject) => {
      lookupName("localhost", { all }, (error, ...found) =>
        error ? reject(error) : resolve(found),
      );
    });
  const [list] = (await told(true)) as [{ address: string; family: number }[]];
  assert.ok(list.some(({ address, family }) => address === "127.0.0.1" && family === 4));
  assert.deepEqual(await told(false), [list[0]?.address, list[0]?.family]);
});

test("the system is not asked for an SMPP gateway's name", async (t) => {
  const asked = t.mock.method(dns, "lookup");
  const gateway = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => gateway.listen(0, resolve));
  const { port } = gateway.address() as AddressInfo;
  const peer = { key: "a", host: "localhost", port, tls: false, owner: {} };
  const link = new SmppLink(
    { ...peer, systemId: "s", password: "p", systemType: "" },
    async () => {},
    { bindMs: 1_000, enquireMs: 1_000, answerMs: 1_000, rebindMs: 1_000 },
  );
  const reached = once(gateway, "connection");
  const handed = link.submit("1", {}, { index: 0, total: 1 }, performance.now() + 180_000);
  await reached;
  assert.equal((await handed).kind, "not_sent");
  assert.equal(asked.mock.callCount(), 0);
  await link.close();
  gateway.close();
});

test("the hosts file is read as the system reads it", () => {
  const names = parseHosts(
    "127.0.0.1\tlocalhost  # us\n::1 localhost ip6-localhost\n# 10.0.0.1 not\n\n10.0.0.2 Gw.Example.COM gw\r\nnonsense x\n" +
      // In any spelling: the address of a connection is compared with it.
      "FD00:0:0::07 six\nfe80::1%lo0 link\n",
  );
  assert.deepEqual(names.get("localhost"), ["127.0.0.1", "::1"]);
  assert.deepEqual(names.get("gw.example.com"), ["10.0.0.2"]);
  assert.deepEqual(names.get("gw"), ["10.0.0.2"]);
  assert.deepEqual(names.get("six"), ["fd00::7"]);
  assert.deepEqual(names.get("link"), ["fe80::1%lo0"]);
  assert.equal(names.size, 6);
});
