import type { Server } from "./server.ts";

const GATHER_MS = 300;

/** Tells the server how far messages have come and been read: gathered, as watermarks, and repeated when lost. */
export class Receipts {
  readonly #server: Server;
  #due: { delivered?: string; read?: string } = {};
  #told = { delivered: "", read: "" };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  note(kind: "delivered" | "read", messageId: string): void {
    if (messageId <= this.#told[kind] || messageId <= (this.#due[kind] ?? "")) return;
    this.#due[kind] = messageId;
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  /** Sends what is due; what could not be told stays due for the next call. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = this.#due;
    this.#due = {};
    if (!due.delivered && !due.read) return;
    const answer = await this.#server.receipts(due);
    const passing = !answer.ok && ([0, 401, 429].includes(answer.status) || answer.status >= 500);
    if (passing) this.#due = { ...due, ...this.#due };
    else this.#told = { ...this.#told, ...due };
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = {};
    this.#told = { delivered: "", read: "" };
  }
}
