import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG } from "../../../test/group.ts";
import { FLOW_STEP_TYPES, waits, type Flow } from "../../wire/flow.ts";
import { answerAs, chosen } from "./answers.ts";
import { flowFaults, readFlow } from "./read-flow.ts";
import {
  runFlow,
  type FlowEvent,
  type FlowPlace,
  type FlowTurn,
  type FlowWorld,
} from "./run-flow.ts";

const WORLD: FlowWorld = {
  locale: "en",
  channelType: "WHATSAPP",
  firstName: "Sara",
  tags: [],
  open: true,
  segments: [],
  nextOpening: "",
};
const START: FlowPlace = { step: null, variables: {}, again: 0 };
const said = (text: string, press: string | null = null): FlowEvent => ({
  kind: "said",
  text,
  press,
});
const textsOf = ({ effects }: FlowTurn): string[] =>
  effects.flatMap((one) => (one.kind === "say" ? [one.text] : []));

const doc = (steps: object, entry = "a") => ({ format: 1, kind: "flow", name: "F", entry, steps });
const SHOP = doc({
  a: { type: "send", text: { en: "Hello {{first_name}}", ar: "أهلا {{first_name}}" }, next: "b" },
  b: {
    type: "choose",
    text: { en: "What is it?", ar: "ما الأمر؟" },
    choices: [
      { id: "order", label: { en: "My order", ar: "طلبي" }, next: "c" },
      { id: "hours", label: { en: "Hours", ar: "المواعيد" }, next: "d" },
    ],
    retries: 1,
    timeout: { minutes: 60, next: "e" },
  },
  c: { type: "ask", text: { en: "Its number?" }, as: "number", into: "order", next: "f" },
  d: { type: "branch", cases: [{ if: { hours: "open" }, next: "g" }], next: "h" },
  e: { type: "end" },
  f: { type: "hand_over", text: { en: "We look at {{order}}" }, summary: "Order {{order}}" },
  g: { type: "send", text: { en: "We are open." } },
  h: { type: "send", text: { en: "We open {{next_opening}}." } },
});

test("a flow greets, offers, asks for a number in any digits, and hands over with what it collected", () => {
  assert.deepEqual(flowFaults(SHOP), []);
  const flow = readFlow(SHOP);
  const begun = runFlow(flow, START, { kind: "go" }, WORLD);
  assert.deepEqual(textsOf(begun), ["Hello Sara", "What is it?"]);
  assert.deepEqual([begun.place.step, begun.waitMinutes], ["b", 60]);
  for (const event of [said("My order", "b/order"), said("my ORDER!"), said("١"), said("1")])
    assert.equal(runFlow(flow, begun.place, event, WORLD).place.step, "c", JSON.stringify(event));
  const asked = runFlow(flow, begun.place, said("1"), WORLD);
  const handed = runFlow(flow, asked.place, said("١٢٣٤"), WORLD);
  const [text, summary] = ["We look at 1234", "Order 1234"];
  assert.deepEqual(handed.ends, { kind: "hand_over", reason: "flow", text, summary });
  assert.deepEqual(handed.place.variables, { order: 1234 });
});

test("what is not understood is asked again as often as the step says, then a person answers; words for a person at once", () => {
  const flow = readFlow(SHOP);
  const begun = runFlow(flow, START, { kind: "go" }, { ...WORLD, locale: "ar" });
  assert.deepEqual(textsOf(begun), ["أهلا Sara", "ما الأمر؟"]);
  const again = runFlow(flow, begun.place, said("?"), WORLD);
  assert.deepEqual([again.place.step, again.place.again], ["b", 1]);
  assert.equal(runFlow(flow, again.place, said("?"), WORLD).ends?.kind, "hand_over");
  assert.deepEqual(runFlow(flow, begun.place, said("موظف"), WORLD).ends, {
    kind: "hand_over",
    reason: "asked",
    text: null,
    summary: null,
  });
  assert.equal(runFlow(flow, begun.place, { kind: "due" }, WORLD).ends?.kind, "end");
});

test("answers have the form that was asked for", () => {
  assert.equal(answerAs("date", "٨/٢/٢٠٢٧"), "2027-02-08");
  assert.equal(answerAs("date", "31.2.2027"), null);
  assert.equal(answerAs("number", "1,250.5"), 1250.5);
  assert.equal(answerAs("number", "٣٬٠٠٠٫٥"), 3000.5);
  assert.equal(answerAs("number", "-12 000"), -12_000);
  assert.equal(answerAs("number", "#1042"), 1042);
  for (const text of ["1,5", "1 2", "12,34", "1,0000", "1e5", "."])
    assert.equal(answerAs("number", text), null, text);
  assert.equal(answerAs("email", "Sara@Example.com "), "sara@example.com");
  assert.equal(answerAs("phone", "+965 5000 0001"), "+96550000001");
  assert.equal(answerAs("phone", "\u202a+965 5000 0001\u202c"), "+96550000001");
  assert.equal(answerAs("number", "\u200f٤٢\u200f"), 42);
  assert.equal(answerAs("email", "sara at example"), null);
  const offered = [{ payload: "a/1", label: "قائمة" }];
  assert.equal(chosen(offered, { text: "قائمه", press: null }), 0);
  assert.equal(chosen(offered, { text: "2", press: null }), -1);
});

const ASKS_YES = { type: "confirm", text: { en: "Sure?" } };
const offering = (...labels: readonly object[]) => ({
  type: "choose",
  text: { en: "Which?" },
  choices: labels.map((label, n) => ({ id: `c${n}`, label })),
});
const FAULTS: readonly (readonly [object, string])[] = [
  [{ a: { type: "send", text: { en: "x" }, next: "gone" } }, "EDGE_MISSING"],
  [{ a: { type: "end" }, b: { type: "end" } }, "UNREACHABLE"],
  [{ a: { type: "send", text: { en: "Hi {{order}}" } } }, "NAME_UNKNOWN"],
  [{ a: { type: "send", text: { en: "Hi {{first_name" } } }, "NAME_UNKNOWN"],
  [{ a: { type: "send", text: { en: "Hi {{First name}}!" } } }, "NAME_UNKNOWN"],
  [{ a: { type: "send", text: {} } }, "TEXT_MISSING"],
  [{ a: { type: "fly" } }, "TYPE_UNKNOWN"],
  [{ a: { type: "wait", minutes: 0 } }, "SHAPE"],
  [{ "a b": { type: "end" } }, "NAME"],
  [
    {
      a: { type: "send", text: { en: "x" }, next: "b" },
      b: { type: "go_to", next: "a" },
    },
    "CIRCLE",
  ],
  [
    {
      a: {
        type: "choose",
        text: { en: "x" },
        choices: [{ id: "y", label: { en: "a label that no button takes" } }],
      },
    },
    "CHOICE_TOO_LONG",
  ],
  [{ a: { type: "call", url: "https://shop.example/orders" } }, "CALL_UNCONFIRMED"],
  [{ a: { ...ASKS_YES, yes: { en: "Yes, cancel the whole order" } } }, "CHOICE_TOO_LONG"],
  [{ a: { ...ASKS_YES, no: { en: " " } } }, "TEXT_MISSING"],
  [{ a: { ...ASKS_YES, yes: { en: "no" } } }, "LABEL_TWICE"],
  [{ a: offering({ en: "Other" }, { en: "other!" }) }, "LABEL_TWICE"],
  // Customers who write Arabic see the English words of the second one.
  [{ a: offering({ en: "Other", ar: "OK" }, { en: "OK" }) }, "LABEL_TWICE"],
  [{ a: offering({ en: "{{first_name}}" }) }, "PLACE_UNFILLED"],
  [{ a: { type: "tag", add: ["{{first_name}}"] } }, "PLACE_UNFILLED"],
];

test("a flow with a fault is refused with its step", () => {
  for (const [steps, code] of FAULTS) {
    const [found] = flowFaults(doc(steps));
    assert.equal(found?.code, code, JSON.stringify(steps));
    assert.ok(found.step !== null && found.path.startsWith("steps."));
  }
  assert.equal(flowFaults(doc({ a: { type: "end" } }, "z"))[0]?.code, "ENTRY_UNKNOWN");
  const waiting = { a: { type: "wait", minutes: 1, next: "a" } };
  assert.deepEqual(flowFaults(doc(waiting)), [], "a circle that waits is none");
});

/** A random definition from a seed. Every second one leads from each step to the next, and is mostly sound; the others hold anything. */
function someDocument(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * limit);
  };
  const tidy = seed % 2 === 0;
  const size = 1 + below(12);
  const types = FLOW_STEP_TYPES.filter(
    (type) => !tidy || !["end", "hand_over", "assign", "go_to"].includes(type),
  );
  const text = () => ({ en: ["Hi {{v}}", "x", tidy ? "{" : "{{", "١"][below(4)] });
  const one = (n: number) => {
    const on = n + 1 < size ? `s${n + 1}` : undefined;
    const later = () => (n + 1 < size ? `s${n + 1 + below(size - n - 1)}` : undefined);
    const step = () => (tidy ? later() : below(10) === 0 ? undefined : `s${below(size + 1)}`);
    return {
      type: !tidy && below(30) === 0 ? "none" : types[below(types.length)],
      text: text(),
      choices: [
        { id: "x", label: tidy ? { en: "X" } : text(), next: tidy ? on : step() },
        { id: "y", label: tidy ? { en: "Y" } : text(), next: step() },
      ],
      into: "v",
      variable: "v",
      value: "{{v}}{{v}}",
      cases: [{ if: { variable: "v", op: "is", value: "x" }, next: step() ?? "s0" }],
      minutes: tidy ? 1 : below(3),
      add: ["a"],
      url: "https://shop.example/orders",
      inputs: { order: "{{v}}" },
      results: [{ path: "order.0.total", into: "v" }],
      changes: !tidy && below(2) === 0,
      bot: "Shop assistant",
      topics: [{ id: "x", description: "x", next: tidy ? on : step() }],
      to: "nobody",
      next: tidy ? on : step(),
      otherwise: step(),
      retries: below(3),
    };
  };
  const kept: Readonly<Record<string, readonly string[]>> = {
    send: ["type", "text", "next"],
    choose: ["type", "text", "choices", "into", "otherwise", "retries"],
    ask: ["type", "text", "into", "next", "otherwise", "retries"],
    branch: ["type", "cases", "next"],
    set: ["type", "variable", "value", "next"],
    tag: ["type", "add", "next"],
    label: ["type", "add", "next"],
    note: ["type", "text", "next"],
    confirm: ["type", "text", "next", "otherwise", "retries"],
    call: ["type", "url", "inputs", "results", "changes", "next", "otherwise"],
    ai: ["type", "bot", "next", "otherwise"],
    classify: ["type", "topics", "into", "otherwise"],
    assign: ["type", "to", "text"],
    wait: ["type", "minutes", "next"],
    hand_over: ["type", "text"],
    go_to: ["type", "next"],
    end: ["type"],
  };
  const steps: Record<string, object> = {};
  if (tidy) steps["first"] = { type: "set", variable: "v", value: "x", next: "s0" };
  for (let n = 0; n < size; n++) {
    const all = one(n);
    const names = kept[all.type ?? ""] ?? Object.keys(all);
    steps[`s${n}`] = Object.fromEntries(
      Object.entries(all).filter(([name, value]) => names.includes(name) && value !== undefined),
    );
  }
  return { document: doc(steps, tidy ? "first" : "s0"), below };
}

const DEFINITIONS = LONG ? 10_000 : 300;

test(`${DEFINITIONS} random definitions: none throws or spins, and what has no fault ends or waits within 200 steps`, () => {
  const SAID = ["x", "1", "Hi", "", "موظف", "2027-01-01"];
  let sound = 0;
  for (let seed = 1; seed <= DEFINITIONS; seed++) {
    const { document, below } = someDocument(seed);
    const faults = flowFaults(document);
    const flow: Flow = readFlow(document);
    let place = START;
    let steps = 0;
    for (let turn = 0; turn < 30; turn++) {
      const current = place.step === null ? undefined : flow.steps[place.step];
      const event: FlowEvent =
        current && waits(current)
          ? below(4) === 0
            ? { kind: "due" }
            : said(SAID[below(SAID.length)] ?? "")
          : { kind: "go" };
      const { place: next, taken, ends, goesOn } = runFlow(flow, place, event, WORLD);
      assert.ok(taken.length <= 51);
      steps = goesOn ? steps + taken.length : 0;
      if (faults.length === 0) assert.ok(steps <= 200, `definition ${seed} spins`);
      if (ends) break;
      place = next;
    }
    if (faults.length === 0) sound++;
  }
  assert.ok(sound >= DEFINITIONS / 20, `${sound} definitions without a fault`);
});

test("a question whose places are filled with nothing is a person's, and so is a flow that has nothing else to say", () => {
  const call = { type: "call", url: "https://shop.example/", changes: false, next: "b" };
  const results = [{ path: "words", into: "words" }];
  const outcome = { kind: "ok", values: {} } as const;
  const endOf = (...steps: object[]) => {
    const [b, c = { type: "end" }] = steps;
    const flow = readFlow(doc({ a: { ...call, results }, b, c }));
    const at: FlowPlace = { step: "a", variables: {}, again: 0 };
    const { ends, effects } = runFlow(flow, at, { kind: "called", outcome }, WORLD);
    return [ends?.kind, ends?.kind === "hand_over" ? ends.summary : null, effects.length];
  };
  const text = { en: "{{words}}" };
  const wordless = ["hand_over", "b: has no words for the customer", 0];
  assert.deepEqual(endOf({ type: "ask", text, into: "x" }), wordless);
  assert.deepEqual(endOf({ type: "confirm", text, next: "c" }), wordless);
  assert.deepEqual(endOf({ type: "send", text, next: "c" }), wordless);
  assert.deepEqual(endOf({ type: "tag", add: ["x"], next: "c" }), ["end", null, 1]);
  const bye = { type: "send", text: { en: "Bye" } };
  assert.deepEqual(endOf({ type: "send", text, next: "c" }, bye), ["end", null, 1]);
});

test("a step may be called constructor or toString, and a flow without such a step does not begin there", () => {
  for (const entry of ["constructor", "__proto__", "toString"]) {
    assert.deepEqual(
      flowFaults(doc({}, entry)).map(({ code }) => code),
      ["ENTRY_UNKNOWN"],
    );
    const steps: unknown = JSON.parse(`{"${entry}":{"type":"send","text":{"en":"Hi"}}}`);
    const document = doc(Object(steps), entry);
    assert.deepEqual(flowFaults(document), []);
    assert.deepEqual(textsOf(runFlow(readFlow(document), START, { kind: "go" }, WORLD)), ["Hi"]);
  }
});

test("an answer that a step offers is that answer, also where its words ask for a person elsewhere", () => {
  const document = doc({
    a: {
      type: "choose",
      text: { en: "What is it?", ar: "ما الأمر؟" },
      choices: [{ id: "person", label: { en: "Agent", ar: "شخص" }, next: "b" }],
    },
    b: { type: "send", text: { en: "One moment.", ar: "لحظة." }, next: "c" },
    c: { type: "hand_over", summary: "chose a person" },
  });
  assert.deepEqual(flowFaults(document), []);
  const flow = readFlow(document);
  const { place } = runFlow(flow, START, { kind: "go" }, WORLD);
  for (const event of [said("Agent", "a/person"), said("agent"), said("1")]) {
    const turn = runFlow(flow, place, event, WORLD);
    assert.deepEqual(textsOf(turn), ["One moment."]);
    assert.equal(turn.ends?.kind === "hand_over" && turn.ends.summary, "chose a person");
  }
  assert.deepEqual(textsOf(runFlow(flow, place, said("شخص"), { ...WORLD, locale: "ar" })), [
    "لحظة.",
  ]);
  const elsewhere = runFlow(flow, place, said("human"), WORLD).ends;
  assert.equal(elsewhere?.kind === "hand_over" && elsewhere.reason, "asked");
});

test("words that hand over are looked for as words; an empty one is in no message, and 👍 is found as it is", () => {
  const document = {
    ...doc({ a: { type: "ask", text: { en: "What?" }, into: "x", next: "b" }, b: { type: "end" } }),
    handOver: { words: ["", " ", "شكوى", "🆘"] },
  };
  const flow = readFlow(document);
  const { place } = runFlow(flow, START, { kind: "go" }, WORLD);
  const asks = (text: string) => {
    const { ends } = runFlow(flow, place, said(text), WORLD);
    return ends?.kind === "hand_over" && ends.reason === "asked";
  };
  for (const text of ["شكوى", "شكوي!", "\u200fشكوى", "🆘"]) assert.ok(asks(text), text);
  for (const text of ["", "👍", "!", "لا شكوى لدي"]) assert.ok(!asks(text), text);
});

test("more and less compare numbers in any digits; what is no number is neither", () => {
  const branch = (op: string, value: string) =>
    doc({
      a: { type: "ask", text: { en: "How many?" }, into: "n", next: "b" },
      b: { type: "branch", cases: [{ if: { variable: "n", op, value }, next: "c" }], next: "d" },
      c: { type: "send", text: { en: "yes" } },
      d: { type: "send", text: { en: "no" } },
    });
  const outcome = (op: string, value: string, text: string) => {
    const flow = readFlow(branch(op, value));
    const { place } = runFlow(flow, START, { kind: "go" }, WORLD);
    return textsOf(runFlow(flow, place, said(text), WORLD))[0];
  };
  assert.equal(outcome("more", "١٠", "20"), "yes");
  assert.equal(outcome("more", "10", "٢٠"), "yes");
  assert.equal(outcome("less", "1,000", "999.5"), "yes");
  assert.equal(outcome("less", "5", "x"), "no");
  assert.equal(flowFaults(branch("less", "١٫٥")).length, 0);
  assert.deepEqual(
    flowFaults(branch("less", "few")).map(({ path, code }) => `${path} ${code}`),
    ["steps.b.cases.0.if.value NUMBER"],
  );
});

test("a yes counts for what it was asked for: the button of an earlier question is no answer to the next one", () => {
  const document = doc({
    a: { type: "ask", text: { en: "Its number?" }, into: "order", next: "b" },
    b: {
      type: "confirm",
      text: { en: "Cancel order {{order}}?", ar: "إلغاء {{order}}؟" },
      next: "c",
      refused: "a",
    },
    c: { type: "send", text: { en: "Order {{order}} is cancelled." } },
  });
  assert.deepEqual(flowFaults(document), []);
  const flow = readFlow(document);
  const asked = (order: string) => {
    const begun = runFlow(flow, START, { kind: "go" }, WORLD);
    const turn = runFlow(flow, begun.place, said(order), WORLD);
    const [yes = ""] = turn.effects.flatMap((one) =>
      one.kind === "say" ? one.choices.map(({ payload }) => payload) : [],
    );
    return { place: turn.place, yes };
  };
  const [first, second] = [asked("1041"), asked("1042")];
  const stale = runFlow(flow, second.place, said("Yes", first.yes), WORLD);
  assert.deepEqual([stale.place.step, stale.place.again, stale.ends], ["b", 1, null]);
  const arabic = { ...WORLD, locale: "ar" } as const;
  for (const [event, world] of [
    [said("Yes", second.yes), WORLD],
    [said("Yes", second.yes), arabic],
    [said("yes"), WORLD],
  ] as const)
    assert.deepEqual(textsOf(runFlow(flow, second.place, event, world)), [
      "Order 1042 is cancelled.",
    ]);
});
