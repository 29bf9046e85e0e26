import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { partsOf } from "./providers/smpp/parts.ts";
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

test("a text forced to UCS-2 costs as UCS-2, part for part what SMPP sends", () => {
  for (const length of [1, 70, 71, 134, 135, 1000]) {
    const text = "a".repeat(length);
    const { encoding, segments } = countSegments(text, true);
    assert.deepEqual([encoding, segments], ["UCS-2", partsOf(text, 1, true).length]);
  }
});

// What people write: letters of both alphabets, the extension table, combining marks, pictures of one unit and of
// many (skin tones, families, flags), line ends, and half surrogate pairs, which no keyboard makes.
const GSM = Array.from("abcXYZ 019@$_éÇΔ§¿à\n\r").concat("\r\n");
const EXTENSION = Array.from("^{}\\[~]|€\f");
const WIDE = [
  "م",
  "رَ",
  "لّٰ",
  "ç",
  "“",
  "—",
  "\u00a0",
  "e\u0301",
  "क्षि",
  "한",
  "é",
  "\u200d",
  "\u200f",
];
const PICTURES = ["😀", "👍🏽", "❤️", "👨‍👩‍👧‍👦", "🇰🇼", "🏳️‍🌈", "1️⃣"];
const HALVES = ["\ud83d", "\ude00"];
/** `whole`: no letter consists of several code points, so nothing at all may differ. */
const KINDS: readonly [name: string, letters: readonly string[], most: number, whole?: true][] = [
  ["GSM-7", GSM, 330, true],
  ["GSM-7 with its extension", [...GSM, ...EXTENSION], 330, true],
  ["the extension alone", EXTENSION, 170, true],
  ["Arabic", ["م", "رَ", "ح", "ب", "ا", " ", "لّٰ", "\u200f"], 160],
  ["pictures", [...PICTURES, " ", "a"], 60],
  ["mixed", [...GSM, ...EXTENSION, ...WIDE, ...PICTURES], 160],
  ["emoji and Arabic of one code point each", [...Array.from("محبا😀🙏🌷 a€"), "ç"], 160, true],
  ["halves of pairs", [...HALVES, "a", "م", "😀"], 200],
];
for (const [name, letters, most, whole] of KINDS)
  test(`three hundred texts of ${name} are cut where the public calculator cuts them`, () => {
    // Without `size` the texts stay at some ten letters, and nothing is ever cut.
    let [long, apart] = [0, 0];
    const text = fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength: most, size: "max" })
      .map((characters) => characters.join(""));
    fc.assert(
      fc.property(text, (one) => {
        const counted = countSegments(one);
        const public_ = new SegmentedMessage(one);
        if (counted.segments > 1) long++;
        assert.equal(counted.encoding, public_.encodingName);
        const sizes = public_.segments.map((segment) => segment.messageSizeInBits());
        const bits = sizes.reduce((sum, size) => sum + size, 0);
        assert.equal(counted.units, bits / (counted.encoding === "GSM-7" ? 7 : 16));
        const parts = bitsOf(one);
        assert.equal(parts.length, counted.segments);
        if (parts.join() === sizes.join()) return;
        // The one difference: the public calculator keeps what people see as one letter in one part, where we cut
        // between code points, as gateways do. The phone puts the parts together again, so the text is the same.
        assert.equal(counted.encoding, "UCS-2");
        assert.ok(cutsInside(public_.graphemes, parts), "cut elsewhere");
        assert.ok(counted.segments <= public_.segmentsCount);
        apart++;
      }),
      { numRuns: 300 },
    );
    assert.ok(long >= 90, `${long} of several parts`);
    if (whole) assert.equal(apart, 0);
  });

/** The size of each part as SMPP sends it, without its header. */
function bitsOf(text: string): number[] {
  return partsOf(text, 1, false).map(({ data_coding, esm_class, short_message }) => {
    const bytes = short_message.length - (esm_class === 0 ? 0 : 6);
    return bytes * (data_coding === 0 ? 7 : 8);
  });
}

/** Whether a part ends within a grapheme. Sizes are in bits of UCS-2. */
function cutsInside(graphemes: readonly string[], parts: readonly number[]): boolean {
  const starts = new Set<number>();
  let at = 0;
  for (const grapheme of graphemes) {
    starts.add(at);
    at += grapheme.length;
  }
  let end = 0;
  return parts.slice(0, -1).some((bits) => !starts.has((end += bits / 16)));
}
