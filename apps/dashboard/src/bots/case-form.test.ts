import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, casesIn, isWhole, NEW_CASE, NoCases } from "./case-form.ts";

test("a form becomes a case: pieces are one a line, and lines before the question make a talk", () => {
  const form = { ...NEW_CASE, question: "How long?", mustHold: " 2 days \n\nKuwait" };
  assert.deepEqual(bodyOf(form), {
    question: "How long?",
    mustHold: ["2 days", "Kuwait"],
    mustNotHold: [],
    sources: [],
    decision: null,
    lang: null,
  });
  const before = [
    { from: "customer", text: "Hi" },
    { from: "bot", text: "  " },
  ] as const;
  assert.deepEqual(bodyOf({ ...form, before }).talk, [
    { from: "customer", text: "Hi" },
    { from: "customer", text: "How long?" },
  ]);
});

test("a case asks something and expects something", () => {
  assert.equal(isWhole({ ...NEW_CASE, question: "How long?" }), false);
  assert.equal(isWhole({ ...NEW_CASE, mustHold: "2 days" }), false);
  assert.equal(isWhole({ ...NEW_CASE, question: "How long?", decision: "hand_over" }), true);
});

test("a file of JSON lines is read, and the first line that is no case is named", () => {
  const [one] = casesIn('{"id":"a","question":"Hi","lang":"en"}\n\n');
  assert.deepEqual([one?.question, one?.lang, one?.mustHold], ["Hi", "en", []]);
  const lineOf = (text: string) => {
    try {
      casesIn(text);
    } catch (error) {
      return error instanceof NoCases ? error.line : error;
    }
    return null;
  };
  assert.deepEqual(
    [lineOf("{}\n[1]"), lineOf("{}\n{}\n{"), lineOf("\n"), lineOf('{"ask":"Hi"}')],
    [2, 3, 0, 1],
  );
});
