import type { Upload } from "./protocol.ts";
import type { KeyValue } from "./storage.ts";

/** A message the visitor wrote that the server has not confirmed. */
export interface Pending {
  readonly clientId: string;
  readonly text: string | null;
  readonly uploads: readonly Upload[];
  readonly createdAt: string;
  /** Why the server refused it for good; null while it is to be sent. */
  readonly refused: string | null;
}

/** The result of one attempt. `later`: nothing is known to be stored, ask again with the same client id. */
export type Attempt =
  | { readonly kind: "sent" }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "later"; readonly waitMs: number | null };

/**
 * What waits to be sent, in order, kept over reloads. One key per message: two tabs that add and remove at the same
 * moment cannot overwrite each other's change, as they could with one list.
 */
export class Outbox {
  readonly #storage: KeyValue;
  readonly prefix: string;
  #last = 0;

  constructor(storage: KeyValue, prefix: string) {
    this.#storage = storage;
    this.prefix = prefix;
  }

  /** Everything not confirmed, the refused too, in the order written. */
  all(): Pending[] {
    return this.#storage.keys(this.prefix).flatMap((key) => {
      const one = parse(this.#storage.get(key));
      return one ? [one] : [];
    });
  }

  add(message: Omit<Pending, "refused">, now: number): void {
    this.#last = Math.max(now, this.#last + 1);
    const key = `${this.prefix}${String(this.#last).padStart(14, "0")}:${message.clientId}`;
    this.#storage.set(key, JSON.stringify({ ...message, refused: null }));
  }

  remove(clientId: string): void {
    for (const key of this.#keysOf(clientId)) this.#storage.remove(key);
  }

  refuse(clientId: string, code: string): void {
    for (const key of this.#keysOf(clientId)) {
      const one = parse(this.#storage.get(key));
      if (one) this.#storage.set(key, JSON.stringify({ ...one, refused: code }));
    }
  }

  /** Puts a refused message at the end of the queue; the same client id, so it cannot become two. */
  retry(clientId: string, now: number): void {
    const one = this.all().find((pending) => pending.clientId === clientId);
    if (!one) return;
    this.remove(clientId);
    this.add(one, now);
  }

  clear(): void {
    for (const key of this.#storage.keys(this.prefix)) this.#storage.remove(key);
  }

  #keysOf(clientId: string): string[] {
    return this.#storage.keys(this.prefix).filter((key) => key.endsWith(`:${clientId}`));
  }
}

/**
 * Sends what waits, oldest first, one at a time: the next goes only when the one before is settled, so the order the
 * visitor wrote in is the order stored. Stops at the first that has to wait.
 */
export async function drainOutbox(
  outbox: Outbox,
  send: (message: Pending) => Promise<Attempt>,
): Promise<{ readonly waitMs: number | null } | null> {
  for (;;) {
    const next = outbox.all().find((pending) => pending.refused === null);
    if (!next) return null;
    const attempt = await send(next);
    if (attempt.kind === "sent") outbox.remove(next.clientId);
    else if (attempt.kind === "refused") outbox.refuse(next.clientId, attempt.code);
    else return { waitMs: attempt.waitMs };
  }
}

function parse(text: string | null): Pending | null {
  try {
    const value = JSON.parse(text ?? "null") as Pending | null;
    return value && typeof value.clientId === "string" && Array.isArray(value.uploads)
      ? value
      : null;
  } catch {
    return null;
  }
}
