import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { InexactNumber, parseJson } from "./parse-json.ts";

test("numbers that a double would change are marked, wherever they stand; all others are plain numbers", () => {
  const changed = [
    "9007199254740993",
    "-12345678901234567890",
    // A double holds it, but writes it with other digits.
    "1152921504606846976",
    "0.1234567890123456789",
    "1234567.123456789012345678",
    "1e400",
    "-1E+309",
    "1e-400",
    `0.${"123456789".repeat(12)}`,
  ];
  for (const text of changed) {
    assert.deepEqual(parseJson(text), new InexactNumber(text), text);
    assert.deepEqual(parseJson(`{"a":[1, ${text}]}`), { a: [1, new InexactNumber(text)] });
    assert.deepEqual(parseJson(`{"a":"${text}"}`), { a: text });
  }
  const kept = [
    "9007199254740992",
    "1152921504606847000",
    "100000000000000000000000",
    "-0",
    "0.00000000000000000000",
    "1.500000000000000000000",
    // The same doubles, as other programs write them.
    "0.10000000000000001",
    "0.1000000000000000055511151231257827",
    "4.9e-324",
    "1.0E5",
    "1e+21",
  ];
  for (const text of kept) assert.equal(parseJson(text), Number(text), text);
  assert.throws(() => parseJson("[01234567890123456789]"), SyntaxError);
  assert.deepEqual(parseJson('{"__proto__":1e2}'), JSON.parse('{"__proto__":100}'));
});

test("whatever JSON.stringify writes is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(parseJson(text), JSON.parse(text));
    }),
    { numRuns: 300 },
  );
});
