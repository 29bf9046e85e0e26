import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationsHref, csvOf, daysOf } from "./report-rules.ts";

test("a period ends today and has its days", () => {
  const now = Date.UTC(2026, 10, 29, 23);
  assert.deepEqual(daysOf("7", now), { from: "2026-11-23", to: "2026-11-29" });
  assert.deepEqual(daysOf("month", now), { from: "2026-11-01", to: "2026-11-29" });
});

test("a number leads to the inbox, with what it counts and nothing else", () => {
  assert.equal(
    conversationsHref({ outcome: "handed_over", bot: "b", reason: "asked", channel: "" }),
    "/inbox/all?bot=b&outcome=handed_over&reason=asked",
  );
});

test("the file has a line for each number, and no topic is taken as a formula", () => {
  const csv = csvOf({
    from: "2026-11-01",
    to: "2026-11-29",
    runs: 2,
    outcomes: { resolved: 1, assisted: 0, handed_over: 1, abandoned: 0, open: 0, reopened: 0 },
    reasons: [{ reason: "asked", runs: 1 }],
    topics: [
      { topic: '=1+"2"', runs: 2 },
      { topic: "\uff1dsum", runs: 1 },
      { topic: "'=sum", runs: 1 },
    ],
    languages: [{ language: "ar", answers: 3 }],
    suggestions: { used: 1, edited: 0, discarded: 0, open: 0 },
    ratings: { good: 1, bad: 0 },
    cost: {
      money: 0.5,
      tokens: 10,
      days: [{ day: "2026-11-02", money: 0.5, tokens: 10 }],
      bots: [],
      members: { money: 0, tokens: 0 },
    },
  });
  assert.match(csv, /^figure,of,value,from,to\r\nruns,,2,2026-11-01,2026-11-29\r\n/);
  assert.match(csv, /topic,"'=1\+""2""",2,/);
  assert.match(csv, /topic,'\uff1dsum,1,/);
  assert.match(csv, /topic,''=sum,1,/);
  assert.match(csv, /money,2026-11-02,0\.5,/);
});
