import { AppError, type FaultDetail } from "./errors.ts";

/** What is wrong with items of batches. Kept beside them, because an operation's input has the shape of what fits. */
const faultsOf = new WeakMap<object, readonly FaultDetail[]>();

/** Notes that the shape of a batch's item refuses it, beside what was noted before. The paths begin at the item. */
export function markUnfit(item: object, faults: readonly FaultDetail[]): void {
  const known = faultsOf.get(item) ?? [];
  const places = new Set(known.map(({ path }) => path));
  faultsOf.set(item, [...known, ...faults.filter(({ path }) => !places.has(path))]);
}

/** Whether the shape of a batch's item refuses it: nothing of it may be read. */
export const isUnfit = (item: object): boolean => faultsOf.has(item);

/** Throws VALIDATION_FAILED for an item of a batch that its shape refuses. */
export function refuseUnfit(item: object): void {
  const details = faultsOf.get(item);
  if (details) throw new AppError("VALIDATION_FAILED", { details });
}
