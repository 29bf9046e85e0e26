import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sandboxToken } from "../../src/sandbox/sandbox-token.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

test("a channel's token opens that channel's customers and nothing else", async () => {
  const shop = await stand.open("WHATSAPP");
  const other = await stand.open("MESSENGER");
  const messageOf = async (token: string, id = shop.added.id) => {
    const response = await fetch(`${stand.base}/sandbox/v1/${id}/thread`, {
      headers: token === "" ? {} : { authorization: token },
    });
    return [response.status, ((await response.json()) as { message?: string }).message];
  };
  const token = sandboxToken(stand.t.app, shop.added.id);
  assert.deepEqual(await messageOf(""), [401, "MISSING_API_KEY"]);
  for (const wrong of [
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${shop.bearer}`,
    `Bearer ${sandboxToken(stand.t.app, other.added.id)}`,
    token,
  ])
    assert.deepEqual(await messageOf(wrong), [401, "INVALID_API_KEY"], wrong);
  assert.equal((await messageOf(`Bearer ${token}`))[0], 200);
  assert.deepEqual(await messageOf(`Bearer ${sandboxToken(stand.t.app, "nothing")}`, "nothing"), [
    404,
    "NOT_FOUND",
  ]);
  const api = await fetch(`${stand.base}/api/v1/usage`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(api.status, 401);
});

test("a POST of a phone runs once under its key, and another body under it is refused", async () => {
  const shop = await stand.open("WHATSAPP");
  const call = async (path: string, body: object, key: string) => {
    const answer = await fetch(`${stand.base}/sandbox/v1/${shop.added.id}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${sandboxToken(stand.t.app, shop.added.id)}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    });
    const replayed = answer.headers.has("idempotency-replayed");
    return { status: answer.status, replayed, body: (await answer.json()) as { message?: string } };
  };
  const customer = "96550001234";
  const posts = {
    "/say": { from: customer, text: "once" },
    "/act": { customer, action: "block" },
    "/faults": { kind: "token" },
    "/magic": { on: true },
  };
  for (const [path, body] of Object.entries(posts)) {
    const first = await call(path, body, path);
    assert.equal(first.status, path === "/say" ? 201 : 200);
    assert.deepEqual(await call(path, body, path), { ...first, replayed: true }, path);
    const other = await call(path, { ...body, more: 1 }, path);
    assert.deepEqual([other.status, other.body.message], [422, "IDEMPOTENCY_KEY_REUSED"], path);
  }
  const { body } = await shop.phone("GET", "/thread");
  const said = (body["messages"] ?? []) as { kind: string; text?: string }[];
  const texts = said.flatMap(({ kind, text }) => (kind === "message" ? [text] : []));
  assert.deepEqual(texts, ["once"]);
});

test("what does not fit is refused by name, and the platform gets nothing", async () => {
  const shop = await stand.open("TELEGRAM");
  const refused = async (path: string, body: object) => {
    const { status, body: answer } = await shop.phone("POST", path, body);
    const [first] = (answer["details"] ?? []) as { path: string }[];
    return [status, first?.path];
  };
  assert.deepEqual(await refused("/say", {}), [400, "text"]);
  assert.deepEqual(await refused("/say", { text: "x", from: "Sara" }), [400, "from"]);
  assert.deepEqual(await refused("/say", { text: 7 }), [400, "text"]);
  assert.deepEqual(await refused("/faults", { kind: "template" }), [400, "kind"]);
  assert.deepEqual(await refused("/faults", { kind: "code" }), [400, "code"]);
  assert.deepEqual(await refused("/faults", { kind: "token", next: 0 }), [400, "next"]);
  const react = { customer: "700001234", action: "react", messageId: "1", emoji: "👍" };
  assert.deepEqual(await refused("/act", react), [400, "action"]);
  assert.deepEqual(await refused("/act", { customer: "700001234", action: "press" }), [
    400,
    "data",
  ]);
  assert.deepEqual(shop.line.thread({ limit: 10 }), []);
});

test("the phone shows the customer's words, their tick and the answer; the stream goes on from a cursor", async () => {
  const shop = await stand.open("WHATSAPP");
  const from = "96550007301";
  const said = await shop.say({ from, name: "سارة", text: "مرحبا" });
  await shop.api("POST", "/messages", { conversationId: said.conversationId, text: "أهلاً" });
  await stand.settle();
  const { body } = await shop.phone("GET", `/thread?customer=${from}`);
  const shown = body["messages"] as { cursor: number; kind: string; text?: string; by?: string }[];
  assert.deepEqual(
    shown.map((one) => [one.kind, one.by, one.text]),
    [
      ["message", "customer", "مرحبا"],
      ["tick", undefined, undefined],
      ["message", "business", "أهلاً"],
    ],
  );
  const halt = new AbortController();
  const stream = await fetch(
    `${stand.base}/sandbox/v1/${shop.added.id}/stream?after=${shown[1]?.cursor}`,
    {
      headers: { authorization: `Bearer ${sandboxToken(stand.t.app, shop.added.id)}` },
      signal: halt.signal,
    },
  );
  assert.equal(stream.headers.get("content-type"), "text/event-stream; charset=utf-8");
  const frames: string[] = [];
  const decoder = new TextDecoder();
  const more = shop.say({ from, text: "more" });
  for await (const chunk of stream.body ?? []) {
    frames.push(decoder.decode(chunk, { stream: true }));
    if (frames.join("").includes('"more"')) break;
  }
  await more;
  halt.abort();
  const texts = [...frames.join("").matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text);
  assert.deepEqual(texts, ["أهلاً", "more"]);
});

test("customers react, press, block and send files, each as its platform tells it", async () => {
  const whatsapp = await stand.open("WHATSAPP");
  const from = "96550007302";
  const { conversationId } = await whatsapp.say({ from, text: "hi" });
  const bytes = Buffer.from("%PDF-1.4 sandbox");
  const file = { fileName: "a.pdf", mimeType: "application/pdf", base64: bytes.toString("base64") };
  const sent = await whatsapp.phone("POST", "/say", { from, text: "the receipt", file });
  assert.equal(sent.status, 201);
  await whatsapp.phone("POST", "/act", { customer: from, action: "block" });
  await stand.settle();
  const received = await whatsapp.events("message.received");
  assert.deepEqual(
    received.map((one) => (one["message"] as { type: string; text: string }).type),
    ["text", "document"],
  );
  assert.equal(received[1]?.["conversationId"], conversationId);
  assert.equal((await whatsapp.events("contact.opted_out")).length, 1);

  const telegram = await stand.open("TELEGRAM");
  const asked = await telegram.say({ from: "700007302", text: "menu" });
  const press = { messageId: asked.platformMessageId, data: "yes" };
  await telegram.phone("POST", "/act", { customer: "700007302", action: "press", ...press });
  await stand.settle();
  assert.equal((await telegram.events("message.received")).length, 2);
  await telegram.phone("POST", "/act", { customer: "700007302", action: "block" });
  await stand.settle();
  assert.equal((await telegram.events("contact.opted_out")).length, 1);
});

test("a customer edits and takes back what they wrote, where the platform tells of it", async () => {
  for (const [type, from] of [
    ["WHATSAPP", "96550007303"],
    ["INSTAGRAM", "17840000007303"],
  ] as const) {
    const shop = await stand.open(type);
    const first = await shop.say({ from, text: "two please" });
    const second = await shop.say({ from, text: "my card is 4111" });
    const act = (action: string, messageId: string, more = {}) =>
      shop.phone("POST", "/act", { customer: from, action, messageId, ...more });
    const edit = await act("edit", first.platformMessageId, { text: "three please" });
    const unsend = await act("unsend", second.platformMessageId);
    assert.deepEqual([edit.status, unsend.status], [200, 200], type);
    await stand.settle();
    const { body } = await shop.api("GET", `/conversations/${first.conversationId}/messages`);
    const texts = (body["items"] as { text: string | null }[]).map(({ text }) => text);
    assert.deepEqual(texts, [null, "three please"], type);
  }
  const whatsapp = await stand.open("WHATSAPP");
  const messenger = await stand.open("MESSENGER");
  const said = await messenger.say({ from: "24000000007303", text: "hi" });
  const unknown = { customer: "96550007303", action: "unsend", messageId: "wamid.none" };
  assert.equal((await whatsapp.phone("POST", "/act", unknown)).status, 400);
  const unsend = {
    customer: "24000000007303",
    action: "unsend",
    messageId: said.platformMessageId,
  };
  assert.equal((await messenger.phone("POST", "/act", unsend)).status, 400, "nobody is told there");
});

test("a press on Messenger and Instagram is a message of its own; places and cards come where there are some", async () => {
  for (const [type, customer] of [
    ["MESSENGER", "24000000007304"],
    ["INSTAGRAM", "17840000007304"],
  ] as const) {
    const shop = await stand.open(type);
    const { conversationId } = await shop.say({ from: customer, text: "menu" });
    await shop.api("POST", "/messages", { conversationId, text: "Yes or no?" });
    await stand.settle();
    const shown = shop.line
      .thread({ limit: 10 })
      .find((one) => "by" in one && one.by === "business");
    assert.ok(shown?.kind === "message");
    const press = {
      customer,
      action: "press",
      messageId: shown.messageId,
      data: "YES",
      title: "Yes",
    };
    assert.equal((await shop.phone("POST", "/act", press)).status, 200);
    await stand.settle();
    const pressed = (await shop.events("message.received")).at(-1)?.["message"];
    const { type: kind, text } = pressed as { type: string; text: string };
    assert.deepEqual([kind, text], ["button", "Yes"], type);
  }
  for (const [type, customer] of [
    ["WHATSAPP", "96550007305"],
    ["TELEGRAM", "700007305"],
  ] as const) {
    const shop = await stand.open(type);
    await shop.say({ from: customer, text: "hi" });
    const act = (action: object) => shop.phone("POST", "/act", { customer, ...action });
    const place = await act({ action: "locate", latitude: 29.37, longitude: 47.97 });
    const card = await act({ action: "share", name: "Ali Hasan", phone: "+96550009999" });
    assert.deepEqual([place.status, card.status], [200, 200], type);
    assert.equal((await act({ action: "locate", latitude: 91, longitude: 0 })).status, 400);
    await stand.settle();
    const came = (await shop.events("message.received")).slice(-2).map((one) => {
      const { attachments } = one["message"] as { attachments: Record<string, unknown>[] };
      return attachments[0];
    });
    assert.deepEqual([came[0]?.["latitude"], came[0]?.["longitude"]], [29.37, 47.97], type);
    assert.deepEqual([came[1]?.["type"], came[1]?.["name"]], ["contact", "Ali Hasan"], type);
  }
});
