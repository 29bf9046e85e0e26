import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { pino } from "pino";
import { describeForLog } from "../db/describe-for-log.ts";
import { NoAnswer } from "../db/time-limit.ts";
import { gatherOutages } from "./gathered-lines.ts";

function openLog(everyMs: number) {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const log = pino(
    { base: null, timestamp: false, hooks: { logMethod: gatherOutages(everyMs) } },
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

test("an error that is no outage is written each time, with its stack", () => {
  const { log, lines } = openLog(10_000);
  for (let n = 0; n < 2; n++) log.error(describeForLog(new TypeError("no")), "request failed");
  assert.equal(lines.length, 2);
  assert.ok(lines.every(({ at }) => Array.isArray(at) && at.length > 0));
});

test("in a flood of different causes fifty are told apart", () => {
  const { log, lines } = openLog(10_000);
  for (let n = 0; n < 500; n++) log.warn({ error: `cause ${n}`, outage: true }, "lost");
  assert.equal(lines.length, 51);
});
