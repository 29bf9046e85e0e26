import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { FAULTS } from "./fault-keys.ts";

const SERVER = path.join(import.meta.dirname, "../../../server/src");

test("every code of its own that the server stores with a failed message has words for the member", () => {
  const codes = new Set<string>();
  for (const file of globSync(["sending/**/*.ts", "messages/send/**/*.ts"], { cwd: SERVER })) {
    if (/\.(test|fixture)\.ts$/.test(file)) continue;
    const text = readFileSync(path.join(SERVER, file), "utf8");
    for (const [, code = ""] of text.matchAll(/\b(?:c|errorC)ode:\s*"([A-Z][A-Z_]+)"/g))
      codes.add(code);
    for (const [, code = ""] of text.matchAll(/\breadonly code: .*?"([A-Z][A-Z_]+)";/g))
      codes.add(code);
  }
  assert.ok(codes.size > 4, "the server's codes were found");
  assert.deepEqual(
    [...codes].filter((code) => !Object.hasOwn(FAULTS, code)),
    [],
  );
});
