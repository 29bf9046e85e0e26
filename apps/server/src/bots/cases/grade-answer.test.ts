import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../../errors.ts";
import { readCase, type GivenCase } from "./bot-case.ts";
import { gradeAnswer, holds, type Graded } from "./grade-answer.ts";

const right: Graded = {
  decision: "answer",
  text: "We deliver within 2 working days, from 1.5 KWD.",
  checks: [{ name: "sources", ok: true, detail: "" }],
  reason: null,
  sources: ["delivery", "01a3b0e2-7c00-7000-8000-0123456789ab"],
};
const grade = (wanted: Omit<GivenCase, "question">, answer: Partial<Graded> = {}) =>
  gradeAnswer(readCase({ question: "How long?", ...wanted }), { ...right, ...answer });
const what = (...given: Parameters<typeof grade>) => grade(...given)?.what ?? null;

test("an answer is right when it holds every piece, none of the others, and cites what it must", () => {
  assert.equal(
    grade({
      mustHold: ["2 WORKING  days", "1.5 KWD"],
      mustNotHold: ["free"],
      sources: ["delivery"],
      decision: "answer",
      lang: "en",
    }),
    null,
  );
});

test("pieces are compared on folded text: case, vowel signs, forms of letters and digits do not count", () => {
  for (const [text, piece] of [
    ["التوصيل خلال ٣ أيّامٍ", "3 ايام"],
    ["نوصل إلى الأحمدي", "الى الاحمدى"],
    ["ＦＲＥＥ delivery", "free"],
    ["within\n2 days", "within 2 days"],
  ] as const)
    assert.equal(holds(text, piece), true, `${text} holds ${piece}`);
  assert.equal(holds("within two days", "2 days"), false);
});

test("a number is not found inside a longer one", () => {
  for (const [text, piece] of [
    ["in 15 days", "5 days"],
    ["for 1.5 KWD", "5 KWD"],
    ["for 5.250 KWD", "5"],
    ["for ١٥ د.ك", "5"],
    ["costs 50", "5"],
  ] as const)
    assert.equal(holds(text, piece), false, `${text} does not hold ${piece}`);
  assert.equal(holds("15 or 5 days", "5 days"), true);
  assert.equal(holds("It is 5.", "5"), true);
});

test("the first difference says what was compared, what is wanted and what was answered", () => {
  assert.deepEqual(grade({ mustHold: ["2 working days", "free"] }), {
    what: "must_hold",
    wanted: "free",
    got: right.text,
  });
  assert.deepEqual(grade({ mustNotHold: ["kwd"] })?.what, "must_not_hold");
  assert.deepEqual(grade({ sources: ["returns"] }), {
    what: "source",
    wanted: "returns",
    got: right.sources.join(", "),
  });
  assert.deepEqual(grade({ decision: "hand_over" }), {
    what: "decision",
    wanted: "hand_over",
    got: "answer",
  });
  assert.deepEqual(grade({ lang: "ar" }), { what: "language", wanted: "ar", got: "en" });
});

test("a model that does not answer is never right", () => {
  const none = { decision: null, text: "", reason: "timeout" };
  for (const wanted of [{ decision: "hand_over" }, { mustNotHold: ["x1"] }] as const)
    assert.deepEqual(grade(wanted, none), { what: "model", wanted: "", got: "timeout" });
});

test("what a check kept back was not said: it counts as handed over", () => {
  const kept = { checks: [{ name: "facts", ok: false, detail: "9 KWD" }] } as const;
  assert.deepEqual(grade({ mustHold: ["2 working days"] }, kept), {
    what: "check",
    wanted: "facts",
    got: "9 KWD",
  });
  assert.equal(what({ decision: "answer" }, kept), "check");
  assert.equal(what({ decision: "hand_over", mustNotHold: ["KWD"] }, kept), null);
});

test("a talk ends with the customer, and plain lines are said in turn", () => {
  const { talk } = readCase({ talk: ["Hi", "Hello, how can I help?", "How long?"], lang: "en" });
  assert.deepEqual(
    talk.map(({ from }) => from),
    ["customer", "bot", "customer"],
  );
  const refuses = (given: GivenCase, path: string) =>
    assert.throws(
      () => readCase(given),
      (error) => error instanceof AppError && error.message.includes(path),
    );
  const lines = [
    { from: "customer", text: "Hi" },
    { from: "bot", text: "Hello" },
  ] as const;
  refuses({ talk: lines, lang: "en" }, "talk");
  refuses({ talk: ["Hi"], question: "Hi", lang: "en" }, "question");
  refuses({ question: "   ", lang: "en" }, "question");
  refuses({ question: "Hi" }, "mustHold");
  refuses({ question: "Hi", mustNotHold: ["\u064b"] }, "mustNotHold");
});
