import { totalmem } from "node:os";

/** The most memory that this process may have, in bytes: of its control group, or of the machine. */
export function memoryLimit(): number {
  // Without a limit Node gives 0, or more than there is.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
