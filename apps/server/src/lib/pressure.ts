import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { memoryLimit } from "./memory-limit.ts";

/** How hard this process is pressed, whatever presses it. */
export interface Pressure {
  /** How late the event loop's timers run, in milliseconds: in two looks in a row, so that one pause is none. */
  loopMs(): number;
  /** The used share of the memory that this process may have, from 0 to 1. */
  memory(): number;
}

const LOOK_MS = 50;

/** Looks at the event loop and the memory of this process twenty times a second, until `signal` aborts. */
export function watchPressure(signal: AbortSignal): Pressure {
  let late = 0;
  let lateBefore = 0;
  let memory = memoryShare();
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lateBefore = late;
    late = Math.max(0, now - last - LOOK_MS);
    last = now;
    memory = memoryShare();
  }, LOOK_MS).unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  return { loopMs: () => Math.min(late, lateBefore), memory: () => memory };
}

/** The heap against V8's limit; in a container with a limit also the whole process against that one. */
function memoryShare(): number {
  const heap = getHeapStatistics();
  const share = heap.used_heap_size / heap.heap_size_limit;
  const most = memoryLimit();
  if (most === totalmem()) return share;
  return Math.max(share, process.memoryUsage.rss() / most);
}
