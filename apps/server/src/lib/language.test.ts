import assert from "node:assert/strict";
import { test } from "node:test";
import { preferredLanguage } from "./language.ts";

test("the highest weight decides the language, and a country is no language", () => {
  const cases: [string | undefined, string | null][] = [
    ["ar-KW,ar;q=0.9,en;q=0.8", "ar"],
    ["es-AR,es;q=0.9,en;q=0.8", "en"],
    ["ar;q=0.1, en;q=0.9", "en"],
    ["fr, AR ; q=0.5", "ar"],
    ["ar;q=0, en", "en"],
    ["en_GB", "en"],
    ["arn-CL, de", null],
    ["", null],
    [undefined, null],
  ];
  for (const [asked, language] of cases)
    assert.equal(preferredLanguage(asked), language, String(asked));
});
