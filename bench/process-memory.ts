import { readFileSync, writeFileSync } from "node:fs";

/** The most memory that a process has held since `forgetPeak`, in MB; null where Linux does not tell, or it is gone. */
export function peakMegabytes(pid: number): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1_024);
  } catch {
    return null;
  }
}

/** From now on the peak counts anew. */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Then it is that of the process's life.
  }
}
