import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitTurn } from "./gateway-turns.ts";

test("all callers of one account wait in one line, callers of another account in another", async () => {
  const begun = performance.now();
  const at: number[] = [];
  const calls = ["a", "a", "a", "a"].map(async (account) => {
    await awaitTurn(account, 60);
    at.push(performance.now() - begun);
  });
  await awaitTurn("b", 60);
  await awaitTurn("c", undefined);
  assert.ok(at.length <= 1, "the others wait for nobody of this line");
  await Promise.all(calls);
  // Timers may be early by one.
  for (const [index, time] of at.entries()) assert.ok(time >= index * 60 - 3, `${index}: ${time}`);
});
