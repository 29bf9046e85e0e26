import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsTrigger, triggerOf } from "./live-bot.ts";

const begins = (words: readonly string[], text: string | null): boolean =>
  fitsTrigger(triggerOf({ trigger: { words } }), {
    channelId: "x",
    channelType: "WHATSAPP",
    text,
  });

test("a word begins a bot in each of its spellings, with the signs that it is written with, and only as a word", () => {
  for (const [word, text] of [
    ["طلبي", "وين طلبى؟"],
    ["طلبي", "طَلَبي"],
    ["إلغاء", "الغاء الطلب"],
    ["عودة", "عوده"],
    ["e-mail", "my E-Mail please"],
    ["what's up", "What’s up"],
    ["5", "رقم ٥"],
    ["👍", "ok 👍"],
  ] as const)
    assert.ok(begins([word], text), `${word} in ${text}`);
  for (const [word, text] of [
    ["order", "reorder"],
    ["order", null],
    ["👍", "ok"],
  ] as const)
    assert.ok(!begins([word], text), `${word} in ${text ?? "a file"}`);
});

test("empty words are no condition", () => {
  assert.ok(begins(["", "  "], "Hello"));
  assert.ok(!begins(["", "order"], "Hello"));
});
