import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestWord } from "./nearest-word.ts";

const KINDS = ["message.received", "message.created", "WHATSAPP", "segmentId", "tag", "url"];

test("the word that a mistyped one means: another case, one or two letters, letters in each other's place", () => {
  for (const [given, meant] of [
    ["message.recieved", "message.received"],
    ["whatsapp", "WHATSAPP"],
    ["segment", "segmentId"],
    ["tags", "tag"],
    ["ulr", "url"],
  ] as const)
    assert.equal(nearestWord(given, KINDS), meant);
});

test("a word that is like none, a short one and a very long one mean nothing", () => {
  for (const given of ["phone", "to", "", "message", "x".repeat(200_000)])
    assert.equal(nearestWord(given, KINDS), undefined);
});
