/**
 * The processor time of this thread that some work takes, in milliseconds. Other programs make work take longer by the
 * clock; of this they change little.
 */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * The time in which this process had its turn, in milliseconds: so many of its own timers ended, one after another. A
 * machine that does other work lets them wait as long as whatever else this process waits for.
 */
export function ownTime(): { readonly ms: number } & Disposable {
  let turns = 0;
  const timer = setInterval(() => turns++, 10);
  return {
    get ms() {
      return turns * 10;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
