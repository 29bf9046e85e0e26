import assert from "node:assert/strict";
import { test } from "node:test";
import { METRICS, type SplitResult } from "../broadcasts/report/compare-variants.ts";
import { newcombe, wilson, type Rate } from "../broadcasts/report/split-statistics.ts";
import { comparisonTable } from "./broadcast-report.ts";
import { shareOption, variantsOption } from "./broadcast-variants.ts";

const rates = (count: number, sent: number) =>
  Object.fromEntries(METRICS.map((metric) => [metric, wilson(count, sent)])) as Record<
    (typeof METRICS)[number],
    Rate
  >;
const arm = (name: string, count: number, sent: number) => ({
  name,
  share: 0.45,
  total: sent,
  skipped: 0,
  pending: 0,
  sending: 0,
  failed: 0,
  sent,
  delivered: count,
  read: count,
  replied: count,
  optedOut: count,
  rates: rates(count, sent),
});

test("people read a line per variant, the hold-out, a line per comparison and the warnings", () => {
  const result: SplitResult = {
    id: "b",
    status: "RUNNING",
    variants: [arm("Short", 48, 80), arm("Long", 56, 70)],
    holdout: { share: 0.1, count: 17 },
    comparisons: [
      {
        metric: "read",
        variant: "Long",
        against: "Short",
        ...newcombe([56, 70], [48, 80]),
        verdict: "higher",
      },
    ],
    warnings: ["It runs."],
  };
  const lines = comparisonTable(result).split("\n");
  assert.match(lines[0] ?? "", /^variant +assigned +sent +delivered \(95 %\) +read/);
  assert.match(lines[1] ?? "", /^Short +80 +80 +48: 60\.0 % \(49\.0 %–70\.0 %\)/);
  assert.match(lines[3] ?? "", /^\(hold-out\) +17 +0$/);
  assert.equal(lines[5], "read: Long − Short = +20.0 points (+5.2 to +33.4): higher");
  assert.equal(lines[7], "! It runs.");
  // In columns: each value starts where its title does.
  assert.equal(lines[0]?.indexOf("delivered"), lines[2]?.indexOf("56:"));
});

test("variants must be JSON of their shape; a misspelt member is refused", () => {
  const good = [
    { name: "A", share: 0.5, templateId: "t", variables: { "1": "x" } },
    { name: "B", share: 0.5, templateId: "u", header: { file: "sale.png" }, buttons: { "0": "x" } },
  ];
  assert.deepEqual(variantsOption(JSON.stringify(good)), good);
  for (const bad of [
    "{",
    "{}",
    '[{"name":"A"}]',
    '[{"name":"A","share":"0.5"}]',
    '[{"name":"A","share":0.5,"boddy":"x"}]',
    '[{"name":"A","share":0.5,"variables":{"1":2}}]',
    '[{"name":"A","share":0.5,"variables":["x"]}]',
    '[{"name":"A","share":0.5,"header":{"files":"sale.png"}}]',
  ])
    assert.throws(() => variantsOption(bad), /It takes/, bad);
  assert.equal(shareOption("0.1"), 0.1);
  for (const bad of ["", "1", "-0.1", "x"]) assert.throws(() => shareOption(bad), /It takes/, bad);
});
