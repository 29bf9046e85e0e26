import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { BUNDLE, buildWidget } from "../build.ts";

test("the committed script is what the sources build (`npm run widget`)", async () => {
  assert.ok(readFileSync(BUNDLE, "utf8") === (await buildWidget()), "run `npm run widget`");
});

test("the script is under 20 kB on the wire, and asks for nothing a strict policy forbids", () => {
  const code = readFileSync(BUNDLE, "utf8");
  assert.ok(gzipSync(code).length < 20_000, `${gzipSync(code).length} bytes`);
  for (const forbidden of [
    /\beval\(/,
    /new Function\b/,
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write\b/,
    /https?:\/\/(?!www\.w3\.org\/)[a-z]/,
    /sourceMappingURL/,
  ])
    assert.equal(forbidden.exec(code)?.[0], undefined);
});
