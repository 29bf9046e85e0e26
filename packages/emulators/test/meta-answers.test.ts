import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstagramEmulator, createMessengerEmulator } from "../src/index.ts";
import { NUMBER, USER, jsonOf, start, startReceiver } from "./start-whatsapp.ts";

// The Graph API's answers as documented: codes and their HTTP statuses, subcodes, usage headers, limits.
const PAGE = { id: "1029384756", accessToken: "token-1", appSecret: "app-secret-1" };
const SARA = "25400000001234";

async function startPage(kind: "messenger" | "instagram" = "messenger", options: object = {}) {
  const create = kind === "messenger" ? createMessengerEmulator : createInstagramEmulator;
  const clock = { now: () => new Date(1_770_000_000_000) };
  const emulator = await create({ delivery: "manual", clock, pages: [PAGE], ...options });
  emulator.inbound({ pageId: PAGE.id, from: SARA, text: "hi" });
  const send = async (message: object = { text: "hello" }) => {
    const response = await fetch(`${emulator.apiUrl}/${PAGE.id}/messages`, {
      method: "POST",
      headers: { authorization: "Bearer token-1", "content-type": "application/json" },
      body: JSON.stringify({ recipient: { id: SARA }, messaging_type: "RESPONSE", message }),
    });
    return { status: response.status, headers: response.headers, json: await jsonOf(response) };
  };
  return { emulator, send, [Symbol.asyncDispose]: () => emulator.close() };
}

/** The HTTP status of a code, for those that the documents name. */
const PAIRS: readonly (readonly [code: number, status: number])[] = [
  [0, 401],
  [3, 500],
  [10, 403],
  [104, 401],
  [190, 401],
  [200, 403],
  [294, 403],
  [4, 429],
  [17, 429],
  [2, 500],
];

test("WhatsApp: codes have the documented HTTP statuses, and texts", async () => {
  await using t = await start({ window: "off" });
  for (const [code, status] of [...PAIRS, [80007, 429], [131005, 403], [131031, 403]] as const) {
    t.emulator.fault({ kind: "code", code });
    const answer = await t.text();
    assert.equal(answer.status, status, String(code));
    assert.doesNotMatch(answer.json().error.message, /Unknown error/, String(code));
  }
  t.emulator.fault({ kind: "code", code: 80007 });
  const { error } = (await t.text()).json();
  assert.deepEqual([error.error_subcode, error.is_transient], [2446079, true]);
});

test("WhatsApp: every code that a sender may meet has its text", async () => {
  await using t = await start({ window: "off" });
  const codes = [
    33, 368, 470, 506, 613, 130429, 130472, 130497, 131000, 131001, 131002, 131006, 131008, 131009,
    131016, 131021, 131026, 131030, 131037, 131042, 131043, 131044, 131045, 131047, 131048, 131049,
    131050, 131051, 131052, 131053, 131056, 131057, 131062, 131063, 131064, 132000, 132001, 132005,
    132007, 132008, 132012, 132015, 132016, 132018, 132068, 132069, 133004, 133010, 133016, 135000,
    137000,
  ];
  for (const code of codes) {
    t.emulator.fault({ kind: "code", code });
    assert.doesNotMatch((await t.text()).text, /Unknown error/, String(code));
  }
});

test("usage headers count for the called account and say when it may be called again, without a Retry-After", async () => {
  await using t = await start({ window: "off", regainMinutes: 7 });
  t.emulator.addNumber({ ...NUMBER, phoneNumberId: "2", wabaId: "555", accessToken: "token-2" });
  const usage = (headers: Headers) => JSON.parse(headers.get("x-business-use-case-usage") ?? "");
  for (const code of [4, 17, 80007, 130429, 133016]) {
    t.emulator.fault({ kind: "code", code });
    const { headers } = await t.post({}, { path: "2/messages", token: "token-2" });
    assert.equal(usage(headers)["555"][0].estimated_time_to_regain_access, 7, String(code));
    assert.equal(JSON.parse(headers.get("x-app-usage") ?? "").call_count, 100);
    assert.equal(headers.get("retry-after"), null);
  }
  const fine = usage((await t.text()).headers);
  assert.equal(fine[NUMBER.wabaId][0].estimated_time_to_regain_access, 0);
  for (const kind of ["messenger", "instagram"] as const) {
    await using page = await startPage(kind, { regainMinutes: 3 });
    page.emulator.fault({ kind: "code", code: 613 });
    const [own] = usage((await page.send()).headers)[PAGE.id];
    assert.deepEqual([own.type, own.estimated_time_to_regain_access], [kind, 3]);
    assert.equal(usage((await page.send()).headers)[PAGE.id][0].estimated_time_to_regain_access, 0);
  }
});

test("Messenger: a fault names its subcode, which decides what the code means", async () => {
  await using t = await startPage();
  for (const [code, subcode, status, words] of [
    [10, 2018278, 400, /outside of allowed window/],
    [10, 2018065, 400, /outside of allowed window/],
    [10, 1893063, 403, /restricted/],
    [551, 1545041, 400, /isn't available/],
    [100, 2018001, 400, /No matching user/],
    [4, 2018022, 429, /Too many/],
    [190, 463, 401, /expired/],
    [1, 1357046, 500, /invalid JSON/],
  ] as const) {
    t.emulator.fault({ kind: "code", code, subcode });
    const { json, ...answer } = await t.send();
    assert.deepEqual(
      [answer.status, json.error.code, json.error.error_subcode],
      [status, code, subcode],
    );
    assert.match(json.error.message, words);
  }
  for (const [code, status] of PAIRS.filter(([one]) => one !== 3)) {
    t.emulator.fault({ kind: "code", code });
    assert.equal((await t.send()).status, status, String(code));
  }
  t.emulator.fault({ kind: "code", code: 4, headers: { "x-app-usage": '{"call_count":101}' } });
  assert.equal((await t.send()).headers.get("x-app-usage"), '{"call_count":101}');
});

test("Messenger: ten sounds and films a second, apart from the texts", async () => {
  await using t = await startPage();
  const video = { attachment: { type: "video", payload: { attachment_id: "1" } } };
  const codes: number[] = [];
  for (let sent = 0; sent < 11; sent++) codes.push((await t.send(video)).json.error.code);
  // The file does not exist; only the caller matters.
  assert.deepEqual(codes, [...Array<number>(10).fill(100), 613]);
  assert.equal((await t.send()).status, 200);
});

test("WhatsApp: a passcode does not go to a user id", async () => {
  await using t = await start({ window: "off" });
  const components = [
    { type: "BODY", text: "{{1}} is your code" },
    { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy" }] },
  ];
  const code = { name: "login", language: "ar", category: "AUTHENTICATION", components };
  t.emulator.addTemplate(NUMBER.wabaId, code);
  const parameters = [{ type: "text", text: "482913" }];
  const template = {
    name: "login",
    language: { code: "ar" },
    components: [
      { type: "body", parameters },
      { type: "button", sub_type: "url", index: "0", parameters },
    ],
  };
  const send = (to: object) =>
    t.post({ messaging_product: "whatsapp", ...to, type: "template", template });
  assert.equal((await send({ recipient: "KW.134912086553" })).json().error.code, 131062);
  assert.equal((await send({ to: USER })).status, 200);
});

test("WhatsApp: for a number in another spelling the answer names the real one", async () => {
  await using t = await start({ window: "off" });
  t.emulator.addUser({ phone: "551198765432", userId: "BR.77", dialled: ["5511998765432"] });
  const answer = await t.text("olá", "+55 11 99876-5432");
  assert.deepEqual(answer.json().contacts, [
    { input: "+55 11 99876-5432", wa_id: "551198765432", user_id: "BR.77" },
  ]);
  await t.emulator.flush();
  const ids = t.receiver.statuses().map((one) => Object(one).recipient_id);
  assert.deepEqual(new Set(ids), new Set(["551198765432"]));
});

test("WhatsApp: interactive messages obey their limits", async () => {
  await using t = await start({ window: "off" });
  const row = { id: "1", title: "x" };
  const list = (more: object = {}, rows: object[] = [row]) => ({
    type: "list",
    body: { text: "x" },
    action: { button: "Open", sections: [{ title: "s", rows }] },
    ...more,
  });
  const send = async (interactive: object) =>
    (await t.post({ messaging_product: "whatsapp", to: USER, type: "interactive", interactive }))
      .status;
  assert.equal(await send(list({}, Array<object>(10).fill(row))), 200);
  assert.equal(await send(list({ header: { type: "text", text: "h".repeat(60) } })), 200);
  for (const wrong of [
    list({}, Array<object>(11).fill(row)),
    list({}, []),
    list({}, [{ ...row, title: "x".repeat(25) }]),
    list({}, [{ ...row, description: "x".repeat(73) }]),
    list({}, [{ ...row, id: "x".repeat(201) }]),
    list({ action: { button: "x".repeat(21), sections: [{ rows: [row] }] } }),
    list({ header: { type: "text", text: "h".repeat(61) } }),
    list({ footer: { text: "f".repeat(61) } }),
  ])
    assert.equal(await send(wrong), 400);
});

test("WhatsApp: a paused template is resumed by its own call, and its status says so", async () => {
  await using t = await start();
  const { id } = t.emulator.addTemplate(NUMBER.wabaId, {
    name: "offer",
    language: "en",
    status: "PAUSED",
    components: [{ type: "BODY", text: "x" }],
  });
  assert.equal((await t.post({}, { path: `${id}/unpause`, token: "other" })).status, 401);
  assert.deepEqual((await t.post({}, { path: `${id}/unpause` })).json(), { success: true });
  assert.equal((await t.post({}, { path: `${id}/unpause` })).status, 400);
  await t.emulator.flush();
  assert.deepEqual(
    t.receiver.changes().map((one) => Object(one["value"]).event),
    ["APPROVED"],
  );
});

test("Meta calls again for seven days", async () => {
  await using receiver = await startReceiver();
  receiver.state.status = 500;
  let at = 1_770_000_000_000;
  const webhook = { url: receiver.url };
  await using emulator = await createMessengerEmulator({
    delivery: "manual",
    clock: { now: () => new Date(at) },
    pages: [{ ...PAGE, webhook }],
  });
  emulator.inbound({ pageId: PAGE.id, from: SARA, text: "hi" });
  const began = at;
  let last = at;
  for (; emulator.stats.abandoned === 0; at += 1_800_000) {
    const before = receiver.received.length;
    await emulator.advance(0);
    if (receiver.received.length > before) last = at;
  }
  const days = (last - began) / 86_400_000;
  assert.ok(days > 6.5 && days < 7.5, String(days));
});
