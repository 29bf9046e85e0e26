import assert from "node:assert/strict";
import { test } from "node:test";
import { inboundNumber } from "./inbound-number.ts";

const CASES: readonly (readonly [string, Parameters<typeof inboundNumber>[1], string | null])[] = [
  ["+965 5000-0001", undefined, "96550000001"],
  ["0096550000001", undefined, "96550000001"],
  ["96550000001", undefined, "96550000001"],
  ["96550000001", { countryCode: "965" }, "96550000001"],
  ["whatsapp:+96550000001", undefined, "96550000001"],
  ["+٩٦٥٥٠٠٠٠٠٠١", undefined, "96550000001"],
  ["0501234567", { countryCode: "966" }, "966501234567"],
  ["(050) 123 4567", { countryCode: "966" }, "966501234567"],
  ["\u2066+965\u20115000\u20110001\u2069", { countryCode: "966" }, "96550000001"],
  ["\u200b+96550000001\u2060", { countryCode: "966" }, "96550000001"],
  ["0501234567", undefined, "0501234567"],
  ["00966501234567", { countryCode: "966" }, "966501234567"],
  ["+966501234567", { countryCode: "44" }, "966501234567"],
  ["50000001", { countryCode: "965", national: true }, "96550000001"],
  ["50000001", { countryCode: "965" }, "50000001"],
  ["50000001", { national: true }, "50000001"],
  ["Shop", undefined, null],
  ["1234", undefined, null],
  ["", undefined, null],
];
for (const [from, options, wanted] of CASES)
  test(`a sender ${JSON.stringify(from)} ${JSON.stringify(options ?? {})} is ${wanted ?? "nobody"}`, () => {
    assert.equal(inboundNumber(from, options), wanted);
  });
