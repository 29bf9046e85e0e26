import assert from "node:assert/strict";
import { test } from "node:test";
import { createImportBar } from "./import-bar.ts";

const sums = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  phonesCompleted: 0,
  emailsLeftOut: 0,
  stoppedAt: null,
};
async function read(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of source) void piece;
}
async function* bytes(length: number): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(length);
}

test("after a quarter of the file in ten seconds, thirty are left, with the rate of rows", async () => {
  let at = 0;
  const bar = createImportBar(4_000, () => at);
  await read(bar.watch(bytes(1_000)));
  at = 10_000;
  const line = bar.line({
    ...sums,
    rows: 1_000,
    created: 990,
    refused: 10,
    phonesCompleted: 0,
    emailsLeftOut: 0,
  });
  assert.equal(
    line,
    "[██████░░░░░░░░░░░░░░░░░░] 25 %  1000 rows, 100/s, 00:30 left: 990 new, 0 changed, 0 as they were, 10 refused",
  );
});

test("rows that a resumed import skips do not count in its rate", async () => {
  let at = 0;
  const bar = createImportBar(10_000, () => at);
  await read(bar.watch(bytes(5_000)));
  at = 1_000;
  assert.match(bar.line({ ...sums, rows: 500_000 }), /500000 rows, 1000\/s, – left/);
  await read(bar.watch(bytes(1_000)));
  at = 2_000;
  assert.match(bar.line({ ...sums, rows: 501_000 }), /60 % {2}501000 rows, 1000\/s, 00:08 left/);
});
