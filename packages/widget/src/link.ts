import { backoffMs } from "./backoff.ts";
import type { Server } from "./server.ts";
import type { SseFrame } from "./sse.ts";
import type { Connection } from "./state.ts";

/** The server pings every 20 s; this long without a byte and the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 45_000;
/** Browsers allow six connections to a plain-http host: tabs nobody looks at give theirs back, but for one. */
const HIDDEN_MS = 60_000;

/** How asking for a session went. */
export type SessionTry =
  | { readonly kind: "open" }
  | { readonly kind: "refused" }
  | { readonly kind: "later"; readonly waitMs: number | null };

interface Hooks {
  /** Opens a session when there is none; sets the link's cursor. */
  session(): Promise<SessionTry>;
  sessionEnded(): void;
  frame(frame: SseFrame): void;
  connection(state: Connection): void;
}

/**
 * Keeps a stream to the server: session, stream, and again after every loss, with a growing pause. Goes on from the
 * last cursor heard, so nothing is lost between two streams.
 */
export class Link {
  readonly #server: Server;
  readonly #ear: string;
  readonly #hooks: Hooks;
  cursor: string | null = null;
  #running: AbortController | null = null;
  #resting = false;
  #wake: (() => void) | null = null;
  #unseen: ReturnType<typeof setTimeout> | undefined;
  #giveEar: (() => void) | null = null;
  #heardAt = 0;

  /** `ear`: the name of the lock that the one hidden tab holds which goes on listening. */
  constructor(server: Server, ear: string, hooks: Hooks) {
    this.#server = server;
    this.#ear = ear;
    this.#hooks = hooks;
    addEventListener("online", () => this.#wake?.());
    addEventListener("offline", () => this.#running && this.restart());
    document.addEventListener("visibilitychange", () => this.#look());
  }

  start(): void {
    if (this.#running) return;
    this.#resting = false;
    this.#running = new AbortController();
    void this.#run(this.#running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#wake?.();
  }

  restart(): void {
    this.stop();
    this.start();
  }

  #look(): void {
    clearTimeout(this.#unseen);
    if (document.visibilityState === "visible") {
      this.#giveEar?.();
      if (this.#resting) this.start();
      // Timers stand still while a laptop sleeps: look at once.
      else if (this.#running && Date.now() - this.#heardAt > SILENCE_MS) this.restart();
    } else this.#unseen = setTimeout(() => this.#restUnlessLast(), HIDDEN_MS);
  }

  #restUnlessLast(): void {
    if (!this.#running) return;
    // Typed as always there; pages that are not secure have none.
    const locks: LockManager | undefined = navigator.locks;
    if (!locks) return this.#rest();
    void locks.request(this.#ear, { ifAvailable: true }, (lock) => {
      if (lock) return new Promise<void>((resolve) => (this.#giveEar = resolve));
      this.#rest();
      return undefined;
    });
  }

  /** No stream until somebody looks; then it goes on from the cursor. */
  #rest(): void {
    if (document.visibilityState === "visible") return;
    this.stop();
    this.#resting = true;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      let waitMs = 0;
      if (navigator.onLine) {
        if (failures === 0) this.#hooks.connection("connecting");
        const session = await this.#hooks.session();
        if (signal.aborted) return;
        if (session.kind === "refused") {
          this.#hooks.connection("unavailable");
          failures = Math.max(failures, 5);
        } else {
          if (session.kind === "later") waitMs = session.waitMs ?? 0;
          else if (await this.#listen(signal)) failures = 0;
          if (signal.aborted) return;
          this.#hooks.connection("waiting");
        }
      }
      if (!navigator.onLine) this.#hooks.connection("offline");
      failures += 1;
      await this.#pause(Math.max(waitMs, backoffMs(failures, Math.random())));
    }
  }

  /** Until the stream ends; true when it had been opened. */
  async #listen(signal: AbortSignal): Promise<boolean> {
    let opened = false;
    const status = await this.#server.stream(this.cursor ?? "", signal, SILENCE_MS, {
      opened: () => {
        opened = true;
        this.#heardAt = Date.now();
        if (!signal.aborted) this.#hooks.connection("online");
      },
      frame: (frame) => {
        this.#heardAt = Date.now();
        if (signal.aborted) return;
        if (frame.event === "end") {
          if (frame.data.includes("logout")) this.#hooks.sessionEnded();
          // Too many tabs: this one, if nobody looks at it, leaves its place for good.
          if (frame.data.includes("replaced")) this.#rest();
        }
        // The cursor moves only after the frame is worked in: one that runs ahead would lose it.
        this.#hooks.frame(frame);
        if (frame.id !== null) this.cursor = frame.id;
      },
    });
    // A refused token or cursor: a new session brings both.
    if (status >= 400 && status < 500 && status !== 429) this.#hooks.sessionEnded();
    return opened;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
