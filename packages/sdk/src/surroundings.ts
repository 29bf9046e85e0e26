/** What the client needs of the world. Tests give their own. */
export interface Surroundings {
  now(): number;
  /** 0 to 1. */
  random(): number;
  /** Rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const world: Surroundings = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** Web Crypto; Node 18 has it under another name. */
export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto !== undefined) return globalThis.crypto;
  // Not in the text as an import: bundlers for browsers would look for it.
  const { process } = globalThis as { process?: { release: { name: string } } };
  const name = [process?.release.name, "crypto"].join(":");
  const node = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as {
    webcrypto: Crypto;
  };
  return node.webcrypto;
}
