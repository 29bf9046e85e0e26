import type { KeyValue } from "./storage.ts";

const LEASE_MS = 8_000;

/**
 * Runs `work` while no other tab of this site runs work of the same name: by the browser's locks, and where a page has
 * none (plain http) by a lease in storage. The lease may let two through in a bad moment; the server's check of client
 * ids makes that harmless.
 */
export async function alone<T>(
  name: string,
  storage: KeyValue,
  work: () => Promise<T>,
): Promise<T> {
  // Typed as always there; pages that are not secure have none.
  const locks: LockManager | undefined = navigator.locks;
  if (locks) return locks.request(name, work);
  const mine = newId();
  const key = `${name}:lease`;
  const take = () => storage.set(key, `${Date.now() + LEASE_MS} ${mine}`);
  for (;;) {
    const [until, owner] = (storage.get(key) ?? "0 ").split(" ");
    if (owner !== mine && Number(until) > Date.now()) {
      await pause(100 + Math.random() * 200);
      continue;
    }
    take();
    await pause(20);
    if (storage.get(key)?.endsWith(mine)) break;
  }
  const renewal = setInterval(take, LEASE_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    storage.remove(key);
  }
}

/** A random id of 32 or 36 characters; pages that are not secure have no randomUUID. */
export function newId(): string {
  if ("randomUUID" in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
