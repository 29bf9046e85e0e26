import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { FLOW_STEP_TYPES, flowSchema, type FlowStep, type FlowStepType } from "../../wire/flow.ts";
import { ID } from "../../wire/schema.ts";
import { faultsOf } from "../record/document-faults.ts";

/** A validator that is not ours. */
const fits = formats
  .default(new Ajv2020({ strict: true, allowUnionTypes: true }))
  .compile(flowSchema("https://parley.example/api/flow.schema.json"));

const words = { en: "Words", ar: "كلمات" };
const timeout = { minutes: 5, next: "end" };
/** Steps of all types, each with all its members. */
const EVERY: { readonly [T in FlowStepType]: Extract<FlowStep, { type: T }> } = {
  send: { type: "send", name: "Greets", text: words, next: "choose" },
  choose: {
    type: "choose",
    text: words,
    choices: [{ id: "x", label: words, next: "ask" }],
    into: "chosen",
    retries: 1,
    otherwise: "end",
    timeout,
  },
  ask: {
    type: "ask",
    text: words,
    as: "number",
    into: "order",
    again: words,
    next: "branch",
    timeout,
  },
  branch: {
    type: "branch",
    cases: [
      { if: { variable: "order", op: "more", value: "5" }, next: "set" },
      { if: { hours: "open" }, next: "set" },
    ],
    next: "set",
  },
  set: { type: "set", variable: "seen", value: "{{order}}", next: "tag" },
  tag: { type: "tag", add: ["vip"], remove: ["new"], next: "label" },
  label: { type: "label", add: ["vip"], next: "note" },
  note: { type: "note", text: "Asks for {{order}}", next: "confirm" },
  confirm: {
    type: "confirm",
    text: words,
    yes: words,
    no: words,
    next: "call",
    refused: "ai",
    retries: 0,
  },
  call: {
    type: "call",
    url: "https://shop.example/orders",
    inputs: { number: "{{order}}" },
    results: [{ path: "items.0.state", into: "state" }],
    changes: true,
    idempotent: true,
    next: "ai",
    otherwise: "end",
  },
  ai: {
    type: "ai",
    bot: "Shop assistant",
    question: "{{order}}",
    next: "classify",
    otherwise: "end",
  },
  classify: {
    type: "classify",
    text: "{{order}}",
    topics: [{ id: "x", description: "Anything", next: "wait" }],
    into: "topic",
    otherwise: "end",
  },
  wait: { type: "wait", minutes: 5, next: "go_to" },
  go_to: { type: "go_to", next: "hand" },
  hand_over: { type: "hand_over", text: words, summary: "{{state}}" },
  assign: { type: "assign", to: "member", memberId: ID, text: words, summary: "x" },
  end: { type: "end", name: "Done" },
};
const FLOW = {
  format: 1,
  kind: "flow",
  name: "Every step",
  trigger: { channels: ["WHATSAPP"], when: "always", words: ["order"] },
  entry: "send",
  steps: EVERY,
  handOver: { words: ["complaint"], text: words, outside: words },
};

type Plain = Readonly<Record<string, unknown>>;
/** The document with one change each: a member left out, one of another type, one too many, at every depth. */
function* mutantsOf(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [n, one] of value.entries())
      for (const other of mutantsOf(one)) yield value.with(n, other);
    yield [...value, 7];
  } else if (typeof value === "object" && value !== null) {
    const plain = { ...value } as Plain;
    for (const [name, one] of Object.entries(plain)) {
      const { [name]: _, ...rest } = plain;
      yield rest;
      for (const other of mutantsOf(one)) yield { ...plain, [name]: other };
    }
    yield { ...plain, "An unknown member": 1 };
  } else {
    yield [value];
    yield null;
    if (typeof value === "string") yield "x".repeat(5_000);
    if (typeof value === "number") yield -1.5;
  }
}

/** Faults of form: the schema says the same. */
const FORM: ReadonlySet<string> = new Set(["SHAPE", "NAME", "TYPE_UNKNOWN", "KIND_UNKNOWN"]);

test("the published schema takes a flow with every step, and refuses each mutant that publishing refuses for its form, and none that publishing takes", () => {
  assert.deepEqual(Object.keys(EVERY).toSorted(), FLOW_STEP_TYPES.toSorted());
  assert.ok(fits(FLOW), JSON.stringify(fits.errors));
  let refused = 0;
  for (const mutant of mutantsOf(FLOW)) {
    const faults = faultsOf(Object(mutant));
    const isWrong = faults.some(({ code }) => FORM.has(code));
    if (isWrong) assert.ok(!fits(mutant), JSON.stringify([faults, mutant]));
    else if (!fits(mutant)) assert.ok(faults.length > 0, JSON.stringify(mutant));
    if (isWrong) refused += 1;
  }
  assert.ok(refused > 300, `${refused} mutants were refused`);
});

test("the flows of the documents fit the schema", () => {
  const document = path.join(import.meta.dirname, "../../../../../docs/bots.md");
  const blocks = readFileSync(document, "utf8").matchAll(/```json\n([\s\S]*?)```/g);
  const flows = [...blocks]
    .map(([, json = ""]): Plain => ({ ...Object(JSON.parse(json)) }))
    .filter(({ kind }) => kind === "flow");
  assert.ok(flows.length > 0);
  for (const one of flows) {
    assert.ok(fits(one), JSON.stringify(fits.errors));
    assert.deepEqual(faultsOf(one), []);
  }
});
