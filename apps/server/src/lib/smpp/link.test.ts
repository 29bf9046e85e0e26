import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import smpp, { type Pdu, type Session } from "smpp";
import { SmppLink, type SmppEvent } from "./link.ts";

const WHOLE = { index: 0, total: 1 };
const TIMES = { bindMs: 5_000, enquireMs: 60_000, answerMs: 60_000, rebindMs: 1_000 };

test("of a peer that answers no submit the last thousand are remembered, and no more", async () => {
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
  assert.equal((await submit(0, 5_000)).kind, "answered");
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
