import type { Db } from "../db/database.ts";
import type { Principal } from "./api-key.ts";
import { WrongSecrets } from "./wrong-secrets.ts";

/** The longest that a key revoked by another process still works here (contract §5, Credential). */
export const CACHE_MS = 5_000;
const MAX_CREDENTIALS = 10_000;

/** Public halves that were asked for lately, of keys that exist and of keys that do not. */
const MAX_HALVES = 10_000;

/** What the database said of a public half. An unknown one has a hash that no secret has, and is never good. */
export interface KnownHalf {
  readonly secretHash: Buffer;
  /** Null: there is no such key, or it was revoked. */
  readonly principal: Principal | null;
  /** Until when a right secret is good, as the process's clock counts. */
  readonly goodUntil: number;
  /** When the database was asked. */
  readonly since: number;
}

/** From when to when a proof is believed, by the process's clock. */
interface Term {
  readonly since: number;
  readonly until: number;
}

/**
 * Credentials proven lately, whole: with the hash in the cached row the check would cost a fifth of a request more
 * (measured 0.79 against 0.89 of no check). And what the database said of public halves, so that neither guessing at a
 * key nor asking for unknown ones reads the database each time; both are kept alike and for as long, so that nobody can
 * tell them apart by the time that an answer takes.
 */
export class KeyCache {
  readonly wrong = new WrongSecrets();
  readonly #halves = new Map<string, KnownHalf>();
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

  /** What is known of a public half, at most five seconds old. */
  half(publicKey: string, now: number): KnownHalf | undefined {
    const found = this.#halves.get(publicKey);
    if (!found || (found.since <= now && now < found.since + CACHE_MS)) return found;
    this.#halves.delete(publicKey);
    return undefined;
  }

  /** Keeps what was read under that epoch. When there are too many, the one that was read first goes. */
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

  /** A key was created: earlier answers about its public half are forgotten. */
  forget(publicKey: string): void {
    this.#epoch++;
    this.#halves.delete(publicKey);
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
    this.#halves.clear();
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

/** By the database's origin: requests here prove keys that other processes revoke. */
const caches = new WeakMap<object, KeyCache>();

/** The cache of this process for that database. */
export function keyCache({ origin }: Db): KeyCache {
  let cache = caches.get(origin);
  if (!cache) caches.set(origin, (cache = new KeyCache()));
  return cache;
}
