import type { Db } from "../db/database.ts";
import type { Principal } from "./api-key.ts";

/** The longest that a key revoked by another process still works here (contract §5, Credential). */
export const CACHE_MS = 5_000;
const MAX_CREDENTIALS = 10_000;

/** From when to when a proof is believed, by the process's clock. */
interface Term {
  readonly since: number;
  readonly until: number;
}

/**
 * Credentials proven lately, whole: with the hash in the cached row the check would cost a fifth of a request more
 * (measured 0.79 against 0.89 of no check). Only successes are kept, so that guessing fills nothing.
 */
export class KeyCache {
  readonly #proven = new Map<string, { principal: Principal; term: Term }>();
  readonly #touched = new Map<string, { workspaceId: string; at: Date }>();
  #epoch = 0;

  get(bearer: string, now: number): Principal | undefined {
    const found = this.#proven.get(bearer);
    if (!found) return undefined;
    // Before it began: the clock was set back, and the proof would hold for that long and more.
    if (found.term.since <= now && now < found.term.until) return found.principal;
    this.#proven.delete(bearer);
    return undefined;
  }

  /** How many are kept. */
  get size(): number {
    return this.#proven.size;
  }

  /** To be read before the database is asked, and handed to `put`. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Keeps nothing when a key was revoked meanwhile: the row that was read may be older than that. */
  put(bearer: string, principal: Principal, term: Term, epoch: number): void {
    if (epoch !== this.#epoch) return;
    // Those of keys that are used no more: nobody asks for them, and a secret need not lie about. Oldest first.
    for (const [old, { term: its }] of this.#proven) {
      if (its.since <= term.since && term.since < its.until) break;
      this.#proven.delete(old);
    }
    if (this.#proven.size >= MAX_CREDENTIALS) this.#proven.clear();
    this.#proven.set(bearer, { principal, term });
  }

  /** Everything is read afresh from now on. */
  clear(): void {
    this.#epoch++;
    this.#proven.clear();
  }

  touch(principal: Principal, at: Date): void {
    this.#touched.set(principal.keyId, { workspaceId: principal.workspaceId, at });
  }

  /** The uses since the last call, by key id. */
  takeTouched(): Map<string, { workspaceId: string; at: Date }> {
    const taken = new Map(this.#touched);
    this.#touched.clear();
    return taken;
  }
}

/** By the database's origin: requests prove keys, whoever else revokes them. */
const caches = new WeakMap<object, KeyCache>();

/** The cache of this process for that database. */
export function keyCache({ origin }: Db): KeyCache {
  let cache = caches.get(origin);
  if (!cache) caches.set(origin, (cache = new KeyCache()));
  return cache;
}
