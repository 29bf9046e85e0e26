import assert from "node:assert/strict";
import { test } from "node:test";
import { texts as desk } from "./desk.ar.ts";
import { texts as first } from "./first.ar.ts";
import { texts as rest } from "./rest.ar.ts";

// U+200E, which the eye does not see.
const MARK = "\u200e";

test("the end of an address in an Arabic text has a mark: without it the signs after https: change their places", () => {
  const wrong = Object.entries({ ...first, ...desk, ...rest }).filter(([, text]) =>
    [...text.matchAll(/https?:\/\/[\w./-]*?(?=\.? |\.?$|[^\w./-])/g)].some(
      ({ 0: address, index }) => text[index + address.length] !== MARK,
    ),
  );
  assert.deepEqual(
    wrong.map(([key]) => key),
    [],
  );
});
