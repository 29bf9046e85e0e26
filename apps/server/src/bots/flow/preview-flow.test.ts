import assert from "node:assert/strict";
import { test } from "node:test";
import { processorMs } from "../../../test/processor-time.ts";
import { PREVIEW_LINES, type PreviewSaid } from "../../wire/flow-preview.ts";
import { previewFlow } from "./preview-flow.ts";

const WORLD = {
  locale: "en",
  channelType: "WHATSAPP",
  firstName: "Sara",
  tags: [],
  open: true,
  segments: [],
  nextOpening: "",
  closed: null,
} as const;

const flow = (steps: object) => ({ format: 1, kind: "flow", name: "F", entry: "a", steps });
const SHOP = flow({
  a: {
    type: "choose",
    text: { en: "What is it?", ar: "ما الأمر؟" },
    choices: [
      { id: "order", label: { en: "My order", ar: "طلبي" }, next: "b" },
      { id: "bye", label: { en: "Bye", ar: "وداعاً" }, next: "f" },
    ],
    timeout: { minutes: 30 },
  },
  b: { type: "tag", add: ["order"], remove: ["new"], next: "c" },
  c: { type: "note", text: "Asks for an order", next: "d" },
  d: { type: "wait", minutes: 5, next: "e" },
  e: { type: "hand_over", summary: "An order" },
  f: { type: "end" },
});
/** The lines in short: who, and what. */
const short = (document: object, ...said: PreviewSaid[]): string[] =>
  previewFlow({ ...document }, said, WORLD).lines.map(({ by, did, text, names }) =>
    [by, did, text, ...names].filter((one) => one !== null).join(" "),
  );

test("a preview begins with the customer's words, shows what is offered, said and done, and who has the talk then", () => {
  assert.deepEqual(short(SHOP), []);
  const { lines, step, state } = previewFlow(SHOP, [{ text: "مرحبا" }], WORLD);
  assert.deepEqual(
    lines.map(({ by, step: at, text }) => [by, at, text]),
    [
      ["customer", null, "مرحبا"],
      ["bot", "a", "ما الأمر؟"],
    ],
  );
  assert.deepEqual([step, state], ["a", "waiting"]);
  assert.deepEqual(lines[1]?.choices[0], { text: "طلبي", payload: "a/order" });
  assert.deepEqual(
    short(SHOP, { text: "Hi" }, { payload: "a/order" }, {}, { text: "Hello?" }).slice(1),
    [
      "bot What is it?",
      "customer My order",
      "flow tag order",
      "flow untag new",
      "flow note Asks for an order",
      "flow wait",
      "flow time_out",
      "bot A colleague will answer you here.",
      "flow hand_over An order",
      "customer Hello?",
    ],
  );
});

test("after its end the next words begin the flow again; without a step that waits no time runs out", () => {
  assert.deepEqual(short(SHOP, {}, { text: "Hi" }, { text: "2" }, {}, { text: "Hi" }), [
    "customer Hi",
    "bot What is it?",
    "customer 2",
    "flow end",
    "customer Hi",
    "bot What is it?",
  ]);
});

test("a flow that never waits, and a talk of a hundred turns, end with at most 500 lines", () => {
  const circle = flow({ a: { type: "send", text: { en: "Again" }, next: "a" } });
  const said = Array.from({ length: 100 }, () => ({ text: "Hi" }));
  assert.equal(previewFlow(circle, said, WORLD).lines.length, PREVIEW_LINES);
});

test("a preview calls no one: whoever tries it says how a call, an answer of a model or a choice of a topic ends", () => {
  const outside = flow({
    a: {
      type: "call",
      url: "https://shop.example/order",
      changes: false,
      results: [{ path: "order.status", into: "status" }],
      next: "b",
      otherwise: "c",
    },
    b: { type: "classify", topics: [{ id: "buy", description: "Wants to buy", next: "d" }] },
    c: { type: "end" },
    d: { type: "ai", bot: "Layla", next: "e" },
    e: { type: "send", text: { en: "It is {{status}}" }, next: "c" },
  });
  const said = [{ text: "Hi" }, { payload: "ok" }, { payload: "topic/buy" }, { payload: "ok" }];
  const { lines, state } = previewFlow(outside, said, WORLD);
  assert.deepEqual(
    lines.flatMap(({ did, text }) => (did === null ? [] : [[did, text]])),
    [
      ["call", "https://shop.example/order"],
      ["classify", null],
      ["ai", "Layla"],
      ["end", null],
    ],
  );
  assert.equal(
    lines.some(({ text }) => text === "It is (order.status)"),
    true,
  );
  assert.equal(state, "ended");
  assert.equal(lines.filter(({ by }) => by === "customer").length, 1);
  assert.equal(short(outside, { text: "Hi" }, { payload: "failed" }).at(-1), "flow end");
});

test("a draft that goes round without end, and compares long answers each time, is shown in a moment", () => {
  const to = (n: number) => `b${n % 30}`;
  const branch = (at: number) => ({
    type: "branch",
    cases: Array.from({ length: 20 }, (_, n) => ({
      if: { variable: "x", op: "contains", value: `zz${n}` },
      next: to(at + 2),
    })),
    next: to(at + 1),
  });
  const round = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [to(n), branch(n)]));
  const asks = { type: "ask", text: { en: "What is it?" }, into: "x", next: to(0) };
  const words = Array.from({ length: 100 }, () => ({ text: "Éx ".repeat(300) }));
  const ms = processorMs(() => {
    assert.equal(previewFlow(flow({ a: asks, ...round }), words, WORLD).state, "waiting");
  });
  assert.ok(ms < 2_000, `${ms} ms`);
});
