import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutEcho } from "./without-echo.ts";

const cases: [words: string, text: string, left: string][] = [
  [
    "The 'To' number +1abc is not valid",
    "Your code is 482913",
    "The 'To' number +1abc is not valid",
  ],
  ["bad body: Your code is 482913", "Your code is 482913", "bad body: …"],
  ["bad body: YOUR CODE IS 482913!", "Your code is 482913", "bad body: …!"],
  ["refused 482913", "Your code is 482913.", "refused …"],
  ["refused 482", "Code 482-913", "refused …"],
  ["refused qwerty", "Code QWERTY", "refused …"],
  ["bad: رمزك هو ٤٨٢٩", "رمزك هو ٤٨٢٩", "bad: …"],
  ["cut: secret wo", "my secret words", "cut:…"],
];
test("an echo of the text is removed, the gateway's own words stay", () => {
  for (const [words, text, left] of cases) assert.equal(withoutEcho(words, text), left);
});

test("no passcode of digits and letters survives, wherever it is echoed", () => {
  const alphabet = Array.from("abcXYZ0123456789");
  const code = fc
    .array(fc.constantFrom(...alphabet), { minLength: 4, maxLength: 24 })
    .map((letters) => letters.join(""))
    .filter((text) => /\d/.test(text));
  fc.assert(
    fc.property(code, fc.string(), fc.string(), (passcode, before, after) => {
      const words = `${before} ${passcode} ${after}`;
      return !withoutEcho(words, `Your code: ${passcode}`).includes(passcode);
    }),
  );
});

test("a long text of one letter takes no longer than another", () => {
  const before = process.cpuUsage();
  assert.equal(withoutEcho("a".repeat(2_000), "a".repeat(60_000)), "…");
  const { user } = process.cpuUsage(before);
  assert.ok(user < 1_000_000, `${user} us`);
});
