import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, inkOn, parseColor, visibleOn } from "../src/color.ts";

test("contrast is that of WCAG 2", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.equal(contrast("#767676", "#ffffff").toFixed(2), "4.54");
  assert.equal(contrast("#ff0000", "#ffffff").toFixed(2), "4.00");
});

test("text on any colour can be read", () => {
  for (let red = 0; red < 256; red += 15)
    for (let green = 0; green < 256; green += 15)
      for (let blue = 0; blue < 256; blue += 15) {
        const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
        assert.ok(contrast(color, inkOn(color)) >= 4.5, color);
      }
});

test("a colour that cannot be seen on its ground gives way to the ink", () => {
  assert.equal(visibleOn("#ffff00", "#ffffff", "#111111"), "#111111");
  assert.equal(visibleOn("#0b6b4a", "#ffffff", "#111111"), "#0b6b4a");
});

test("colours are hex, three digits or six; anything else is none", () => {
  const cases: [string | null, string | null][] = [
    ["#0A7CFF", "#0a7cff"],
    [" 0a7cff ", "#0a7cff"],
    ["#abc", "#aabbcc"],
    ["red", null],
    ["#12345", null],
    ["#0a7cff;background:url(x)", null],
    ["", null],
    [null, null],
  ];
  for (const [value, expected] of cases) assert.equal(parseColor(value), expected, String(value));
});
