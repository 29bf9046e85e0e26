import assert from "node:assert/strict";
import { test } from "node:test";
import type { TemplateComponent } from "../src/whatsapp/templates.ts";
import { NUMBER, USER, jsonOf, start } from "./start-whatsapp.ts";

test("a reply inside the window is accepted and becomes sent, delivered and read", async () => {
  await using t = await start();
  t.emulator.inbound({ phoneNumberId: NUMBER.phoneNumberId, from: USER, text: "hi" });
  const answer = await t.text("hello", "+965 5000-1234", { biz_opaque_callback_data: "m1" });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json().contacts[0].wa_id, USER);
  assert.match(answer.json().messages[0].id, /^wamid\.[A-Za-z0-9+/]+={0,2}$/);
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

test("the 81st message of a second is 130429; a rested recipient gets 45 at once and earns one every 6 seconds", async () => {
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

test("counted over five seconds, 400 messages may come at once, and the 401st waits for them to be past", async () => {
  await using t = await start({ window: "off", limits: { countedOverMs: 5_000 } });
  const send = (i: number) => t.text("x", `9655100${1000 + i}`);
  for (let i = 0; i < 400; i++) assert.equal((await send(i)).status, 200);
  t.tick(4_999);
  assert.equal((await send(400)).json().error.code, 130429);
  t.tick(1);
  assert.equal((await send(400)).status, 200);
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

test("a carousel needs its cards, an offer with an end its time, and a text fits its part", async () => {
  await using t = await start();
  const add = (name: string, ...components: TemplateComponent[]) =>
    t.emulator.addTemplate(NUMBER.wabaId, { name, language: "en", components });
  const body = { type: "BODY", text: "Hi {{1}}" };
  const footer = { type: "FOOTER", text: "Bye" };
  const photo = { type: "HEADER", format: "IMAGE" };
  add("cards", body, { type: "CAROUSEL", cards: [{ components: [photo] }] });
  const limited_time_offer = { text: "Now", has_expiration: true };
  add("offer", body, { type: "LIMITED_TIME_OFFER", limited_time_offer });
  add("alone", body);
  add("more", body, footer);
  add("titled", { type: "HEADER", format: "TEXT", text: "{{1}}" });
  const send = async (name: string, ...components: object[]) => {
    const template = { name, language: { code: "en" }, components };
    const answer = await t.post({
      messaging_product: "whatsapp",
      to: USER,
      type: "template",
      template,
    });
    return answer.status === 200 ? "accepted" : answer.json().error.code;
  };
  const part = (type: string, text: string) => ({ type, parameters: [{ type: "text", text }] });
  const sara = part("body", "Sara");
  const image = { type: "image", image: { link: "https://x/y.jpg" } };
  const card = { card_index: 0, components: [{ type: "header", parameters: [image] }] };
  const end = { type: "limited_time_offer", limited_time_offer: { expiration_time_ms: 1 } };
  assert.equal(await send("cards", sara), 132000);
  assert.equal(await send("cards", sara, { type: "carousel", cards: [{ card_index: 0 }] }), 131008);
  assert.equal(await send("cards", sara, { type: "carousel", cards: [card] }), "accepted");
  assert.equal(await send("offer", sara), 131008);
  assert.equal(
    await send("offer", sara, { type: "limited_time_offer", parameters: [end] }),
    "accepted",
  );
  assert.equal(await send("alone", part("body", "x".repeat(1_025))), "accepted");
  assert.equal(await send("more", part("body", "x".repeat(1_024))), "accepted");
  assert.equal(await send("more", part("body", "x".repeat(1_025))), 132005);
  assert.equal(await send("titled", part("header", "x".repeat(60))), "accepted");
  assert.equal(await send("titled", part("header", "x".repeat(61))), 132005);
});

test("the template list is paged until there is no next page", async () => {
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
