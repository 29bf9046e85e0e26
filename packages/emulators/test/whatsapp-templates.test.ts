import assert from "node:assert/strict";
import { test } from "node:test";
import { NUMBER, start } from "./start-whatsapp.ts";

// The Graph API's refusals of a submitted template: codes and subcodes as senders met them.
const BODY = {
  type: "BODY",
  text: "Your order {{1}} is ready at our shop in {{2}} until Friday.",
  example: { body_text: [["A-17", "Salmiya"]] },
};
const template = (...components: object[]) => ({
  name: "order_ready",
  language: "en",
  category: "UTILITY",
  components,
});
const path = `${NUMBER.wabaId}/message_templates`;

const REFUSED: readonly (readonly [string, object[], number | undefined])[] = [
  ["no body", [{ type: "FOOTER", text: "x" }], undefined],
  ["a long body", [{ type: "BODY", text: "x".repeat(1_025) }], 2388040],
  [
    "a gap",
    [{ ...BODY, text: "Your order {{1}} is ready at our shop in {{3}} until Friday." }],
    2388072,
  ],
  [
    "a variable at the end",
    [{ ...BODY, text: "Your order is ready at our fine shop now, {{1}}." }],
    2388299,
  ],
  ["few words", [{ ...BODY, text: "Hi {{1}} ok" }], 2388293],
  ["no example", [{ type: "BODY", text: BODY.text }], 2388043],
  ["a variable in the footer", [BODY, { type: "FOOTER", text: "Bye {{1}}" }], 2388073],
  ["an emoji in the header", [{ type: "HEADER", format: "TEXT", text: "Hi 🎉" }, BODY], 2388047],
  [
    "two variables in the header",
    [{ type: "HEADER", format: "TEXT", text: "{{1}} {{2}}" }, BODY],
    2388047,
  ],
  ["a picture without an example", [{ type: "HEADER", format: "IMAGE" }, BODY], 2388084],
  [
    "a long label",
    [BODY, { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "x".repeat(26) }] }],
    2388040,
  ],
  [
    "a number that is none",
    [
      BODY,
      { type: "BUTTONS", buttons: [{ type: "PHONE_NUMBER", text: "Call", phone_number: "abc" }] },
    ],
    undefined,
  ],
];

test("a template is refused with Meta's code, subcode and sentences, else it waits for its review", async () => {
  await using t = await start();
  for (const [name, components, subcode] of REFUSED) {
    const answer = await t.post(template(...components), { path });
    const { error } = answer.json();
    assert.deepEqual([answer.status, error.code, error.error_subcode], [400, 100, subcode], name);
    if (subcode !== undefined) assert.ok(error.error_user_title && error.error_user_msg, name);
  }
  const made = (await t.post(template(BODY), { path })).json();
  assert.deepEqual([made.status, made.category], ["PENDING", "UTILITY"]);
  const { error } = (await t.post(template(BODY), { path })).json();
  assert.equal(error.error_subcode, 2388024);
  // Nobody can edit it while it waits.
  assert.equal((await t.post({ components: [BODY] }, { path: made.id })).status, 400);
  t.emulator.setTemplateStatus(NUMBER.wabaId, made.id, "REJECTED", "INVALID_FORMAT");
  assert.deepEqual((await t.post({ components: [BODY] }, { path: made.id })).json(), {
    success: true,
  });
  const [kept] = t.emulator.templates.list(NUMBER.wabaId).filter(({ id }) => id === made.id);
  assert.deepEqual([kept?.status, kept?.rejected_reason], ["PENDING", "NONE"]);
});

test("variables with names need lower case letters and an example by name", async () => {
  await using t = await start();
  const named = (text: string, ...params: readonly string[]) => ({
    ...template({
      type: "BODY",
      text,
      example: { body_text_named_params: params.map((one) => ({ param_name: one, example: "x" })) },
    }),
    parameter_format: "NAMED",
  });
  const text = "Your order {{order_number}} is ready at our shop in {{place}} until Friday.";
  const refused: readonly (readonly [object, number])[] = [
    [named(text, "order_number"), 2388043],
    [named(text.replace("place", "Place"), "order_number", "Place"), 2388072],
    [named(text.replace("place", "1"), "order_number", "1"), 2388072],
    [template({ type: "BODY", text, example: { body_text: [["a", "b"]] } }), 2388072],
  ];
  for (const [body, subcode] of refused) {
    const answer = await t.post(body, { path });
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.json().error.error_subcode, subcode);
  }
  assert.equal((await t.post(named(text, "order_number", "place"), { path })).status, 200);
});

test("a template that is submitted after a restart has an id of its own, beside those that the platform was given back", async () => {
  const words = { language: "en", components: [BODY] };
  await using before = await start();
  const { id } = before.emulator.addTemplate(NUMBER.wabaId, { ...words, name: "order_ready" });
  await using after = await start();
  after.emulator.addTemplate(NUMBER.wabaId, { ...words, name: "order_ready", id });
  const added = after.emulator.addTemplate(NUMBER.wabaId, { ...words, name: "closed" });
  assert.notEqual(added.id, id);
});
