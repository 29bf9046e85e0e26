import type { CpuTimes } from "./cpu.ts";

/** One line of the table. */
export interface Row {
  readonly name: string;
  /** Per second, the medians; null: no floor, or nothing to measure it with. */
  readonly floor: number | null;
  readonly product: number | null;
  readonly ratio: number | null;
  readonly p99Ms: number | null;
  /** Microseconds of processor time for one, in PostgreSQL and in the product. */
  readonly cpu?: readonly [number, number] | null;
  readonly goal: string;
  /** Null: nothing to judge by. */
  readonly met: boolean | null;
  /** What is measured when it is no rate. */
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export interface Compared {
  readonly floor: number | null;
  readonly product: number;
  readonly ratio: number | null;
  readonly p99Ms: number;
  readonly cpu: readonly [number, number] | null;
}

/**
 * Floor and product in turn, so that a slow minute of the machine falls on both. The ratio is the median of each
 * round's own.
 */
export async function inTurn(
  rounds: number,
  floor: (() => Promise<number>) | null,
  product: () => Promise<{
    readonly perSecond: number;
    readonly p99Ms?: number;
    readonly count?: number;
  }>,
  tell: (line: string) => void,
  cpu: () => CpuTimes | null = () => null,
): Promise<Compared> {
  const spent = { postgres: 0, product: 0, count: 0 };
  const floors: number[] = [];
  const products: number[] = [];
  const ratios: number[] = [];
  const p99s: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`);
    const bare = floor === null ? null : await floor();
    const before = cpu();
    const { perSecond, p99Ms, count = 0 } = await product();
    const after = cpu();
    if (before && after) {
      spent.postgres += after.postgres - before.postgres;
      spent.product += after.product - before.product;
      spent.count += count;
    }
    products.push(perSecond);
    if (p99Ms !== undefined) p99s.push(p99Ms);
    if (bare === null) continue;
    floors.push(bare);
    ratios.push(perSecond / bare);
    tell(
      `round ${round} of ${rounds}: ${(perSecond / bare).toFixed(2)} (${Math.round(perSecond)} of ${Math.round(bare)})`,
    );
  }
  return {
    floor: floor === null ? null : median(floors),
    product: median(products),
    ratio: floor === null ? null : median(ratios),
    p99Ms: median(p99s),
    cpu:
      spent.count === 0
        ? null
        : [(spent.postgres * 1_000) / spent.count, (spent.product * 1_000) / spent.count],
  };
}

/** A line whose goal is a least ratio and perhaps a greatest p99. */
export function judge(
  name: string,
  compared: Compared,
  goal: { readonly ratio?: number; readonly p99Ms?: number },
): Row {
  const { ratio, p99Ms } = compared;
  const words = [
    ...(goal.ratio === undefined ? [] : [`≥ ${goal.ratio.toFixed(2)}`]),
    ...(goal.p99Ms === undefined ? [] : [`p99 ≤ ${goal.p99Ms} ms`]),
  ];
  const verdicts = [
    ...(goal.ratio === undefined || ratio === null ? [] : [ratio >= goal.ratio]),
    ...(goal.p99Ms === undefined ? [] : [p99Ms <= goal.p99Ms]),
  ];
  return {
    name,
    ...compared,
    p99Ms: Number.isNaN(p99Ms) ? null : p99Ms,
    goal: words.join(", "),
    met: verdicts.length === 0 ? null : verdicts.every(Boolean),
  };
}
