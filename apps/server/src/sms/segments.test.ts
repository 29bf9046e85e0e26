import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { countSegments } from "./segments.ts";

const table: [text: string, encoding: string, segments: number][] = [
  ["", "GSM-7", 1],
  ["a".repeat(160), "GSM-7", 1],
  ["a".repeat(161), "GSM-7", 2],
  ["a".repeat(306), "GSM-7", 2],
  ["a".repeat(307), "GSM-7", 3],
  ["a".repeat(159) + "€", "GSM-7", 2],
  ["€".repeat(80), "GSM-7", 1],
  ["€".repeat(81), "GSM-7", 2],
  ["a".repeat(152) + "€" + "a".repeat(152), "GSM-7", 3],
  ["a".repeat(1000), "GSM-7", 7],
  ["م".repeat(70), "UCS-2", 1],
  ["م".repeat(71), "UCS-2", 2],
  ["م".repeat(134), "UCS-2", 2],
  ["م".repeat(135), "UCS-2", 3],
  ["😀".repeat(35), "UCS-2", 1],
  ["😀".repeat(36), "UCS-2", 2],
  ["م".repeat(66) + "😀" + "م".repeat(66), "UCS-2", 3],
  ["a".repeat(70) + "ç", "UCS-2", 2],
  ["م".repeat(1000), "UCS-2", 15],
  ["`", "UCS-2", 1],
  ["\u00a0", "UCS-2", 1],
];
test("the documented lengths cost what they must", () => {
  for (const [text, encoding, segments] of table) {
    const counted = countSegments(text);
    const name = `${text.slice(0, 3)}… (${text.length})`;
    assert.deepEqual([counted.encoding, counted.segments], [encoding, segments], name);
  }
});

test("a thousand texts cost what the public calculator says", () => {
  const letters = fc.constantFrom(
    ...Array.from("aZ9 @€[]^{}|~\\éÇ\n"),
    "م",
    "😀",
    "ç",
    "“",
    "—",
    "`",
  );
  const gsm = fc.constantFrom(...Array.from("abcXYZ 019€[]^Δ_é\n"));
  const texts = fc.oneof(
    fc.array(gsm, { minLength: 1, maxLength: 700 }),
    fc.array(letters, { minLength: 1, maxLength: 400 }),
  );
  fc.assert(
    fc.property(texts, (characters) => {
      const text = characters.join("");
      return countSegments(text).segments === new SegmentedMessage(text).segmentsCount;
    }),
    { numRuns: 1_000 },
  );
});
