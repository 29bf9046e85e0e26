import assert from "node:assert/strict";
import { test } from "node:test";
import { ar } from "../src/texts/ar.ts";
import { en } from "../src/texts/en.ts";
import { chooseLocale, Language } from "../src/texts/texts.ts";

test("the first locale that is spoken here is chosen", () => {
  const cases: [(string | null)[], string][] = [
    [["ar"], "ar"],
    [["ar-EG", "en"], "ar-EG"],
    [[null, "de", "en-GB"], "en-GB"],
    [["not a locale!", "", "ar"], "ar"],
    [["fr"], "en"],
    [[], "en"],
  ];
  for (const [wanted, locale] of cases) assert.equal(chooseLocale(wanted), locale);
});

test("Arabic counts in six forms, English in two", () => {
  const arabic = new Language("ar-u-nu-latn");
  assert.deepEqual(
    [0, 1, 2, 3, 11, 100].map((count) => arabic.count("unread", count)),
    [
      "لا رسائل غير مقروءة",
      "رسالة واحدة غير مقروءة",
      "رسالتان غير مقروءتين",
      "3 رسائل غير مقروءة",
      "11 رسالة غير مقروءة",
      "100 رسالة غير مقروءة",
    ],
  );
  const english = new Language("en");
  assert.equal(english.count("unread", 1), "1 unread message");
  assert.equal(english.count("unread", 1_200), "1,200 unread messages");
});

test("every text is there in both languages, with the same blanks, and every plural form has its text", () => {
  assert.deepEqual(Object.keys(ar).sort(), Object.keys(en).sort());
  const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort();
  for (const [key, text] of Object.entries(en)) {
    const other: unknown = Reflect.get(ar, key);
    if (typeof text === "string") {
      assert.ok(typeof other === "string" && /\p{Script=Arabic}/u.test(other), key);
      assert.deepEqual(blanks(other), blanks(text), key);
    } else {
      const forms = new Intl.PluralRules("ar").resolvedOptions().pluralCategories;
      assert.deepEqual(Object.keys(Object(other)).sort(), [...forms].sort(), key);
    }
  }
});

test("times are near ones in words, then the hour; days are named, then dated", () => {
  const english = new Language("en-GB");
  const now = new Date(2026, 2, 4, 15, 30);
  const times: [Date, string][] = [
    [new Date(2026, 2, 4, 15, 29, 30), "Just now"],
    [new Date(2026, 2, 4, 15, 31), "Just now"],
    [new Date(2026, 2, 4, 15, 25), "5 min ago"],
    [new Date(2026, 2, 4, 9, 5), "09:05"],
  ];
  for (const [at, text] of times) assert.equal(english.time(at, now), text);
  const days: [Date, string][] = [
    [new Date(2026, 2, 4, 0, 1), "Today"],
    [new Date(2026, 2, 3, 23, 59), "Yesterday"],
    [new Date(2026, 2, 2), "Monday"],
    [new Date(2026, 0, 15), "15 January"],
    [new Date(2025, 11, 31), "31 December 2025"],
  ];
  for (const [at, text] of days) assert.equal(english.day(at, now), text);
  assert.equal(new Language("ar").day(new Date(2026, 2, 3), now), "أمس");
});

test("sizes are said in the unit that fits", () => {
  const english = new Language("en");
  assert.equal(english.size(1), "1 kB");
  assert.equal(english.size(820_400), "801 kB");
  assert.equal(english.size(10 * 1024 * 1024), "10 MB");
  assert.equal(english.size(1_650_000), "1.6 MB");
});
