import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppOptions } from "../src/index.ts";

const NUMBER = {
  phoneNumberId: "106540352242922",
  wabaId: "102290129340398",
  displayPhoneNumber: "15550783881",
  accessToken: "token-1",
  appSecret: "app-secret-1",
};
const USER = "96550001234";

const jsonOf = async (response: Response) => JSON.parse(await response.text());

/** A receiver of webhooks whose answer a test can set. */
async function startReceiver() {
  const received: { body: string; headers: Record<string, string | string[] | undefined> }[] = [];
  const state = { status: 200 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ body: Buffer.concat(chunks).toString("utf8"), headers: request.headers });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks/whatsapp/1`,
    received,
    state,
    changes: (): Record<string, unknown>[] =>
      received.flatMap(({ body }) =>
        JSON.parse(body).entry.flatMap((entry: { changes: object[] }) => entry.changes),
      ),
    statuses: (): { id: string; status: string; errors?: { code: number }[] }[] =>
      received.flatMap(({ body }) =>
        JSON.parse(body).entry.flatMap((entry: { changes: { value: { statuses?: object[] } }[] }) =>
          entry.changes.flatMap((change) => change.value.statuses ?? []),
        ),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function start(options: WhatsAppOptions = {}) {
  const receiver = await startReceiver();
  let at = 1_770_000_000_000;
  const emulator = await createWhatsAppEmulator({
    delivery: "manual",
    clock: { now: () => new Date(at) },
    numbers: [{ ...NUMBER, webhook: { url: receiver.url, verifyToken: "verify" } }],
    ...options,
  });
  const post = async (body: unknown, more: { token?: string; path?: string } = {}) => {
    const response = await fetch(
      `${emulator.apiUrl}/${more.path ?? `${NUMBER.phoneNumberId}/messages`}`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${more.token ?? NUMBER.accessToken}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
        redirect: "manual",
      },
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    };
  };
  const text = (body = "hello", to = USER, more: object = {}) =>
    post({ messaging_product: "whatsapp", to, type: "text", text: { body }, ...more });
  return {
    emulator,
    receiver,
    post,
    text,
    tick: (ms: number) => (at += ms),
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

test("a reply inside the window is accepted and becomes sent, delivered and read", async () => {
  await using t = await start();
  t.emulator.inbound({ phoneNumberId: NUMBER.phoneNumberId, from: USER, text: "hi" });
  const answer = await t.text("hello", "+965 5000-1234", { biz_opaque_callback_data: "m1" });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json().contacts[0].wa_id, USER);
  assert.match(answer.json().messages[0].id, /^wamid\.[A-Za-z0-9_-]+$/);
  await t.emulator.flush();
  assert.deepEqual(
    t.receiver.statuses().map((s) => s.status),
    ["sent", "delivered", "read"],
  );
  assert.deepEqual(
    new Set(t.receiver.statuses().map((s) => Object(s).biz_opaque_callback_data)),
    new Set(["m1"]),
  );
  assert.deepEqual(
    t.emulator.ledger.entries({ to: USER, correlation: "m1" }).map((e) => e.count),
    [1],
  );
});

test("free text outside 24 hours fails by webhook with 131047, or in the answer when asked", async () => {
  await using t = await start();
  t.emulator.inbound({ phoneNumberId: NUMBER.phoneNumberId, from: USER, text: "hi" });
  t.tick(86_400_000 - 1000);
  await t.text("in time");
  t.tick(2000);
  await t.text("late");
  await t.emulator.flush();
  const last = t.receiver.statuses().at(-1);
  assert.equal(last?.status, "failed");
  assert.equal(last.errors?.[0]?.code, 131047);
  assert.equal(t.receiver.statuses().filter((s) => s.status === "failed").length, 1);

  await using sync = await start({ window: "sync" });
  const refused = await sync.text("late");
  assert.equal(refused.status, 400);
  assert.equal(refused.json().error.code, 131047);
  assert.equal(sync.emulator.ledger.total, 0);
});

test("a reaction does not open the window", async () => {
  await using t = await start({ window: "sync" });
  t.emulator.inbound({
    phoneNumberId: NUMBER.phoneNumberId,
    from: USER,
    message: { type: "reaction", reaction: { message_id: "wamid.x", emoji: "👍" } },
  });
  assert.equal((await t.text()).json().error.code, 131047);
});

test("bodies that are not a send are refused with 100 and details", async () => {
  await using t = await start({ window: "off" });
  const send = { messaging_product: "whatsapp", to: USER, type: "text", text: { body: "x" } };
  const template = { name: "n", language: { code: "en" } };
  const bad: [unknown, RegExp][] = [
    [{ ...send, messaging_product: undefined }, /messaging_product/],
    [{ ...send, to: undefined }, /to is required/],
    [{ ...send, to: "12" }, /phone number/],
    [{ ...send, type: "fax" }, /Param type/],
    [{ ...send, text: undefined }, /text is required/],
    [{ ...send, text: { body: "" } }, /body/],
    [{ ...send, text: { body: "x".repeat(4097) } }, /4096/],
    [{ ...send, text: { body: "x", bold: true } }, /Unexpected key "bold"/],
    [{ ...send, surprise: 1 }, /Unexpected key "surprise"/],
    [{ ...send, recipient_type: "herd" }, /recipient_type/],
    [{ ...send, biz_opaque_callback_data: "x".repeat(513) }, /512/],
    [
      { ...send, type: "template", text: undefined, template: { ...template, language: "en" } },
      /language/,
    ],
    [
      { ...send, type: "template", text: undefined, template: { ...template, components: {} } },
      /array/,
    ],
    [[], /JSON object/],
  ];
  for (const [body, details] of bad) {
    const answer = await t.post(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.json().error.code, 100);
    assert.match(answer.json().error.error_data.details, details);
  }
  assert.equal((await t.text("x".repeat(4096))).status, 200);
  assert.equal(t.emulator.ledger.total, 1);
});

test("a wrong token is 401/190, none is 104, an unknown number 100/33, any version prefix is taken", async () => {
  await using t = await start({ window: "off" });
  const wrong = await t.post({}, { token: "nope" });
  assert.deepEqual([wrong.status, wrong.json().error.code], [401, 190]);
  const none = await fetch(`${t.emulator.apiUrl}/${NUMBER.phoneNumberId}/messages`, {
    method: "POST",
  });
  assert.deepEqual([none.status, (await jsonOf(none)).error.code], [401, 104]);
  const unknown = await t.post({}, { path: "999/messages" });
  assert.deepEqual(
    [unknown.status, unknown.json().error.code, unknown.json().error.error_subcode],
    [400, 100, 33],
  );
  const other = await fetch(`${t.emulator.url}/v31.7/${NUMBER.phoneNumberId}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${NUMBER.accessToken}` },
    body: JSON.stringify({
      messaging_product: "whatsapp",
      to: USER,
      type: "text",
      text: { body: "x" },
    }),
  });
  assert.equal(other.status, 200);
});

test("the 81st message of a second is 130429; a rested pair sends 45 at once and earns one every 6 seconds", async () => {
  await using t = await start({ window: "off" });
  for (let i = 0; i < 80; i++) assert.equal((await t.text("x", `9655100${1000 + i}`)).status, 200);
  const refused = await t.text("x", "96551009999");
  assert.deepEqual([refused.status, refused.json().error.code], [400, 130429]);
  t.tick(1001);
  for (let i = 0; i < 45; i++) assert.equal((await t.text()).status, 200);
  assert.equal((await t.text()).json().error.code, 131056);
  t.tick(6000);
  assert.equal((await t.text()).status, 200);
  assert.equal((await t.text()).json().error.code, 131056);
});

test("throttling can answer 429 with the usage headers and no Retry-After", async () => {
  await using t = await start({
    window: "off",
    throttleStatus: 429,
    regainMinutes: 3,
    limits: { pairBurst: 1 },
  });
  await t.text();
  const refused = await t.text();
  assert.deepEqual([refused.status, refused.json().error.code], [429, 131056]);
  assert.equal(refused.headers.get("retry-after"), null);
  const usage = JSON.parse(refused.headers.get("x-business-use-case-usage") ?? "");
  assert.equal(usage[NUMBER.wabaId][0].estimated_time_to_regain_access, 3);
});

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

test("one call can carry several numbers, and the handshake wants the challenge back", async () => {
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

test("templates check the number of parameters of each component", async () => {
  await using t = await start();
  t.emulator.addTemplate(NUMBER.wabaId, {
    name: "order",
    language: "ar",
    components: [
      { type: "HEADER", format: "IMAGE" },
      { type: "BODY", text: "{{1}} ships {{2}}, ref {{1}}" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "OK" },
          { type: "URL", text: "T", url: "https://x/{{1}}" },
        ],
      },
    ],
  });
  const texts = (...values: string[]) => values.map((text) => ({ type: "text", text }));
  const header = {
    type: "header",
    parameters: [{ type: "image", image: { link: "https://x/y.jpg" } }],
  };
  const button = { type: "button", sub_type: "url", index: "1", parameters: texts("1") };
  const body = (...values: string[]) => ({ type: "body", parameters: texts(...values) });
  const send = async (components: object[], name = "order", code = "ar") => {
    const answer = await t.post({
      messaging_product: "whatsapp",
      to: USER,
      type: "template",
      template: { name, language: { code }, components },
    });
    return answer.status === 200
      ? answer.json().messages[0].message_status
      : answer.json().error.code;
  };
  assert.equal(await send([header, body("Sara", "today"), button]), "accepted");
  assert.equal(await send([header, body("Sara"), button]), 132000);
  assert.equal(await send([body("Sara", "today"), button]), 132000);
  assert.equal(await send([header, body("Sara", "today")]), 131008);
  assert.equal(await send([header, body("Sara", "to\nday"), button]), 132018);
  assert.equal(await send([], "order", "en"), 132001);
  const [template] = t.emulator.templates.list(NUMBER.wabaId);
  t.emulator.setTemplateStatus(NUMBER.wabaId, template?.id ?? "", "PAUSED");
  assert.equal(await send([header, body("Sara", "today"), button]), 132015);
  await t.emulator.flush();
  const push = t.receiver.changes().find((c) => c["field"] === "message_template_status_update");
  assert.equal(Object(push).value.event, "PAUSED");
  assert.equal(typeof Object(push).value.message_template_id, "number");
});

test("the template list is paged until no next remains", async () => {
  await using t = await start();
  for (let i = 0; i < 7; i++)
    t.emulator.addTemplate(NUMBER.wabaId, {
      name: `t_${i}`,
      language: "en",
      status: i === 6 ? "REJECTED" : "APPROVED",
      components: [{ type: "BODY", text: "hi" }],
    });
  const names: string[] = [];
  let pages = 0;
  for (let after = ""; ; pages++) {
    const response = await fetch(
      `${t.emulator.apiUrl}/${NUMBER.wabaId}/message_templates?limit=3&fields=name${after && `&after=${after}`}`,
      { headers: { authorization: `Bearer ${NUMBER.accessToken}` } },
    );
    const page = await jsonOf(response);
    names.push(...page.data.map((item: { name: string }) => item.name));
    assert.deepEqual(Object.keys(page.data[0]).toSorted(), ["id", "name"]);
    if (!page.paging.next) break;
    assert.match(page.paging.next, /access_token=/);
    after = page.paging.cursors.after;
  }
  assert.equal(pages, 2);
  assert.equal(names.length, 7);
});

test("numbers with a meaning answer as the table says", async () => {
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
    const answer = await t.text("x", `9655100${ending}`);
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
    const id = (await t.text("x", `9655100${ending}`)).json().messages[0].id;
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
  const early = (await t.text("x", "96551000908")).json().messages[0].id;
  assert.equal(t.receiver.statuses().filter((s) => s.id === early).length, 3);
  await assert.rejects(t.text("x", "96551000912"));
  assert.equal(t.emulator.ledger.entries({ to: "96551000912" }).length, 0);
  await assert.rejects(t.text("x", "96551000911"));
  assert.equal(t.emulator.ledger.entries({ to: "96551000911" }).length, 1);
});

test("faults spoil the next calls and say whether the message was taken", async () => {
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

test("media is uploaded, looked up and downloaded with the token", async () => {
  await using t = await start();
  const headers = { authorization: `Bearer ${NUMBER.accessToken}` };
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("file", new Blob(["picture"], { type: "image/png" }), "a.png");
  const uploaded = await fetch(`${t.emulator.apiUrl}/${NUMBER.phoneNumberId}/media`, {
    method: "POST",
    headers,
    body: form,
  });
  const { id } = await jsonOf(uploaded);
  const facts = await jsonOf(await fetch(`${t.emulator.apiUrl}/${id}`, { headers }));
  assert.deepEqual([facts.mime_type, facts.file_size], ["image/png", 7]);
  assert.equal(await (await fetch(facts.url, { headers })).text(), "picture");
  assert.equal((await fetch(facts.url)).status, 401);
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
