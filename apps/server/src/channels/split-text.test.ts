import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { TextLimit } from "./adapter.ts";
import { fits, measure, splitText } from "./split-text.ts";

const MESSENGER: TextLimit = { unit: "characters", most: 2000 };
const INSTAGRAM: TextLimit = { unit: "bytes", most: 1000 };
const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const graphemesOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
const bare = (text: string) => text.replaceAll(/\s+/gu, "");

/** The parts are in the text, in order, with only white space between and around them. */
function assertSplit(text: string, limit: TextLimit): string[] {
  const parts = splitText(text, limit);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    assert.ok(measure(part, limit) <= limit.most, `part ${index + 1} is too long`);
    assert.ok(part.isWellFormed());
    const found = text.indexOf(part, at);
    assert.ok(found >= at, `part ${index + 1} is not the text`);
    assert.equal(text.slice(at, found).trim(), "");
    at = found + part.length;
  }
  assert.equal(text.slice(at).trim(), "");
  return parts;
}

const words = fc.constantFrom(
  "hello",
  "طلبك",
  "في",
  "الطريق",
  "مرحبًا",
  "👨‍👩‍👧‍👦",
  "👍🏽",
  "🇰🇼",
  "e\u0301a\u0308",
  "नमस्ते",
  "注文",
  "한국어",
  "x".repeat(90),
);
const gaps = fc.constantFrom(" ", " ", " ", "\n", "\n\n", ". ", "؟ ", "! ", "。", "", "  ");
const texts = fc
  // Without a size fast-check makes ten characters at most: one part, nothing tried.
  .array(fc.tuple(words, gaps), { maxLength: 400, size: "max" })
  .map((pairs) => pairs.flat().join(""));

for (const limit of [
  MESSENGER,
  INSTAGRAM,
  { unit: "bytes", most: 120 },
  { unit: "characters", most: 97 },
] as const) {
  test(`any text in parts of ${limit.most} ${limit.unit} is the text, each part fits and no grapheme is torn`, () => {
    let cut = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const parts = assertSplit(text, limit);
        if (parts.length > 1) cut++;
        assert.equal(parts.length === 1 && fits(text, limit), fits(text, limit));
        if (graphemesOf(text).every((one) => fits(one, limit)))
          assert.deepEqual(
            parts.flatMap((part) => graphemesOf(bare(part))),
            graphemesOf(bare(text)),
          );
      }),
      { numRuns: 150 },
    );
    assert.ok(cut > 25, `only ${cut} of the texts were long enough to be cut`);
  });
}

test("any string is cut without a loss, also one long grapheme or only white space", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600, size: "max" }), (text) => {
      assertSplit(text, { unit: "bytes", most: 100 });
    }),
    { numRuns: 100 },
  );
  const zalgo = `a${"\u0301".repeat(5000)}`;
  assert.equal(assertSplit(zalgo, INSTAGRAM).join(""), zalgo);
  assert.deepEqual(splitText(" ".repeat(4096), MESSENGER), [" ".repeat(2000)]);
  assert.deepEqual(splitText("", MESSENGER), [""]);
});

test("a text that fits is one part, byte for byte", () => {
  for (const text of ["hi", "  spaced \n", "ا".repeat(500), "x".repeat(1000)])
    assert.deepEqual(splitText(text, INSTAGRAM), [text]);
  assert.equal(splitText("ا".repeat(501), INSTAGRAM).length, 2);
});

test("a cut falls at a paragraph first, then at a sentence, then at a word", () => {
  const limit: TextLimit = { unit: "characters", most: 40 };
  assert.deepEqual(splitText("One two three. Four five six\n\nseven. Eight nine ten", limit), [
    "One two three. Four five six",
    "seven. Eight nine ten",
  ]);
  assert.deepEqual(splitText("One two three four five. Six seven eight nine ten", limit), [
    "One two three four five.",
    "Six seven eight nine ten",
  ]);
  assert.deepEqual(splitText("هل وصل الطلب إلى البيت؟ نعم وصل قبل ساعة تقريبا شكرا", limit), [
    "هل وصل الطلب إلى البيت؟",
    "نعم وصل قبل ساعة تقريبا شكرا",
  ]);
  assert.deepEqual(splitText("one two three four five six seven eight nine", limit), [
    "one two three four five six seven eight",
    "nine",
  ]);
});

test("a word of 5,000 characters is cut between characters, and families of emoji stay together", () => {
  const word = "ab".repeat(2500);
  assert.deepEqual(
    assertSplit(word, MESSENGER).map((part) => part.length),
    [2000, 2000, 1000],
  );
  assert.equal(assertSplit("ع".repeat(5000), INSTAGRAM).length, 10);
  const family = "👨‍👩‍👧‍👦";
  const parts = assertSplit(family.repeat(300), INSTAGRAM);
  assert.ok(parts.every((part) => part === family.repeat(part.length / family.length)));
});

test("a text of only full stops takes no longer than another", () => {
  const before = process.cpuUsage();
  assertSplit(".".repeat(70_000), { unit: "characters", most: 60_000 });
  assert.deepEqual(
    splitText(`${"x".repeat(30)}...。 ${"y".repeat(30)}`, { unit: "characters", most: 40 }),
    [`${"x".repeat(30)}...。`, "y".repeat(30)],
  );
  const { user } = process.cpuUsage(before);
  assert.ok(user < 3_000_000, `${user} us`);
});
