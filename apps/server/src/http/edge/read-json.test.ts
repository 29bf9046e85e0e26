import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson } from "./read-json.ts";

const many = (last: unknown) =>
  Buffer.from(JSON.stringify({ all: [...Array.from({ length: 80_000 }, () => []), last] }));

/** The shortest of some rounds: what it takes when nothing else has the processor. */
function shortest(work: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < 15; round++) {
    const begun = performance.now();
    work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

test("a body of 80,000 values takes little more than its parser, and a fault in it is still named with its place", () => {
  const body = many([]);
  const text = body.toString();
  const [ours, parser] = [shortest(() => readJson(body)), shortest(() => JSON.parse(text))];
  assert.ok(ours < parser * 4, `${ours} ms, the parser ${parser} ms`);
  const faults = [
    ["a\0", "all.80000", "must not contain the character U+0000"],
    [{ b: "\ud800" }, "all.80000.b", "must not contain half of a surrogate pair"],
    [{ "\0": 1 }, "all.80000", "has a member whose name must not contain the character U+0000"],
  ] as const;
  for (const [last, path, message] of faults)
    assert.throws(() => readJson(many(last)), { facts: { details: [{ path, message }] } });
  const far = Buffer.from('{"n":[1,1e400]}');
  const details = [{ path: "n.1", message: "must be a finite number" }];
  assert.throws(() => readJson(far), { facts: { details } });
});
