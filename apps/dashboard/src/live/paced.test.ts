import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Paced } from "./paced.ts";

test("the first call is made at once, those that follow together when the gap is over, and none after the end", (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  let calls = 0;
  const paced = new Paced(() => (calls += 1), 1_000, Date.now);
  paced.ask();
  assert.equal(calls, 1);
  paced.ask();
  t.mock.timers.tick(400);
  paced.ask();
  assert.equal(calls, 1);
  t.mock.timers.tick(600);
  assert.equal(calls, 2);
  t.mock.timers.tick(5_000);
  assert.equal(calls, 2, "nobody asked");
  paced.ask();
  assert.equal(calls, 3);
  paced.ask();
  paced.stop();
  t.mock.timers.tick(5_000);
  assert.equal(calls, 3);
});
