import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { describeForLog } from "../db/describe-for-log.ts";
import { NoAnswer } from "../db/time-limit.ts";
import { gatherLines } from "./gathered-lines.ts";

function openLog(everyMs: number) {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const log = pino(
    { base: null, timestamp: false, hooks: { logMethod: gatherLines(everyMs) } },
    stream,
  );
  return { log, lines };
}

test("an outage writes one line for each cause and later how often it came; the next outage writes again", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { log, lines } = openLog(10_000);
  const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:5432"), {
    code: "ECONNREFUSED",
  });
  for (let n = 0; n < 1_000; n++)
    log.warn({ requestId: `r${n}`, ...describeForLog(away) }, "overloaded");
  for (let n = 0; n < 30; n++) log.error({ worker: "w", ...describeForLog(away) }, "worker failed");
  log.warn(describeForLog(new NoAnswer("no answer in time")), "overloaded");
  const cause = { error: "Error", code: "ECONNREFUSED", reason: away.message };
  const first = { level: 40, requestId: "r0", ...cause, outage: true, msg: "overloaded" };
  const silent = { error: "Error", reason: "no answer in time", outage: true, msg: "overloaded" };
  const told = () => lines.splice(0).map((line) => ({ ...line, at: undefined }));
  const at = undefined;
  assert.deepEqual(told(), [
    { ...first, at },
    { level: 40, ...silent, at },
  ]);
  t.mock.timers.tick(10_000);
  const since = { overloaded: 999, "worker failed": 30 };
  assert.deepEqual(told(), [
    { level: 40, ...cause, times: 1_029, lines: since, msg: "the same again", at },
  ]);
  t.mock.timers.tick(20_000);
  log.warn({ requestId: "r0", ...describeForLog(away) }, "overloaded");
  assert.deepEqual(told(), [{ ...first, at }]);
});

test("a request's error is written each time, with its stack", () => {
  const { log, lines } = openLog(10_000);
  for (let n = 0; n < 2; n++)
    log.error({ requestId: `r${n}`, ...describeForLog(new TypeError("no")) }, "request failed");
  assert.equal(lines.length, 2);
  assert.ok(lines.every(({ at }) => Array.isArray(at) && at.length > 0));
});

test("a loop that fails in each round writes one line, and later how often; another worker and another fault are told", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { log, lines } = openLog(10_000);
  const fails = (worker: string, why: string) =>
    log.error({ worker, ...describeForLog(new TypeError(why)) }, "worker failed");
  for (let n = 0; n < 600; n++) fails("w", "no");
  fails("w", "why");
  fails("v", "no");
  for (let n = 0; n < 3; n++) log.warn("a sentence alone");
  for (let n = 0; n < 3; n++) log.info({ worker: "w" }, "news");
  assert.equal(lines.length, 4 + 3);
  assert.ok(Array.isArray(lines[0]?.["at"]));
  t.mock.timers.tick(10_000);
  const same = lines.slice(7).map(({ worker, times, lines }) => ({ worker, times, lines }));
  assert.deepEqual(same, [
    { worker: "w", times: 599, lines: { "worker failed": 599 } },
    { worker: undefined, times: 2, lines: { "a sentence alone": 2 } },
  ]);
  const [last] = lines.slice(-1);
  assert.deepEqual(Object.keys(last ?? {}).toSorted(), ["level", "lines", "msg", "times"]);
});

test("in a flood of different causes fifty are told apart", () => {
  const { log, lines } = openLog(10_000);
  for (let n = 0; n < 500; n++) log.warn({ error: `cause ${n}`, outage: true }, "lost");
  assert.equal(lines.length, 51);
});

test("of many different warnings each is written, because nothing else tells their ids", () => {
  const { log, lines } = openLog(10_000);
  for (let n = 0; n < 80; n++) log.warn({ noticeId: n }, "mail failed");
  assert.equal(lines.length, 80);
});
