import type { Server } from "./server.ts";

const REPEAT_MS = 4_000;
const STOPPED_MS = 5_000;
/** An agent whose "stopped" was lost does not type for ever. */
const FORGET_MS = 12_000;

/** Typing in both directions: tells the server of the visitor's, at most every 4 s, and lets the agent's run out. */
export class Typing {
  readonly #server: Server;
  readonly #shown: (active: boolean) => void;
  #toldAt = 0;
  #stopped: ReturnType<typeof setTimeout> | undefined;
  #forget: ReturnType<typeof setTimeout> | undefined;

  constructor(server: Server, shown: (active: boolean) => void) {
    this.#server = server;
    this.#shown = shown;
  }

  /** The visitor changed the text. */
  visitor(text: string): void {
    clearTimeout(this.#stopped);
    if (text.trim() === "") return this.visitorStopped();
    if (Date.now() - this.#toldAt >= REPEAT_MS) {
      this.#toldAt = Date.now();
      this.#tell(true);
    }
    this.#stopped = setTimeout(() => this.visitorStopped(), STOPPED_MS);
  }

  visitorStopped(): void {
    clearTimeout(this.#stopped);
    if (this.#toldAt === 0) return;
    this.#toldAt = 0;
    this.#tell(false);
  }

  /** A message was sent, which says by itself that the typing is over. */
  visitorSent(): void {
    clearTimeout(this.#stopped);
    this.#toldAt = 0;
  }

  agent(active: boolean): void {
    clearTimeout(this.#forget);
    this.#shown(active);
    if (active) this.#forget = setTimeout(() => this.#shown(false), FORGET_MS);
  }

  #tell(active: boolean): void {
    if (this.#server.token !== null && navigator.onLine) void this.#server.typing(active);
  }
}
