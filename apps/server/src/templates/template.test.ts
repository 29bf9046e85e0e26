import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countBodyVariables,
  templateContent,
  templateFaults,
  type GivenParts,
  type StoredTemplate,
} from "./template.ts";
import { bodyVariables, headerFormatOf } from "./template-needs.ts";

const body = (text: string) => ({ type: "BODY", text });

const BODIES: readonly (readonly [text: string, variables: string[]])[] = [
  ["Order {{1}} ships {{2}}. Ref {{1}}", ["1", "2"]],
  ["{{2}} before {{1}}", ["1", "2"]],
  ["{{10}} {{9}} {{2}}", ["2", "9", "10"]],
  ["{{ 1 }} spaced", ["1"]],
  ["Hello {{first_name}}, {{day}} and {{first_name}}", ["first_name", "day"]],
  ["none, {1}, { {1} }, {{}}, {{a b}}", []],
];
for (const [text, variables] of BODIES) {
  test(`"${text}" takes ${variables.length}`, () => {
    assert.deepEqual(bodyVariables([body(text)]), variables);
    assert.equal(countBodyVariables([body(text)]), variables.length);
  });
}

test("only the body's placeholders are counted", () => {
  const components = [
    { type: "HEADER", format: "TEXT", text: "Hi {{1}}" },
    body("Order {{1}}"),
    { type: "BUTTONS", buttons: [{ type: "URL", text: "T", url: "https://x/{{1}}" }] },
  ];
  assert.equal(countBodyVariables(components), 1);
  assert.equal(countBodyVariables([{ type: "FOOTER", text: "{{1}}" }]), 0);
  assert.equal(countBodyVariables([{ type: "BODY" }, { odd: true }]), 0);
});

test("a header has its format, and a template without a header has none", () => {
  assert.equal(headerFormatOf([{ type: "HEADER", format: "IMAGE" }]), "IMAGE");
  assert.equal(headerFormatOf([{ type: "HEADER", text: "x" }]), "TEXT");
  assert.equal(headerFormatOf([body("x")]), null);
});

const stored = (more: Partial<StoredTemplate> = {}): StoredTemplate => ({
  id: "t",
  metaId: "1",
  name: "order_update",
  language: "en_US",
  category: "UTILITY",
  status: "APPROVED",
  components: [body("Hello {{first_name}} on {{day}}")],
  bodyVariableCount: 2,
  headerFormat: null,
  lastSyncedAt: new Date(0),
  workspaceId: "w",
  channelId: "c",
  parameterFormat: "NAMED",
  rejectedReason: null,
  rejectionDetail: null,
  quality: null,
  ...more,
});

const NOTHING = { headerText: null, headerMedia: null, buttons: [] };

test("the needs of a send name its values in the order of the parameters", () => {
  assert.deepEqual(templateContent(stored(), { ...NOTHING, body: ["Sara", "Monday"] }), {
    name: "order_update",
    language: "en_US",
    bodyParameters: ["Sara", "Monday"],
    bodyParameterNames: ["first_name", "day"],
    unmetParameters: [],
  });
});

const BUTTONS = {
  type: "BUTTONS",
  buttons: [
    { type: "QUICK_REPLY", text: "OK" },
    { type: "URL", url: "https://x/fixed" },
    { type: "URL", url: "https://x/{{1}}" },
    { type: "PHONE_NUMBER", phone_number: "+965" },
    { type: "COPY_CODE" },
    null,
  ],
};
const IMAGE = { type: "HEADER", format: "IMAGE" };
const OFFER = { type: "LIMITED_TIME_OFFER" };
const HELLO = { type: "HEADER", format: "TEXT", text: "Hello {{who}}" };

/** Components, the given values (the body always fits), and the paths of the expected faults in order. */
const FAULTS: readonly (readonly [Record<string, unknown>[], Partial<GivenParts>, string[]])[] = [
  [[], {}, []],
  [[{ type: "HEADER", format: "TEXT", text: "Hello" }], {}, []],
  [[], { body: 1 }, ["variables"]],
  [[HELLO], {}, ["header.text"]],
  [[HELLO], { header: "text" }, []],
  [[HELLO], { header: "image" }, ["header.media", "header.text"]],
  [[{ ...HELLO, text: "{{1}} {{2}}" }], { header: "text" }, ["templateId"]],
  [[IMAGE], {}, ["header.media"]],
  [[IMAGE], { header: "image" }, []],
  [[IMAGE], { header: "video" }, ["header.media"]],
  [[], { header: "text" }, ["header.text"]],
  [[{ type: "HEADER", format: "LOCATION" }], {}, ["templateId"]],
  [[BUTTONS], {}, ["buttons[2]", "buttons[4]"]],
  [[BUTTONS], { buttons: [2, 4] }, []],
  [[BUTTONS], { buttons: [0, 2, 4] }, []],
  [[BUTTONS], { buttons: [1, 2, 4, 7] }, ["buttons[1]", "buttons[7]"]],
  [[{ type: "BUTTONS", buttons: [{ type: "OTP" }] }], {}, ["buttons[0]"]],
  [[{ type: "BUTTONS", buttons: [{ type: "FLOW" }] }], {}, ["templateId"]],
  [[{ type: "BUTTONS", buttons: [{ type: "ORDER_DETAILS" }] }], {}, ["templateId"]],
  [[{ type: "CAROUSEL", cards: [{ components: [IMAGE] }] }], {}, ["templateId"]],
  [[{ ...OFFER, limited_time_offer: { text: "Now", has_expiration: true } }], {}, ["templateId"]],
  [[{ ...OFFER, limited_time_offer: { text: "Now" } }], {}, []],
  [[{ type: "BUTTONS", buttons: "odd" }], {}, []],
];
for (const [components, given, paths] of FAULTS) {
  test(`${JSON.stringify(components).slice(0, 60)} with ${JSON.stringify(given)}: ${paths.join(", ") || "sent"}`, () => {
    const template = stored({ components, bodyVariableCount: 0 });
    const faults = templateFaults(template, { body: 0, header: null, buttons: [], ...given });
    assert.deepEqual(
      faults.map((fault) => fault.path),
      paths,
    );
  });
}

test("a template that is not approved is refused, whatever values are given", () => {
  const [fault] = templateFaults(stored({ status: "PAUSED" }), {
    body: 9,
    header: null,
    buttons: [],
  });
  assert.deepEqual(fault, { path: "templateId", message: "the template is PAUSED, not APPROVED" });
});

test("header and buttons are given in the platform's order and kinds; missing values are named", () => {
  const template = stored({ components: [HELLO, BUTTONS] });
  const full = templateContent(template, {
    body: [],
    headerText: "Sara",
    headerMedia: null,
    buttons: [
      { index: 4, text: "SAVE10" },
      { index: 2, text: "orders/17" },
    ],
  });
  assert.deepEqual(full.header, { kind: "text", text: "Sara", name: "who" });
  assert.deepEqual(full.buttons, [
    { index: 2, kind: "url", text: "orders/17" },
    { index: 4, kind: "copy_code", text: "SAVE10" },
  ]);
  assert.deepEqual(full.unmetParameters, []);
  const bare = templateContent(stored({ components: [IMAGE, BUTTONS] }), { ...NOTHING, body: [] });
  assert.deepEqual(bare.unmetParameters, ["header.media", "buttons[2]", "buttons[4]"]);
});
