import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../errors.ts";
import {
  bodyVariables,
  checkSendable,
  countBodyVariables,
  headerFormatOf,
  templateContent,
  unmetParameters,
  type StoredTemplate,
} from "./template.ts";

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

test("the header's format, and none without a header", () => {
  assert.equal(headerFormatOf([{ type: "HEADER", format: "IMAGE" }]), "IMAGE");
  assert.equal(headerFormatOf([{ type: "HEADER", text: "x" }]), "TEXT");
  assert.equal(headerFormatOf([body("x")]), null);
});

const UNMET: readonly (readonly [components: Record<string, unknown>[], unmet: string[]])[] = [
  [[body("{{1}}")], []],
  [[{ type: "HEADER", format: "TEXT", text: "Hello" }], []],
  [[{ type: "HEADER", format: "TEXT", text: "Hello {{1}}" }], ["header {{1}}"]],
  [[{ type: "HEADER", format: "IMAGE" }], ["header image"]],
  [[{ type: "HEADER", format: "LOCATION" }], ["header location"]],
  [
    [
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "OK" },
          { type: "URL", url: "https://x/fixed" },
          { type: "URL", url: "https://x/{{1}}" },
          { type: "PHONE_NUMBER", phone_number: "+965" },
          { type: "COPY_CODE" },
          null,
        ],
      },
    ],
    ["button 3 url", "button 5 copy_code"],
  ],
  [[{ type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] }], ["button 1 otp"]],
  [[{ type: "BUTTONS", buttons: "odd" }], []],
];
for (const [components, unmet] of UNMET) {
  test(`${JSON.stringify(components).slice(0, 70)} needs ${unmet.join(", ") || "nothing more"}`, () => {
    assert.deepEqual(unmetParameters(components), unmet);
  });
}

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
  ...more,
});

test("what a send needs is named in the order of its parameters", () => {
  assert.deepEqual(templateContent(stored(), ["Sara", "Monday"]), {
    name: "order_update",
    language: "en_US",
    bodyParameters: ["Sara", "Monday"],
    bodyParameterNames: ["first_name", "day"],
    unmetParameters: [],
  });
});

test("a template that cannot be sent is refused by name", () => {
  checkSendable(stored(), 2);
  const refusal = (template: StoredTemplate, count: number, path: string, words: RegExp) =>
    assert.throws(
      () => checkSendable(template, count),
      (error) =>
        error instanceof AppError &&
        error.facts.details?.[0]?.path === path &&
        words.test(error.facts.details[0].message),
    );
  refusal(stored(), 1, "variables", /takes 2 body parameters, 1 were given/);
  refusal(stored({ status: "PAUSED" }), 2, "templateId", /PAUSED/);
  const header = { type: "HEADER", format: "IMAGE" };
  refusal(stored({ components: [header] }), 2, "templateId", /header image/);
});
