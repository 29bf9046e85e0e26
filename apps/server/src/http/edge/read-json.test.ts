import assert from "node:assert/strict";
import { test } from "node:test";
import { readJson } from "./read-json.ts";

const many = (last: unknown) =>
  Buffer.from(JSON.stringify({ all: [...Array.from({ length: 80_000 }, () => []), last] }));

/** What each of two works takes when nothing else has the processor: the shortest of many rounds, in turns. */
function shortest(one: () => unknown, other: () => unknown): [number, number] {
  const least: [number, number] = [Infinity, Infinity];
  for (let round = 0; round < 40; round++)
    for (const [n, work] of [one, other].entries()) {
      const begun = process.cpuUsage().user;
      work();
      const took = (process.cpuUsage().user - begun) / 1000;
      if (n === 0) least[0] = Math.min(least[0], took);
      else least[1] = Math.min(least[1], took);
    }
  return least;
}

test("a body of 80,000 values takes little more than its parser, and a fault in it is still named with its place", () => {
  const body = many([]);
  const text = body.toString();
  const [ours, parser] = shortest(
    () => readJson(body),
    () => JSON.parse(text),
  );
  assert.ok(ours < parser * 5, `${ours} ms, the parser ${parser} ms`);
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
