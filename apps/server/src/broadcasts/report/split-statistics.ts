/** A share of a whole with the range in which the true share may lie, all from 0 to 1. */
export interface Rate {
  readonly count: number;
  readonly of: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** The range of a difference of two rates; `clear` when 0 is not in it. */
export interface Difference {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly clear: boolean;
}

/** 95 %, as a number of standard deviations. */
export const Z95 = 1.959964;

/**
 * The same for several comparisons that must hold together (Bonferroni): the more one compares, the more likely
 * one of them shows a difference by chance.
 */
export function zOf(comparisons: number): number {
  return Z[Math.min(Math.max(comparisons, 1), Z.length) - 1] ?? Z95;
}
const Z = [
  Z95,
  2.241403,
  2.39398,
  2.497705,
  2.575829,
  2.638257,
  2.69011,
  2.734369,
  2.772921,
] as const;

/** Wilson's interval: right for small counts and near 0 and 1, where the textbook's one is not. */
export function wilson(count: number, of: number, z: number = Z95): Rate {
  if (of === 0) return { count, of, rate: 0, low: 0, high: 1 };
  const rate = count / of;
  const scale = 1 + z ** 2 / of;
  const middle = (rate + z ** 2 / (2 * of)) / scale;
  const reach = (z / scale) * Math.sqrt((rate * (1 - rate)) / of + z ** 2 / (4 * of ** 2));
  // At the ends the bound is exact; the arithmetic is off by a rounding.
  return {
    count,
    of,
    rate,
    low: count === 0 ? 0 : Math.max(0, middle - reach),
    high: count === of ? 1 : Math.min(1, middle + reach),
  };
}

/** Newcombe's interval of `a − b` from the two Wilson intervals (his method 10). */
export function newcombe(
  a: readonly [number, number],
  b: readonly [number, number],
  z: number = Z95,
): Difference {
  const one = wilson(...a, z);
  const two = wilson(...b, z);
  if (one.of === 0 || two.of === 0) return { difference: 0, low: -1, high: 1, clear: false };
  const difference = one.rate - two.rate;
  const low = difference - Math.hypot(one.rate - one.low, two.high - two.rate);
  const high = difference + Math.hypot(one.high - one.rate, two.rate - two.low);
  return { difference, low, high, clear: low > 0 || high < 0 };
}
