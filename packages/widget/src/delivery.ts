import { backoffMs } from "./backoff.ts";
import { alone } from "./lock.ts";
import { drainOutbox, type Attempt, type Outbox, type Pending } from "./outbox.ts";
import type { ChatMessage } from "./protocol.ts";
import type { Server } from "./server.ts";
import type { KeyValue } from "./storage.ts";

interface Hooks {
  /** True when there is a session to send with. */
  ready(): Promise<boolean>;
  stored(message: ChatMessage): void;
  changed(): void;
  sessionEnded(): void;
}

/** Answers after which the same message may go again: nothing was wrong with the message itself. */
const PASSING = new Set([0, 401, 408, 425, 429, 500, 502, 503, 504]);

/** Empties the outbox into the server: one tab at a time, in order, again and again until each is settled. */
export class Delivery {
  readonly #server: Server;
  readonly #outbox: Outbox;
  readonly #storage: KeyValue;
  readonly #hooks: Hooks;
  #busy = false;
  #again = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(server: Server, outbox: Outbox, storage: KeyValue, hooks: Hooks) {
    this.#server = server;
    this.#outbox = outbox;
    this.#storage = storage;
    this.#hooks = hooks;
    addEventListener("online", () => this.hurry());
  }

  /** Sends now what waits, not minding a pause that was taken. */
  hurry(): void {
    clearTimeout(this.#timer);
    void this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      do {
        this.#again = false;
        if (!this.#outbox.all().some((pending) => pending.refused === null)) break;
        // Before the turn is taken: a tab that waits for a session must not keep the others from sending.
        const ready = navigator.onLine && (await this.#hooks.ready());
        const held = ready
          ? await alone(`${this.#outbox.prefix}turn`, this.#storage, () =>
              drainOutbox(this.#outbox, (pending) => this.#attempt(pending)),
            )
          : { waitMs: null };
        this.#hooks.changed();
        if (held) this.#later(held.waitMs);
        else this.#failures = 0;
      } while (this.#again);
    } finally {
      this.#busy = false;
    }
  }

  #later(waitMs: number | null): void {
    this.#failures += 1;
    clearTimeout(this.#timer);
    const pause = waitMs ?? backoffMs(this.#failures, Math.random());
    this.#timer = setTimeout(() => void this.#drain(), pause);
  }

  async #attempt(pending: Pending): Promise<Attempt> {
    const answer = await this.#server.sendMessage({
      clientId: pending.clientId,
      ...(pending.text !== null && { text: pending.text }),
      ...(pending.uploads.length > 0 && { attachments: pending.uploads.map(({ id }) => id) }),
    });
    if (answer.ok) {
      this.#failures = 0;
      // Shown as stored before it leaves the outbox, so that it is never missing from the screen.
      this.#hooks.stored(answer.value);
      return { kind: "sent" };
    }
    if (answer.status === 401) this.#hooks.sessionEnded();
    return PASSING.has(answer.status) || answer.status >= 500
      ? { kind: "later", waitMs: answer.waitMs }
      : { kind: "refused", code: answer.code };
  }
}
