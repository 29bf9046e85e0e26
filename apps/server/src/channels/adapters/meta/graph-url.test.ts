import assert from "node:assert/strict";
import { test } from "node:test";
import { graphUrl } from "./graph-url.ts";
import { parseJsonKeepingIds } from "./json.ts";

const CASES: readonly (readonly [given: string, wanted: string | null])[] = [
  ["https://graph.facebook.com/v25.0", "https://graph.facebook.com/v25.0"],
  ["https://graph.facebook.com/v23.0/", "https://graph.facebook.com/v23.0"],
  ["https://graph.facebook.com", "https://graph.facebook.com/v25.0"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4010/v25.0"],
  ["http://127.0.0.1:4010/whatsapp/", "http://127.0.0.1:4010/whatsapp/v25.0"],
  ["http://127.0.0.1:4010/whatsapp/v19.0", "http://127.0.0.1:4010/whatsapp/v19.0"],
  ["ftp://graph.facebook.com", null],
  ["graph.facebook.com", null],
  ["https://user:word@graph.facebook.com", null],
  ["https://graph.facebook.com/?x=1", null],
  ["", null],
];
for (const [given, wanted] of CASES) {
  test(`the base address "${given}" becomes ${wanted ?? "a refusal"}`, () => {
    assert.equal(graphUrl(given), wanted);
  });
}

test("ids beyond 2^53 keep their digits and other numbers stay numbers", () => {
  const source =
    '{"id":9007199254740993,"list":[-12345678901234567890],"small":5,"part":29.3759012345678901}';
  assert.deepEqual(parseJsonKeepingIds(source), {
    id: "9007199254740993",
    list: ["-12345678901234567890"],
    small: 5,
    part: 29.37590123456789,
  });
  assert.deepEqual(parseJsonKeepingIds('{"text":"call 9007199254740993"}'), {
    text: "call 9007199254740993",
  });
});
