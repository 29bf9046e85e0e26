// alone: it measures the memory of its process.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { attributeTerms, keyMark } from "./attribute-terms.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes still in use, after the event loop has turned often enough to free the rest. */
async function alive(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

test("many different long names leave nothing in memory", async () => {
  const before = await alive();
  for (let n = 0; n < 600; n++) attributeTerms({ [`${n}${"k".repeat(15_000)}`]: "v" });
  const grown = (await alive()) - before;
  assert.ok(grown < 3_000_000, `${grown} bytes`);
});

test("a name has the same mark every time, whatever its length", () => {
  for (const key of ["shoe", "k".repeat(64), "k".repeat(65)]) {
    assert.match(keyMark(key), /^[0-9a-f]{8}$/);
    assert.equal(keyMark(key), keyMark(key));
  }
});
