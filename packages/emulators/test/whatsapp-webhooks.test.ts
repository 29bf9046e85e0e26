import assert from "node:assert/strict";
import { test } from "node:test";
import { createWhatsAppEmulator } from "../src/index.ts";
import { NUMBER, USER, jsonOf, start, startReceiver } from "./start-whatsapp.ts";

test("webhooks are escaped to ASCII and signed over those bytes", async () => {
  await using t = await start();
  t.emulator.inbound({
    phoneNumberId: NUMBER.phoneNumberId,
    from: USER,
    text: "مرحبا / 😀",
    name: "سارة",
  });
  await t.emulator.flush();
  const [call] = t.receiver.received;
  assert.ok(call);
  assert.match(call.body, /^[\x20-\x7e]*$/);
  assert.ok(call.body.includes("\\u0645\\u0631\\u062d\\u0628\\u0627 \\/ \\ud83d\\ude00"));
  assert.match(String(call.headers["x-hub-signature"]), /^sha1=[0-9a-f]{40}$/);
});

test("a refused webhook is tried again with growing gaps and then abandoned", async () => {
  await using t = await start({ webhook: { retryDelaysMs: [1000, 5000] } });
  t.receiver.state.status = 500;
  t.emulator.inbound({ phoneNumberId: NUMBER.phoneNumberId, from: USER, text: "hi" });
  await t.emulator.flush();
  await t.emulator.advance(999);
  assert.equal(t.receiver.received.length, 1);
  await t.emulator.advance(1);
  assert.equal(t.receiver.received.length, 2);
  await t.emulator.advance(5000);
  assert.equal(t.receiver.received.length, 3);
  assert.deepEqual(t.emulator.stats, {
    queued: 0,
    delivered: 0,
    refused: 3,
    abandoned: 1,
    dropped: 0,
  });
  assert.equal(new Set(t.receiver.received.map((call) => call.body)).size, 1);
});

test("one call can carry several numbers, and the handshake needs the challenge back", async () => {
  await using t = await start({ webhook: { batchSize: 10 } });
  t.emulator.addNumber({
    ...NUMBER,
    phoneNumberId: "2",
    wabaId: "22",
    webhook: { url: t.receiver.url },
  });
  t.emulator.inbound({ phoneNumberId: NUMBER.phoneNumberId, from: USER, text: "one" });
  t.emulator.inbound({ phoneNumberId: "2", from: USER, text: "two" });
  await t.emulator.flush();
  assert.equal(t.receiver.received.length, 1);
  assert.deepEqual(
    JSON.parse(t.receiver.received[0]?.body ?? "").entry.map((entry: { id: string }) => entry.id),
    [NUMBER.wabaId, "22"],
  );
  assert.equal(await t.emulator.subscribe(NUMBER.phoneNumberId), false);
});

test("a customer without a phone number is reached by user id", async () => {
  await using t = await start();
  const userId = "KW.134912086553";
  t.emulator.inbound({ phoneNumberId: NUMBER.phoneNumberId, userId, name: "N", text: "hi" });
  const answer = await t.post({
    messaging_product: "whatsapp",
    recipient: userId,
    type: "text",
    text: { body: "hello" },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.json().contacts[0].wa_id, undefined);
  await t.emulator.flush();
  const [inbound] = t.receiver.changes();
  const { messages, contacts } = Object(inbound).value;
  assert.equal(messages[0].from, undefined);
  assert.equal(messages[0].from_user_id, userId);
  assert.equal(contacts[0].wa_id, undefined);
  assert.ok(t.receiver.statuses().every((s) => Object(s).recipient_user_id === userId));
});

test("magic numbers answer as the table says", async () => {
  await using t = await start({ window: "off", limits: { messagesPerSecond: null } });
  const refused: [string, number, number][] = [
    ["0130", 400, 130429],
    ["0429", 429, 130429],
    ["0056", 400, 131056],
    ["0190", 401, 190],
    ["0031", 403, 131031],
    ["0501", 500, 131000],
    ["0016", 503, 131016],
  ];
  for (const [ending, status, code] of refused) {
    const answer = await t.text("x", `9995100${ending}`);
    assert.deepEqual([answer.status, answer.json().error.code], [status, code], ending);
  }
  assert.equal(t.emulator.ledger.total, 0);
  const played: [string, string[]][] = [
    ["0026", ["failed"]],
    ["0050", ["failed"]],
    ["0901", ["sent"]],
    ["0903", ["sent", "read"]],
    ["0905", ["read", "delivered", "sent"]],
    ["0906", ["sent", "failed", "delivered"]],
    ["0907", []],
  ];
  for (const [ending, statuses] of played) {
    const id = (await t.text("x", `9995100${ending}`)).json().messages[0].id;
    await t.emulator.flush();
    assert.deepEqual(
      t.receiver
        .statuses()
        .filter((s) => s.id === id)
        .map((s) => s.status),
      statuses,
      ending,
    );
  }
  const early = (await t.text("x", "99951000908")).json().messages[0].id;
  assert.equal(t.receiver.statuses().filter((s) => s.id === early).length, 3);
  await assert.rejects(t.text("x", "99951000912"));
  assert.equal(t.emulator.ledger.entries({ to: "99951000912" }).length, 0);
  await assert.rejects(t.text("x", "99951000911"));
  assert.equal(t.emulator.ledger.entries({ to: "99951000911" }).length, 1);
});

test("faults hit the next calls and say whether the message was accepted", async () => {
  await using t = await start({ window: "off" });
  const { emulator } = t;
  emulator.fault({ kind: "code", code: 130429, status: 429, skip: 1 });
  assert.equal((await t.text("first")).status, 200);
  assert.equal((await t.text("second")).status, 429);
  emulator.fault({ kind: "status", status: 502, body: "bad gateway" });
  assert.equal((await t.text()).text, "bad gateway");
  emulator.fault({ kind: "redirect", location: "http://127.0.0.1:9/" });
  assert.equal((await t.text()).status, 302);
  assert.equal(emulator.ledger.total, 1);
  emulator.fault({ kind: "html" });
  assert.match((await t.text()).text, /^<!DOCTYPE html>/);
  emulator.fault({ kind: "empty" });
  assert.equal((await t.text()).text, "");
  emulator.fault({ kind: "truncated" });
  const cut = await t.text();
  assert.throws(() => cut.json());
  assert.equal(emulator.ledger.total, 4);
  emulator.fault({ kind: "drop" });
  await assert.rejects(t.text());
  assert.equal(emulator.ledger.total, 4);
  emulator.fault({ kind: "drop", accepted: true });
  await assert.rejects(t.text());
  assert.equal(emulator.ledger.total, 5);
  emulator.fault({ kind: "delay", delayMs: 60_000 });
  const slow = t.text();
  while (emulator.ledger.total < 6) await new Promise((resolve) => setImmediate(resolve));
  await emulator.flush();
  emulator.release();
  assert.equal((await slow).status, 200);
  emulator.fault({ kind: "hang" });
  const hung = t.text();
  while (emulator.ledger.total < 7) await new Promise((resolve) => setImmediate(resolve));
  emulator.release();
  await assert.rejects(hung);
});

test("a seeded run shuffles, repeats and loses statuses, the same way each time", async () => {
  const runs: string[] = [];
  for (let run = 0; run < 2; run++) {
    await using t = await start({
      window: "off",
      seed: 7,
      statuses: { shuffleChance: 0.5, duplicateChance: 0.3, lossChance: 0.2 },
    });
    for (let i = 0; i < 20; i++) await t.text("x", `9655100${2000 + i}`);
    await t.emulator.flush();
    runs.push(
      t.emulator
        .messages()
        .map((m) => m.statuses.join())
        .join(";"),
    );
  }
  assert.equal(runs[0], runs[1]);
  assert.match(runs[0] ?? "", /delivered,sent|read,sent|read,delivered/);
  assert.match(runs[0] ?? "", /(sent,sent|delivered,delivered|read,read)/);
});

test("the control surface does over HTTP what the methods do", async () => {
  await using t = await start();
  const act = async (name: string, body?: object) => {
    const url = `${t.emulator.url}/_sim/whatsapp/${name}`;
    const response = await fetch(url, body ? { method: "POST", body: JSON.stringify(body) } : {});
    return { status: response.status, value: await jsonOf(response) };
  };
  await act("inbound", { phoneNumberId: NUMBER.phoneNumberId, from: USER, text: "hi" });
  const id = (await t.text()).json().messages[0].id;
  await act("status", { id, status: "played" });
  await act("flush", {});
  assert.ok(t.receiver.statuses().some((s) => s.id === id && s.status === "played"));
  await act("fault", { kind: "status", status: 503 });
  assert.equal((await t.text()).status, 503);
  assert.equal((await act("fault", { kind: "nonsense" })).status, 400);
  assert.equal((await act("messages")).value[0].id, id);
  assert.equal((await act("requests")).value.at(-1).fault, "status");
  assert.deepEqual((await act("ledger")).value, { total: 1, complete: true, repeated: [] });
  const before = (await act("clock", {})).value.now;
  assert.equal((await act("clock", { advanceMs: 5000 })).value.now, before + 5000);
});

test("the timed mode delivers by itself and stops when closed", async () => {
  const receiver = await startReceiver();
  await using emulator = await createWhatsAppEmulator({
    window: "off",
    numbers: [{ ...NUMBER, webhook: { url: receiver.url } }],
    statuses: { sentMs: [0, 0], deliveredMs: [0, 1], readMs: [1, 2] },
  });
  await fetch(`${emulator.apiUrl}/${NUMBER.phoneNumberId}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${NUMBER.accessToken}` },
    body: JSON.stringify({
      messaging_product: "whatsapp",
      to: USER,
      type: "text",
      text: { body: "x" },
    }),
  });
  while (receiver.received.length < 3) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    receiver
      .statuses()
      .map((s) => s.status)
      .toSorted(),
    ["delivered", "read", "sent"],
  );
  await receiver[Symbol.asyncDispose]();
});
