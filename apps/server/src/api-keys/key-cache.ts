import type { Db } from "../db/database.ts";
import type { Principal } from "./api-key.ts";
import { WrongCredentials } from "./wrong-credentials.ts";

/** The longest time for which a key that another process revoked still works here (contract §5, Credential). */
export const CACHE_MS = 5_000;
const MAX_CREDENTIALS = 10_000;

/** How many public halves are kept, of keys that exist and of keys that do not. */
const MAX_HALVES = 10_000;

/**
 * What the database said of a public half. For an unknown one, the hash fits no secret and `goodUntil` is in the past.
 */
export interface KnownHalf {
  readonly secretHash: Buffer;
  /** Null: there is no such key, or it was revoked. */
  readonly principal: Principal | null;
  /** Until when a right secret is good, by the process's clock, in milliseconds. */
  readonly goodUntil: number;
  /** When the database was asked, in milliseconds. */
  readonly since: number;
}

/** From when to when a proof counts, by the process's clock, in milliseconds. */
interface Term {
  readonly since: number;
  readonly until: number;
}

/**
 * Keeps what was proven or read of keys a short while ago. Credentials that were proven are kept whole. Comparing a
 * hash with the cached row each time was slower: 0.79 of the requests that pass without any check, against 0.89.
 * It also keeps what the database said of public halves. So neither guessing at a key nor asking for unknown keys reads
 * the database each time. Known and unknown halves are kept alike and for as long, so that the time of an answer does
 * not tell them apart.
 */
export class KeyCache {
  /** Wrong secrets, by public half and address. */
  readonly wrongSecrets = new WrongCredentials(20);
  /** Wrong credentials of any kind, by address. */
  readonly wrongFrom = new WrongCredentials(120);
  readonly #halves = new Map<string, KnownHalf>();
  readonly #proven = new Map<string, { principal: Principal; term: Term }>();
  readonly #touched = new Map<string, { workspaceId: string; at: Date }>();
  #epoch = 0;

  /** The principal of a credential that was proven in the last five seconds. */
  get(bearer: string, now: number): Principal | undefined {
    const found = this.#proven.get(bearer);
    if (!found) return undefined;
    // `now` before `since`: the clock was set back. The proof would otherwise count for that much longer.
    if (found.term.since <= now && now < found.term.until) return found.principal;
    this.#proven.delete(bearer);
    return undefined;
  }

  /** How many are kept. */
  get size(): number {
    return this.#proven.size;
  }

  /** Read it before asking the database, and hand it to `put` or `putHalf`. */
  get epoch(): number {
    return this.#epoch;
  }

  /** What is known of a public half, at most five seconds old. */
  half(publicKey: string, now: number): KnownHalf | undefined {
    const found = this.#halves.get(publicKey);
    if (!found || (found.since <= now && now < found.since + CACHE_MS)) return found;
    this.#halves.delete(publicKey);
    return undefined;
  }

  /** Keeps what was read under that epoch. When there are too many, the oldest goes. */
  putHalf(publicKey: string, half: KnownHalf, epoch: number): void {
    if (epoch !== this.#epoch) return;
    this.#halves.delete(publicKey);
    this.#halves.set(publicKey, half);
    if (this.#halves.size <= MAX_HALVES) return;
    for (const oldest of this.#halves.keys()) {
      this.#halves.delete(oldest);
      break;
    }
  }

  /** Forgets what is known of the public half of a key that was just created. */
  forget(publicKey: string): void {
    this.#epoch++;
    this.#halves.delete(publicKey);
  }

  /**
   * Keeps a proof. Keeps nothing when the epoch has changed: a key was revoked or created meanwhile, and the row that
   * was read may be older.
   */
  put(bearer: string, principal: Principal, term: Term, epoch: number): void {
    if (epoch !== this.#epoch) return;
    // Removes proofs that are over, oldest first. Keys that are no longer used are never asked for, and their secrets
    // should not stay in memory.
    for (const [old, { term: its }] of this.#proven) {
      if (its.since <= term.since && term.since < its.until) break;
      this.#proven.delete(old);
    }
    if (this.#proven.size >= MAX_CREDENTIALS) this.#proven.clear();
    this.#proven.set(bearer, { principal, term });
  }

  /** Forgets everything, so that all keys are read again. */
  clear(): void {
    this.#epoch++;
    this.#proven.clear();
    this.#halves.clear();
  }

  /** Notes the use of a key, for `takeTouched`. */
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

/** By the database's origin, so that all handles of one database share a cache. */
const caches = new WeakMap<object, KeyCache>();

/** The cache of this process for that database. */
export function keyCache({ origin }: Db): KeyCache {
  let cache = caches.get(origin);
  if (!cache) caches.set(origin, (cache = new KeyCache()));
  return cache;
}
