import assert from "node:assert/strict";
import { test } from "node:test";
import { invalid } from "../../errors.ts";
import { errorAnswer } from "./errors.ts";

test("the REST API answers where a fault is and what it must be; its reason is told to the dashboard alone", () => {
  const error = invalid("rules[0].value", "must be true or false", {
    code: "rule.flag",
    params: {},
  });
  const details = (body: string): unknown => JSON.parse(body).details;
  const words = { path: "rules[0].value", message: "must be true or false" };
  assert.deepEqual(details(errorAnswer(error).body), [words]);
  assert.deepEqual(details(errorAnswer(error, undefined, true).body), [
    { ...words, code: "rule.flag", params: {} },
  ]);
});
