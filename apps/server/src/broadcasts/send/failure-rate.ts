/** A campaign stops by itself once this many of this many recipients in a row failed. */
const WINDOW = 100;
const TOO_MANY = 20;

/** A recipient that was called: in flight, sent or failed. */
export interface Called {
  readonly failed: boolean;
  readonly reason: string | null;
}

/** The worst stretch of recipients, in the figures that an admin reads. */
export interface FailureRate {
  readonly failed: number;
  readonly of: number;
  /** The most frequent code among the failures, and how many have it. */
  readonly code: string;
  readonly withCode: number;
}

/**
 * The stretch of at most 100 recipients, in the order in which they were called, with the most failures, when
 * there are 20 or more; else null. Twenty failures among fewer than a hundred are enough, because later recipients
 * do not make them fewer.
 */
export function worstStretch(called: readonly Called[]): FailureRate | null {
  let failed = 0;
  let most = 0;
  let end = 0;
  for (const [index, one] of called.entries()) {
    if (one.failed) failed++;
    if (called[index - WINDOW]?.failed) failed--;
    if (failed > most) [most, end] = [failed, index + 1];
  }
  if (most < TOO_MANY) return null;
  const stretch = called.slice(Math.max(0, end - WINDOW), end);
  const byCode = new Map<string, number>();
  for (const one of stretch)
    if (one.failed) byCode.set(one.reason ?? "", (byCode.get(one.reason ?? "") ?? 0) + 1);
  const [code = "", withCode = 0] = [...byCode].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { failed: most, of: stretch.length, code, withCode };
}

/** The reason of the pause, as the timeline and the admins' notice show it. */
export const describeRate = ({ failed, of, code, withCode }: FailureRate): string =>
  `FAILURE_RATE: ${failed} of ${of} recipients in a row failed, ${withCode} of them with ${code}`;
