import assert from "node:assert/strict";
import { test } from "node:test";
import type { SendOutcome } from "../channels/adapter.ts";
import { judgeOutcome, type Road } from "./judge-outcome.ts";

const fault = { ok: false, code: "1", detail: "d" } as const;
const HOUR = 3_600_000;

/** In words: what the outcome means for the message, and then what it means beyond it. */
const words = (outcome: SendOutcome, road: Road, calls = 1): string => {
  const { message, wider } = judgeOutcome(outcome, { to: "96550001001", road, calls });
  const after = message.kind === "again" ? ` ${message.afterMs}` : "";
  const stopped = message.kind === "failed" && message.optedOut ? " opted out" : "";
  const wait = wider?.kind === "throttled" ? ` ${wider.waitMs}` : "";
  return `${message.kind}${after}${stopped} / ${wider?.kind ?? "-"}${wait}`;
};

test("what each outcome means for a message and beyond it, on each road", () => {
  const table: [SendOutcome, string, string, string][] = [
    [{ ok: true, externalId: "x" }, "sent / -", "sent / -", "sent / -"],
    [{ ...fault, reason: "rejected" }, "failed / -", "failed / -", "failed / -"],
    [
      { ...fault, reason: "rejected", onceMore: true },
      "again 5000 / -",
      "again 5000 / -",
      "failed / -",
    ],
    [
      { ...fault, reason: "rejected", scope: "template" },
      "failed / refused",
      "failed / refused",
      "failed / refused",
    ],
    [
      { ...fault, reason: "rejected", scope: "account" },
      "failed / refused",
      "failed / refused",
      "failed / refused",
    ],
    [
      { ...fault, reason: "misconfigured" },
      "failed / channel_fault",
      "failed / channel_fault",
      "failed / channel_fault",
    ],
    [
      { ...fault, reason: "opted_out" },
      "failed opted out / -",
      "failed opted out / -",
      "failed opted out / -",
    ],
    [{ ...fault, reason: "unknown" }, "unknown / -", "unknown / -", "unknown / -"],
    [
      { ...fault, reason: "unreachable" },
      "again 5000 / unreached",
      "again 5000 / unreached",
      "failed / unreached",
    ],
    [
      { ...fault, reason: "throttled" },
      "again 10000 / throttled 10000",
      "again 10000 / throttled 10000",
      "failed / throttled 10000",
    ],
    [
      { ...fault, reason: "throttled", scope: "recipient" },
      "again 6000 / -",
      "again 6000 / -",
      "failed / -",
    ],
  ];
  for (const [outcome, ...wanted] of table)
    assert.deepEqual(
      (["reply", "campaign", "passcode"] as const).map((road) => words(outcome, road)),
      wanted,
      JSON.stringify(outcome),
    );
});

test("a provider's wait is kept between a quarter of a second and an hour", () => {
  for (const [retryAfterMs, waitMs] of [
    [0, 250],
    [5, 250],
    [4_000, 4_000],
    [24 * HOUR, HOUR],
  ])
    for (const road of ["reply", "campaign"] as const) {
      const throttled = { ...fault, reason: "throttled", retryAfterMs: retryAfterMs ?? 0 } as const;
      assert.equal(words(throttled, road), `again ${waitMs} / throttled ${waitMs}`);
      const pair = { ...throttled, scope: "recipient" } as const;
      assert.equal(words(pair, road), `again ${waitMs} / -`);
    }
});

test("a reply's tries end after an hour, and a campaign recipient's after about 20 minutes", () => {
  const unreachable = { ...fault, reason: "unreachable" } as const;
  const pair = { ...fault, reason: "throttled", scope: "recipient" } as const;
  assert.equal(words(unreachable, "reply", 10), "again 1045000 / unreached");
  assert.equal(words(unreachable, "reply", 11), "failed / unreached");
  assert.equal(words(pair, "reply", 19), "again 114000 / -");
  assert.equal(words(pair, "reply", 20), "failed / -");
  assert.equal(words(pair, "campaign", 2), "again 12000 / -");
  assert.equal(words(unreachable, "campaign", 9), "again 300000 / unreached");
  assert.equal(words(unreachable, "campaign", 10), "failed / unreached");
  assert.equal(words({ ...fault, reason: "rejected", onceMore: true }, "reply", 2), "failed / -");
});

test("a text is never tried again once some of its parts were taken", () => {
  const part = { ...fault, partsTaken: 1 } as const;
  assert.equal(
    words({ ...part, reason: "throttled", scope: "account" }, "campaign"),
    "failed / throttled 10000",
  );
  assert.equal(words({ ...part, reason: "unreachable" }, "campaign"), "failed / unreached");
  assert.equal(words({ ...part, reason: "misconfigured" }, "campaign"), "failed / channel_fault");
  assert.equal(words({ ...part, reason: "rejected" }, "campaign"), "failed / -");
  assert.equal(words({ ...part, reason: "unknown" }, "campaign"), "unknown / -");
});
