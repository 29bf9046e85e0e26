import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import smpp, { type Pdu, type Session } from "smpp";
import { createAddressGuard } from "../address-guard.ts";
import { SmppLink, type SmppEvent, type SmppPeer } from "./link.ts";
import { createSmppSessions } from "./sessions.ts";

const WHOLE = { index: 0, total: 1 };
const TIMES = { bindMs: 60_000, enquireMs: 60_000, answerMs: 60_000, rebindMs: 1_000 };

test("when a peer answers no submit, the last thousand are remembered and no more", async () => {
  const submits: { session: Session; pdu: Pdu }[] = [];
  const all = Promise.withResolvers<null>();
  const answer = (index: number) => {
    const one = submits[index] ?? assert.fail("it came");
    one.session.send(one.pdu.response({ message_id: `theirs-${index}` }));
  };
  const server = smpp.createServer((session) => {
    session.on("error", () => session.destroy());
    for (const command of ["bind_transceiver", "unbind"])
      session.on(command, (pdu: Pdu) => void session.send(pdu.response()));
    session.on("submit_sm", (pdu: Pdu) => {
      submits.push({ session, pdu });
      if (submits.length === 1) answer(0);
      if (submits.length === 1_011) all.resolve(null);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  const told = Promise.withResolvers<SmppEvent>();
  const { port } = server.address() as AddressInfo;
  const peer = {
    host: "127.0.0.1",
    port,
    tls: false,
    systemId: "a",
    password: "b",
    systemType: "",
  };
  const take = (_owner: object, event: SmppEvent) => Promise.resolve(told.resolve(event));
  const link = new SmppLink({ key: "k", ...peer, owner: {} }, take, TIMES);
  const submit = (index: number, waitMs: number) =>
    link.submit(`ours-${index}`, { short_message: "x" }, WHOLE, performance.now() + waitMs);
  assert.equal((await submit(0, 180_000)).kind, "answered");
  for (let round = 0; round < 101; round++) {
    const ten = Array.from({ length: 10 }, (_, n) => submit(1 + round * 10 + n, 0));
    for (const handed of await Promise.all(ten)) assert.equal(handed.kind, "lost");
  }
  await all.promise;
  answer(5);
  answer(1_005);
  const { kind, id } = await told.promise.then((event) => ({ id: "", ...event }));
  assert.deepEqual([kind, id], ["late", "ours-1005"]);
  await link.close();
  server.close();
});

/** A peer on a plain socket, for what a library would not do. It answers as told, and keeps what it received. */
class BarePeer {
  readonly came: { readonly command: number; readonly status: number; readonly number: number }[] =
    [];
  readonly sockets: Socket[] = [];
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => {
    this.sockets.push(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
        const [command, status, number] = [4, 8, 12].map((place) => bytes.readUInt32BE(at + place));
        if (command === undefined || status === undefined || number === undefined) return;
        this.came.push({ command, status, number });
        if (command < 0x80000000)
          socket.write(pdu(command + 0x80000000, number, Buffer.of(0x37, 0)));
      }
      this.#moved.resolve(null);
      this.#moved = Promise.withResolvers<null>();
    });
  });
  #moved = Promise.withResolvers<null>();
  async listen(): Promise<SmppPeer> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    const bind = { systemId: "a", password: "b", systemType: "" };
    return { key: "k", host: "127.0.0.1", port, tls: false, ...bind, owner: {} };
  }
  /** Sends this on the latest link and gives the answer. */
  async say(command: number, body: Buffer): Promise<{ command: number; status: number }> {
    const number = 7_000 + this.came.length;
    this.sockets.at(-1)?.write(pdu(command, number, body));
    for (;;) {
      const answer = this.came.find((one) => one.number === number);
      if (answer) return { command: answer.command, status: answer.status };
      await this.#moved.promise;
    }
  }
  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
function pdu(command: number, number: number, body: Buffer): Buffer {
  const head = Buffer.alloc(16);
  for (const [index, value] of [16 + body.length, command, 0, number].entries())
    head.writeUInt32BE(value, index * 4);
  return Buffer.concat([head, body]);
}
const soon = () => performance.now() + 180_000;

/** A receipt's fields, with these octets as its TLVs. */
const receipt = (text: string, ...tlvs: number[]) =>
  Buffer.concat([
    Buffer.from("\0\u0001\u0001965\0\u0005\0SHOP\0\u0004\0\0\0\0\0\0\0\0", "latin1"),
    Buffer.of(text.length),
    Buffer.from(text, "latin1"),
    Buffer.from(tlvs),
  ]);

test("a faulty PDU is read as far as possible, an unknown command is refused, and the link stays", async () => {
  using peer = new BarePeer();
  const told: SmppEvent[] = [];
  const link = new SmppLink(
    await peer.listen(),
    (_owner, event) => Promise.resolve(void told.push(event)),
    TIMES,
  );
  await link.submit("ours", { short_message: "x" }, WHOLE, soon());
  const taken = { command: 0x80000005, status: 0 };
  // message_state without its octet, and user_message_reference with one octet instead of two.
  for (const tlv of [
    [4, 0x27, 0, 0],
    [2, 4, 0, 1, 9],
  ])
    assert.deepEqual(await peer.say(5, receipt("id:7 stat:DELIVRD", ...tlv)), taken);
  const texts = told.map((event) => event.kind === "deliver" && String(event.pdu["short_message"]));
  assert.deepEqual(texts, ["id:7 stat:DELIVRD", "id:7 stat:DELIVRD"]);
  // data_sm (another way to send a receipt), an unknown command, and a submit_sm, which only we may send.
  const data = Buffer.from(
    "\0\u0001\u0001965\0\u0005\0SHOP\0\u0004\0\0\0\u001e\0\u00027\0",
    "latin1",
  );
  assert.deepEqual(await peer.say(0x103, data), { command: 0x80000103, status: 0 });
  const named = told.at(-1);
  assert.equal(named?.kind === "deliver" && named.pdu["receipted_message_id"], "7");
  assert.deepEqual(await peer.say(0x999, Buffer.alloc(3)), { command: 0x80000000, status: 3 });
  assert.deepEqual(await peer.say(4, receipt("x")), { command: 0x80000004, status: 3 });
  assert.equal(peer.sockets.length, 1);
  await link.close();
});

test("a peer that unbinds without closing its side is dropped, and bound again for the next message", async () => {
  using peer = new BarePeer();
  const link = new SmppLink(await peer.listen(), () => Promise.resolve(), TIMES);
  assert.equal((await link.submit("1", { short_message: "x" }, WHOLE, soon())).kind, "answered");
  await peer.say(6, Buffer.alloc(0));
  const [socket] = peer.sockets;
  if (socket && !socket.readableEnded) await once(socket, "end");
  const submit = () => link.submit("2", { short_message: "x" }, WHOLE, soon());
  let handed = await submit();
  for (const until = soon(); handed.kind === "not_sent" && performance.now() < until;) {
    await setImmediate();
    handed = await submit();
  }
  assert.equal(handed.kind, "answered");
  assert.equal(peer.sockets.length, 2);
  await link.close();
});

test("a failed handshake is reported as such", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bind = { systemId: "a", password: "b", systemType: "" };
  const peer = { key: "k", host: "127.0.0.1", port, tls: true, ...bind, owner: {} };
  const link = new SmppLink(peer, () => Promise.resolve(), TIMES);
  const handed = await link.submit("1", { short_message: "x" }, WHOLE, soon());
  assert.ok(handed.kind === "not_sent" && handed.code === "TLS");
  assert.match(handed.fault ?? "", /^(EPROTO|ERR_SSL|ECONNRESET)/);
  await link.close();
  server.close();
});

test("a link that is no longer wanted is unbound at once, because the peer may accept only one", async () => {
  using bare = new BarePeer();
  const peer = await bare.listen();
  const sessions = createSmppSessions(() => Promise.resolve());
  sessions.keep([peer]);
  await sessions.submit(peer, "1", () => [{ short_message: "x" }]);
  sessions.keep([]);
  const [socket] = bare.sockets;
  if (socket && !socket.readableEnded) await once(socket, "end");
  assert.equal(bare.came.at(-1)?.command, 6);
  await sessions.close();
});

test("a long text on its way is sent whole before its link is unbound", async () => {
  const came: string[] = [];
  const unbound = Promise.withResolvers<null>();
  const server = smpp.createServer((session) => {
    session.on("error", () => session.destroy());
    session.on("bind_transceiver", (pdu: Pdu) => void session.send(pdu.response()));
    session.on("unbind", (pdu: Pdu) => {
      session.send(pdu.response());
      unbound.resolve(null);
    });
    session.on("submit_sm", (pdu: Pdu) => {
      came.push(String(pdu["source_addr"]));
      const busy = came.length === 2 ? { command_status: 0x58 } : { message_id: "7" };
      session.send(pdu.response(busy));
      // The link is no longer wanted while the second part waits to be tried again.
      if (came.length === 2) void setImmediate().then(() => sessions.keep([]));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const bind = { systemId: "a", password: "b", systemType: "", owner: {} };
  const peer = { key: "k", host: "127.0.0.1", port, tls: false, ...bind };
  const sessions = createSmppSessions(() => Promise.resolve(), { partAgainMs: 50 });
  sessions.keep([peer]);
  const handed = await sessions.submit(peer, "1", () => [
    { source_addr: "A" },
    { source_addr: "B" },
    { source_addr: "C" },
  ]);
  const taken = { kind: "answered", status: 0, messageId: "7" };
  assert.deepEqual([came.join(""), handed], ["ABBC", [taken, taken, taken]]);
  await unbound.promise;
  await sessions.close();
  server.close();
});

test("a guarded peer is bound only at addresses that the guard judged and admitted", async () => {
  let reached = 0;
  const server = createServer((socket) => {
    reached++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  const account = { systemId: "a", password: "b", systemType: "", owner: {}, tls: false };
  /** The name was public when the account was set, and now leads to this machine. */
  const resolve = () => Promise.resolve(["127.0.0.1"]);
  const bind = async (host: string, allow: readonly string[]) => {
    const peer: SmppPeer = { key: host, host, port, guarded: true, ...account };
    const link = new SmppLink(peer, async () => {}, TIMES, createAddressGuard({ allow, resolve }));
    const handed = await link.submit("1", {}, WHOLE, soon());
    await link.close();
    return "code" in handed ? handed.code : handed.kind;
  };
  assert.equal(await bind("smsc.example.com", []), "BLOCKED");
  assert.equal(await bind("127.0.0.1", []), "BLOCKED");
  assert.equal(await bind("::1", []), "BLOCKED");
  assert.equal(reached, 0);
  assert.equal(await bind("smsc.example.com", ["127.0.0.0/8"]), "RESET");
  assert.equal(await bind("127.0.0.1", ["127.0.0.0/8"]), "RESET");
  assert.equal(reached, 2);
  server.close();
});
