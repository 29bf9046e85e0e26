import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  halveNumber,
  numberRate,
  openBudget,
  shareOf,
  type Asker,
  type NumberPace,
} from "./number-pace.ts";
import type { Pace } from "./pace.ts";

const START = Date.UTC(2026, 10, 1);
const DAY = 24 * 60 * 60_000;
const BARE: NumberPace = {
  account: "WHATSAPP  1",
  pace: { tokens: 0, at: null },
  ceiling: null,
  halvedAt: null,
  most: null,
  sharers: {},
};
const asker = (id: string, rateLimitPerMinute: number): Asker => ({
  id,
  rateLimitPerMinute,
  kind: "WHATSAPP_TEMPLATE",
  channelType: "WHATSAPP",
});

interface Sender {
  readonly asker: Asker;
  /** From and until when it has recipients, in ms. */
  readonly from?: number;
  readonly until?: number;
}

/** Lets each take as much as it may every quarter of a second; gives the places of each. */
function simulate(senders: readonly Sender[], ms: number, ceiling: number | null = null) {
  let number: NumberPace = {
    ...BARE,
    ceiling,
    halvedAt: ceiling === null ? null : new Date(START),
  };
  const own = new Map<string, Pace>();
  const sent = senders.map((): number[] => []);
  for (let at = 0; at < ms; at += 250) {
    const now = new Date(START + at);
    for (const [place, { asker: one, from = 0, until = Infinity }] of senders.entries()) {
      if (at < from || at >= until) continue;
      const budget = openBudget(own.get(one.id) ?? { tokens: 0, at: null }, number, one, now);
      if (budget.count > 0) {
        const taken = budget.take(budget.count, now);
        own.set(one.id, taken.own);
        ({ number } = taken);
        sent[place]?.push(...taken.places.map((one) => one - START));
      } else if (budget.wanting) number = { ...number, sharers: budget.wanting.sharers };
    }
  }
  return sent;
}

function most(times: readonly number[], ms = 60_000): number {
  const sorted = times.toSorted((a, b) => a - b);
  let first = 0;
  let found = 0;
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? 0) >= ms) first++;
    found = Math.max(found, index - first + 1);
  }
  return found;
}

/** A WhatsApp number at its platform's limit leaves a twentieth of it free. */
const spaced = (rate: number): number => (rate > 4_800 ? rate : Math.min(rate, 4_560));

test("shares are equal, and what some do not want goes to the rest", () => {
  for (const [total, rate, others, expected] of [
    [100, 100, [], 100],
    [100, 40, [], 40],
    [100, 100, [100], 50],
    [100, 100, [20], 80],
    [100, 20, [100, 100], 20],
    [100, 100, [20, 100], 40],
    [100, 100, [50, 20, 10], 35],
    [90, 100, [30, 30], 30],
    [10, 4_800, Array.from({ length: 19 }, () => 4_800), 0.5],
  ] as const)
    assert.equal(shareOf(total, rate, others), expected, `${total} ${rate} ${others.join()}`);
});

test("all shares together never exceed the total, and none exceeds what its campaign wants", () => {
  let seed = 7;
  const next = (most: number) => (seed = (seed * 16_807) % 2_147_483_647) % most;
  for (let round = 0; round < 500; round++) {
    const rates = Array.from({ length: 1 + next(9) }, () => 10 + next(5_000));
    const total = 10 + next(20_000);
    const parts = rates.map((rate, n) => shareOf(total, rate, rates.toSpliced(n, 1)));
    const sum = parts.reduce((all, one) => all + one, 0);
    const wanted = rates.reduce((all, one) => all + one, 0);
    assert.ok(
      Math.abs(sum - Math.min(total, wanted)) < 1e-6,
      `${sum} of ${total}: ${rates.join()}`,
    );
    for (const [n, part] of parts.entries()) assert.ok(part <= (rates[n] ?? 0) + 1e-9);
  }
});

test("a number sends what its platform allows, more when a campaign was set to more, less for a day after a refusal", () => {
  const now = new Date(START);
  assert.equal(numberRate(BARE, asker("a", 300), now), 4_800);
  assert.equal(numberRate(BARE, { ...asker("a", 300), channelType: "TELEGRAM" }, now), 1_500);
  assert.equal(numberRate(BARE, { ...asker("a", 300), kind: "SMS" }, now), 600);
  assert.equal(numberRate(BARE, asker("a", 60_000), now), 60_000);
  const beside = { ...BARE, sharers: { b: { rate: 9_000, at: START, credit: 0 } } };
  assert.equal(numberRate(beside, asker("a", 300), now), 9_000);
  const held = halveNumber(beside, asker("a", 300), now, now);
  assert.equal(numberRate(held, asker("a", 300), now), 4_500);
  assert.equal(numberRate(held, asker("a", 300), new Date(START + DAY - 1)), 4_500);
  assert.equal(numberRate(held, asker("a", 300), new Date(START + DAY)), 4_800);
});

test("an episode halves a number once, the next one again, and never below ten", () => {
  const at = (ms: number) => new Date(START + ms);
  const one = asker("a", 4_800);
  const first = halveNumber(BARE, one, at(0), at(500));
  assert.equal(first.ceiling, 2_400);
  assert.equal(halveNumber(first, one, at(499), at(900)), first);
  assert.equal(halveNumber(first, one, at(500), at(900)), first);
  assert.equal(halveNumber(first, one, at(501), at(900)).ceiling, 1_200);
  const low = { ...BARE, ceiling: 15, halvedAt: at(0) };
  assert.equal(halveNumber(low, one, at(1), at(2)).ceiling, 10);
});

test("the pace that a person allows the number holds whatever campaigns want; beside a refusal the lower one counts", () => {
  const now = new Date(START);
  const fast = asker("a", 60_000);
  const rate = (number: Partial<NumberPace>) => numberRate({ ...BARE, ...number }, fast, now);
  assert.equal(rate({ most: 300 }), 300);
  assert.equal(rate({ most: 1_000_000 }), 60_000);
  assert.equal(rate({ most: 300, ceiling: 200, halvedAt: now }), 200);
  assert.equal(rate({ most: 300, ceiling: 400, halvedAt: now }), 300);
  assert.equal(halveNumber({ ...BARE, most: 300 }, fast, now, now).ceiling, 150);
});

test("alone, a campaign has the number to itself: its pace is as without any", () => {
  for (const rate of [10, 300, 4_800, 60_000]) {
    const [sent = []] = simulate([{ asker: asker("a", rate) }], 180_000);
    assert.ok(most(sent) <= rate, `${most(sent)} of ${rate}`);
    assert.ok(most(sent, 1_000) <= Math.ceil(rate / 60), `${most(sent, 1_000)} at ${rate}`);
    assert.ok(sent.length >= 3 * 0.99 * spaced(rate) - 1, `${sent.length} at ${rate}`);
  }
});

test("a WhatsApp number that may get 80 messages a second gets no more of them, though calls arrive up to 50 ms late", () => {
  const late = fc.sample(fc.double({ min: 0, max: 50, noNaN: true }), {
    numRuns: 997,
    seed: 3,
  });
  for (const senders of [["a"], ["a", "b"], ["a", "b", "c"]]) {
    const places = simulate(
      senders.map((id) => ({ asker: asker(id, 4_800) })),
      120_000,
    ).flat();
    const arrived = places.map((at, n) => at + (late[n % late.length] ?? 0));
    assert.ok(most(arrived, 1_000) <= 80, `${most(arrived, 1_000)} of ${senders.join()}`);
    assert.ok(places.length >= 2 * 0.99 * spaced(4_800), String(places.length));
  }
});

test("twenty on a number of ten a minute all make progress, and none is ahead of another by more than two", () => {
  const senders = Array.from({ length: 20 }, (_, n) => ({ asker: asker(`c${n}`, 4_800) }));
  const sent = simulate(senders, 20 * 60_000, 10);
  const counts = sent.map((one) => one.length);
  assert.ok(most(sent.flat()) <= 10);
  assert.ok(sent.flat().length >= 170, String(sent.flat().length));
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, counts.join());
});

test("a slow one beside a fast one keeps its own pace, however the fast one empties the number", () => {
  const [fast = [], slow = []] = simulate(
    [{ asker: asker("a", 4_800) }, { asker: asker("b", 10) }],
    10 * 60_000,
  );
  assert.ok(slow.length >= 85, `${slow.length} of 90`);
  assert.ok(most([...fast, ...slow]) <= 4_800);
  assert.ok(fast.length >= 44_500, String(fast.length));
});

test("one that comes later has its half at once, and what one leaves goes to the other within seconds", () => {
  const senders = [
    { asker: asker("a", 4_800) },
    { asker: asker("b", 4_800), from: 60_000, until: 120_000 },
  ];
  const [first = [], second = []] = simulate(senders, 180_000);
  const within = (times: readonly number[], from: number, until: number) =>
    times.filter((at) => at >= from && at < until).length;
  assert.ok(Math.abs(within(second, 62_000, 120_000) - within(first, 62_000, 120_000)) <= 80);
  assert.ok(within(second, 60_000, 62_000) >= 60);
  assert.ok(within(first, 124_000, 180_000) >= 0.98 * 56 * 74.6);
  assert.ok(most([...first, ...second]) <= 4_800);
  // From the first second on, and in the seconds in which the other comes and goes.
  assert.ok(most([...first, ...second], 1_000) <= 84, String(most([...first, ...second], 1_000)));
});

test("a clock that stepped back by a day leaves nobody without a share", () => {
  const stale = { ...BARE, sharers: { b: { rate: 4_800, at: START + DAY, credit: 80 } } };
  const budget = openBudget({ tokens: 0, at: null }, stale, asker("a", 4_800), new Date(START));
  assert.equal(budget.count, 38);
  const { number } = budget.take(38, new Date(START));
  assert.deepEqual(Object.keys(number.sharers), ["a"]);
});

test("a clock that stepped back by a day makes no campaign wait for that day; a difference of seconds gives nothing", () => {
  const countsAfter = (aheadMs: number) => {
    let own: Pace = { tokens: 0, at: new Date(START + aheadMs) };
    let number: NumberPace = { ...BARE, pace: own };
    return [0, 1_000].map((ms) => {
      const now = new Date(START + ms);
      const budget = openBudget(own, number, asker("a", 4_800), now);
      // Nothing is written when nothing is sent.
      if (budget.count > 0) ({ own, number } = budget.take(budget.count, now));
      return budget.count;
    });
  };
  assert.deepEqual(countsAfter(DAY), [38, 38]);
  assert.deepEqual(countsAfter(5_000), [0, 0]);
});
