import assert from "node:assert/strict";
import { test } from "node:test";
import { IntlMessageFormat } from "intl-messageformat";
import { ar } from "./ar.ts";
import { en } from "./en.ts";
import { cutText, fillText, formsOf } from "./fill-text.ts";

const COUNTS = [0, 1, 2, 3, 10, 11, 99, 100, 102, 1_000, 12_345, 0.5];

test("every text of both languages is filled as the library for ICU fills it", () => {
  let texts = 0;
  for (const [language, all] of [
    ["en", en],
    ["ar-u-nu-latn", ar],
  ] as const) {
    const forms = formsOf(language);
    for (const [key, text] of Object.entries<string>(all)) {
      const cut = cutText(text);
      const expected = new IntlMessageFormat(text, language);
      const names = new Set([...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name ?? ""));
      const counted = new Set(
        [...text.matchAll(/\{\s*(\w+)\s*, *(?:plural|number)/g)].map(([, name]) => name ?? ""),
      );
      for (const count of counted.size > 0 ? COUNTS : [7]) {
        const values = Object.fromEntries(
          [...names].map((name) => [name, counted.has(name) ? count : `<${name}>`]),
        );
        assert.equal(fillText(cut, values, forms).join(""), expected.format(values), key);
        texts += 1;
      }
    }
  }
  assert.ok(texts > 5_000, `${texts} texts were compared`);
});

test("a text whose braces do not fit is refused", () => {
  for (const text of ["a } b", "{count, plural, one {x}}", "{", "{a b}", "{n, date}"])
    assert.throws(() => cutText(text), Error, text);
});
