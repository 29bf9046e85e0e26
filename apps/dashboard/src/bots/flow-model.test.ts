import assert from "node:assert/strict";
import { test } from "node:test";
import { edgesOf, FLOW_STEP_TYPES, type FlowStep } from "../../../server/src/wire/flow.ts";
import type { BotDocument } from "./bots-query.ts";
import { beginEdits, edit, undo } from "./edits.ts";
import { addStep, deleteStep, moveStep, putStep, rawOf, renameStep } from "./flow-model.ts";
import { listOf } from "./flow-order.ts";
import { edgesOfStep, stepsOf } from "./flow-steps.ts";

const send = (next?: string) => ({ type: "send", text: { en: "Hi" }, ...(next && { next }) });
const flow = (steps: Readonly<Record<string, unknown>>, entry = "hello"): BotDocument => ({
  format: 1,
  kind: "flow",
  name: "Shop",
  handOver: { words: ["complaint"] },
  entry,
  steps,
});
const SHOP = flow({
  hello: send("menu"),
  menu: {
    type: "choose",
    text: { en: "What is it?" },
    choices: [
      { id: "order", label: { en: "Order" }, next: "number" },
      { id: "hours", label: { en: "Hours" }, next: "open" },
    ],
    otherwise: "person",
  },
  number: { type: "ask", text: { en: "Number?" }, into: "order", next: "thanks" },
  open: { type: "branch", cases: [{ if: { hours: "open" }, next: "yes" }], next: "no" },
  yes: send("thanks"),
  no: send("thanks"),
  thanks: send("back"),
  back: { type: "go_to", next: "menu" },
  person: { type: "hand_over" },
  lost: send(),
});
const lines = (document: BotDocument): string[] =>
  listOf(document).map(({ id, level }) => `${level} ${id}`);
const order = (document: BotDocument): string =>
  listOf(document)
    .map(({ id }) => id)
    .join(" ");

test("the list has each step once, in the order in which a customer meets them; a branch is one level deeper, what branches share is behind them", () => {
  assert.deepEqual(lines(SHOP), [
    "1 hello",
    "1 menu",
    "2 number",
    "2 open",
    "3 yes",
    "2 no",
    "2 person",
    "1 thanks",
    "1 back",
    "1 lost",
  ]);
  assert.deepEqual(
    listOf(SHOP).flatMap(({ id, by }) => (by ? [`${by.from} ${by.at} ${id}`] : [])),
    [
      "menu choices.0.next number",
      "menu choices.1.next open",
      "open cases.0.next yes",
      "menu otherwise person",
    ],
  );
});

const CHAIN = flow({ hello: send("b"), b: send("c"), c: send("d"), d: { type: "end" } });

test("a step moves over its neighbours, into a branch and out of it; what ends a line does not move", () => {
  const up = moveStep(CHAIN, "c", "up");
  assert.ok(up);
  assert.equal(order(up), "hello c b d");
  assert.deepEqual(moveStep(up, "c", "down"), CHAIN);
  const first = moveStep(CHAIN, "b", "up");
  assert.ok(first);
  assert.equal(order(first), "b hello c d");
  assert.equal(first["entry"], "b");
  assert.equal(moveStep(CHAIN, "hello", "up"), null);
  assert.equal(moveStep(CHAIN, "d", "up"), null);
  assert.equal(moveStep(CHAIN, "c", "down"), null);
  const inside = moveStep(SHOP, "hello", "down");
  assert.ok(inside);
  assert.deepEqual(lines(inside).slice(0, 3), ["1 menu", "2 hello", "2 number"]);
  const outside = moveStep(inside, "hello", "up");
  assert.deepEqual(outside, SHOP);
});

test("what led to a deleted step leads to what was behind it; another short name is written wherever it stands", () => {
  const without = deleteStep(SHOP, "thanks");
  assert.equal(stepsOf(without).get("yes")?.["next"], "back");
  assert.equal(stepsOf(without).size, stepsOf(SHOP).size - 1);
  // A case must lead somewhere: a fault says that it leads nowhere.
  const dangling = deleteStep(
    flow({ hello: stepsOf(SHOP).get("open"), yes: send(), no: send() }),
    "yes",
  );
  assert.deepEqual(edgesOfStep(stepsOf(dangling).get("hello") ?? {}), [
    { at: "cases.0.next", to: "yes" },
    { at: "next", to: "no" },
  ]);
  assert.equal(deleteStep(CHAIN, "hello")["entry"], "b");
  const renamed = renameStep(SHOP, "menu", "start");
  assert.ok(renamed);
  assert.equal(stepsOf(renamed).get("back")?.["next"], "start");
  assert.equal(stepsOf(renamed).get("hello")?.["next"], "start");
  assert.deepEqual(renameStep(renamed, "start", "menu"), SHOP);
  assert.equal(renameStep(SHOP, "menu", "open"), null);
  assert.equal(renameStep(SHOP, "menu", "قائمة"), null);
});

test("a new step is behind the one that is named, before what ends a line, or where an answer leads nowhere yet", () => {
  const behind = addStep(CHAIN, { type: "note", text: "x" }, { behind: "b" });
  assert.equal(order(behind.document), `hello b ${behind.id} c d`);
  assert.equal(order(addStep(CHAIN, { type: "note" }).document), "hello b c note d");
  const empty = addStep(flow({}, "x"), { type: "send" });
  assert.deepEqual([empty.document["entry"], order(empty.document)], ["send", "send"]);
  const choices = [{ id: "a", label: { en: "A" }, next: "hello" }, { id: "b" }];
  const menu = flow({ hello: { type: "choose", choices } });
  const answer = addStep(menu, { type: "send" }, { behind: "hello" });
  assert.deepEqual(lines(answer.document), ["1 hello", "2 send"]);
  const at = addStep(SHOP, { type: "end" }, { from: "person", at: "next" });
  assert.equal(stepsOf(at.document).get("person")?.["next"], "end");
});

test("letters typed into one field are undone together, other changes one by one", () => {
  let edits = beginEdits(CHAIN);
  const typed = (en: string) => putStep(edits.now, "b", { ...send("c"), text: { en } });
  edits = edit(edits, deleteStep(edits.now, "c"));
  edits = edit(edits, typed("H"), "b text.en");
  edits = edit(edits, typed("Ho"), "b text.en");
  edits = undo(edits);
  assert.deepEqual(edits.now, deleteStep(CHAIN, "c"));
  edits = undo(undo(edits));
  assert.deepEqual(edits.now, CHAIN);
});

/** Steps of all kinds, each with all its members. */
const text = { en: "Hi", ar: "أهلا" };
const waiting = { otherwise: "o", timeout: { minutes: 5, next: "t" } };
const FULL = {
  send: { type: "send", text, next: "n" },
  choose: { type: "choose", text, choices: [{ id: "a", label: text, next: "c" }], ...waiting },
  ask: { type: "ask", text, into: "x", next: "n", ...waiting },
  branch: { type: "branch", cases: [{ if: { tag: "vip" }, next: "c" }], next: "n" },
  set: { type: "set", variable: "x", value: "1", next: "n" },
  tag: { type: "tag", add: ["vip"], next: "n" },
  label: { type: "label", add: ["vip"], next: "n" },
  note: { type: "note", text: "x", next: "n" },
  confirm: { type: "confirm", text, next: "n", refused: "r", ...waiting },
  call: { type: "call", url: "https://shop.example", next: "n", otherwise: "o" },
  ai: { type: "ai", bot: "Layla", next: "n", otherwise: "o" },
  classify: {
    type: "classify",
    topics: [{ id: "a", description: "Orders", next: "c" }],
    otherwise: "o",
  },
  assign: { type: "assign", to: "nobody" },
  wait: { type: "wait", minutes: 1, next: "n" },
  hand_over: { type: "hand_over" },
  go_to: { type: "go_to", next: "n" },
  end: { type: "end" },
} as const satisfies Record<(typeof FLOW_STEP_TYPES)[number], FlowStep>;

test("the list knows every place at which the server finds the next step", () => {
  const sorted = (edges: readonly { readonly at: string }[]) => edges.map(({ at }) => at).sort();
  for (const type of FLOW_STEP_TYPES)
    assert.deepEqual(sorted(edgesOfStep(FULL[type])), sorted(edgesOf(FULL[type])), type);
});

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A draft that may hold anything: unknown kinds, edges to nowhere, members of nobody, what is no step. */
function randomDraft(random: (below: number) => number): BotDocument {
  const ids = Array.from({ length: 1 + random(9) }, (_, n) => `s${n}`);
  const some = () => ids[random(ids.length + 2)] ?? "nowhere";
  const step = (): unknown => {
    const type = FLOW_STEP_TYPES[random(FLOW_STEP_TYPES.length + 2)];
    if (type === undefined)
      return [{ type: "magic", next: some(), deep: { x: [1] } }, 7, null][random(3)];
    const lead = (value: object): object =>
      JSON.parse(JSON.stringify(value), (key, one: unknown) =>
        key === "otherwise" || key === "refused" || (key === "next" && typeof one === "string")
          ? some()
          : one,
      ) as object;
    return { ...lead(FULL[type]), extra: random(9) };
  };
  return {
    ...flow(Object.fromEntries(ids.map((id) => [id, step()])), some()),
    topics: [random(9)],
  };
}

test("200 random drafts: the list has every step once, and no change loses or alters what it does not name", () => {
  const random = numbers(7);
  /** What a step holds beside its edges. */
  const own = (step: unknown): unknown =>
    JSON.parse(
      JSON.stringify(step, (key, one: unknown) =>
        ["next", "otherwise", "refused"].includes(key) ? undefined : one,
      ),
    );
  for (let round = 0; round < 200; round++) {
    let document = randomDraft(random);
    for (let change = 0; change < 12; change++) {
      const before = document;
      const ids = Object.keys(rawOf(before));
      const id = ids[random(ids.length)] ?? "";
      assert.deepEqual(
        listOf(before)
          .map((one) => one.id)
          .sort(),
        [...ids].sort(),
      );
      let gone: string | null = null;
      let names = (name: string) => name;
      switch (random(4)) {
        case 0:
          document = moveStep(before, id, random(2) === 0 ? "up" : "down") ?? before;
          break;
        case 1:
          if (ids.length > 1) document = deleteStep(before, (gone = id));
          break;
        case 2: {
          const to = `r${round}_${change}`;
          document = renameStep(before, id, to) ?? before;
          names = (name) => (name === id ? to : name);
          assert.deepEqual(renameStep(document, to, id), before);
          break;
        }
        default:
          document = addStep(before, { type: "note", text: "x" }, { behind: id }).document;
      }
      const { steps: _a, entry: _b, ...others } = document;
      const { steps: _c, entry: _d, ...othersBefore } = before;
      assert.deepEqual(others, othersBefore);
      for (const one of ids)
        if (one !== gone)
          assert.deepEqual(
            own(rawOf(document)[names(one)]),
            own(rawOf(before)[one]),
            `${round} ${one}`,
          );
      assert.deepEqual(undo(edit(beginEdits(before), document)).now, before);
    }
  }
});
