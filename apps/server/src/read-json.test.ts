import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson } from "./read-json.ts";

const many = (last: unknown) =>
  Buffer.from(JSON.stringify({ all: [...Array.from({ length: 80_000 }, () => []), last] }));

/** What two works take of the processor, in milliseconds, over many rounds in turns: a single round is below its grain. */
function processorTime(one: () => unknown, other: () => unknown): [number, number] {
  const taken: [number, number] = [0, 0];
  const count = (work: () => unknown) => {
    const begun = process.cpuUsage().user;
    work();
    return (process.cpuUsage().user - begun) / 1000;
  };
  for (let round = 0; round < 60; round++) {
    const [ours, theirs] = [count(one), count(other)];
    // The first rounds are compiled while they run.
    if (round < 10) continue;
    taken[0] += ours;
    taken[1] += theirs;
  }
  return taken;
}

test("a body of 80,000 values takes little more than its parser, and a fault in it is still named with its place", () => {
  const body = many([]);
  const text = body.toString();
  const [ours, parser] = processorTime(
    () => readJson(body),
    () => JSON.parse(text),
  );
  assert.ok(ours < parser * 6, `${ours} ms, the parser ${parser} ms`);
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
