import assert from "node:assert/strict";
import { test } from "node:test";
import { gather } from "./gather.ts";

test("keys of one turn are loaded together and once, and the next turn loads again", async () => {
  const asked: string[][] = [];
  const find = gather((keys) => {
    asked.push([...keys]);
    return Promise.resolve(
      new Map(keys.filter((key) => key !== "none").map((key) => [key, key.length])),
    );
  });
  assert.deepEqual(await Promise.all(["a", "bb", "a", "none"].map(find)), [1, 2, 1, undefined]);
  assert.deepEqual(asked, [["a", "bb", "none"]]);
  assert.equal(await find("a"), 1);
  assert.equal(asked.length, 2, "nothing is kept");
});

test("a load that fails, fails for its own callers and not for later ones", async () => {
  let fails = true;
  const find = gather((keys) =>
    fails ? Promise.reject(new Error("away")) : Promise.resolve(new Map([[keys[0] ?? "", 1]])),
  );
  const both = await Promise.allSettled([find("a"), find("b")]);
  assert.deepEqual(
    both.map((one) => one.status),
    ["rejected", "rejected"],
  );
  fails = false;
  assert.equal(await find("a"), 1);
});
