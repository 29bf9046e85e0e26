import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, numberAt, numberOf, put, textAt, wordsOf } from "./ai-form.ts";

const document = {
  kind: "ai",
  instructions: "Be brief.",
  handOver: { words: ["agent"], text: { en: "A colleague will answer." } },
  limits: { turnsPerConversation: 4 },
  lookups: [{ name: "order" }],
};

test("a value is put into a document of a bot without losing what is around it", () => {
  const longer = put(document, ["handOver", "text", "ar"], "سيجيبك زميل.");
  assert.deepEqual(longer, {
    ...document,
    handOver: { words: ["agent"], text: { en: "A colleague will answer.", ar: "سيجيبك زميل." } },
  });
  const outside = put(document, ["handOver", "outside", "en"], "We are closed.");
  assert.equal(textAt(outside, "handOver", "outside", "en"), "We are closed.");
});

test("a member without a value leaves the document, and so does what it leaves empty", () => {
  const { limits: _limits, ...rest } = document;
  assert.deepEqual(put(document, ["limits", "turnsPerConversation"], undefined), rest);
  assert.deepEqual(put(rest, ["limits", "costPerDay"], undefined), rest);
});

test("fields show what a draft holds, and nothing where it holds something else", () => {
  assert.deepEqual(listAt(document, "instructions"), ["Be brief."]);
  assert.deepEqual(listAt(document, "handOver", "words"), ["agent"]);
  assert.deepEqual(listAt({ ...document, instructions: [1, "two"] }, "instructions"), ["two"]);
  assert.equal(numberAt(document, "limits", "turnsPerConversation"), "4");
  assert.equal(textAt(document, "handOver"), "");
  assert.equal(textAt(document, "kind", "deeper"), "");
  assert.equal(numberOf(" "), undefined);
  assert.equal(numberOf("0.5"), 0.5);
  assert.deepEqual(wordsOf("agent, موظف، "), ["agent", "موظف"]);
});
