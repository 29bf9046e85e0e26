import type { Writable } from "node:stream";
import { writeCursor, type Position, type ThreadFrame } from "../../chat/read-thread.ts";
import type { StreamOwner } from "./stream-hub.ts";

export type EndReason = "logout" | "replaced" | "shutdown";

/** What may wait in memory for one reader. */
const MOST_BUFFERED = 256 * 1024;

interface Source {
  /** What follows a position. */
  read(
    after: Position,
  ): Promise<{ readonly frames: readonly ThreadFrame[]; readonly more: boolean }>;
  failed(error: unknown): void;
  ended(): void;
}

/**
 * One open stream. It reads when it is told to, never twice at a time, and waits for a slow reader before it reads on;
 * one that takes nothing is cut off, and finds all it missed when it comes back with its cursor.
 */
export class ChatStream {
  owner: StreamOwner | null = null;
  readonly #response: Writable;
  readonly #source: Source;
  #position: Position;
  #reading = false;
  #again = false;
  #open = true;
  /** Since when the reader has taken nothing, by the process's own clock. */
  #stuckSince: number | null = null;

  constructor(response: Writable, after: Position, source: Source) {
    this.#response = response;
    this.#position = after;
    this.#source = source;
    response.on("drain", () => {
      this.#stuckSince = null;
      if (this.#again) this.pump();
    });
    response.on("close", () => this.#finish());
    response.on("error", () => this.#finish());
  }

  /** Up to which change the reader was told. */
  get position(): Position {
    return this.#position;
  }

  /** There may be something to read; not when `sequence` says that it is known. */
  pump(sequence?: number): void {
    if (!this.#open) return;
    if (sequence !== undefined && this.#isKnown(sequence)) return;
    if (this.#reading || this.#stuckSince !== null) this.#again = true;
    else void this.#readOn();
  }

  typing(active: boolean): void {
    if (this.#stuckSince === null)
      this.#write(`event: typing\ndata: ${JSON.stringify({ from: "agent", active })}\n\n`);
  }

  ping(): void {
    if (this.#stuckSince === null) this.#write("event: ping\ndata: {}\n\n");
  }

  /** Tells why, and ends. */
  end(reason: EndReason): void {
    if (!this.#open) return;
    this.#write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#finish();
    this.#response.end();
    // A reader that is gone would keep the connection for as long as it likes.
    if (this.#response.writableLength > 0)
      setTimeout(() => this.#response.destroy(), 1_000).unref();
  }

  /** Cuts off a reader that has taken nothing for so long. */
  checkReader(patienceMs: number): void {
    const since = this.#stuckSince;
    if (since !== null && performance.now() - since >= patienceMs) this.#cut();
  }

  /** Numbers of another conversation say nothing about this one: its numbers start anew. */
  #isKnown(sequence: number): boolean {
    return this.#position.conversationId !== null && sequence <= this.#position.sequence;
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    try {
      do {
        this.#again = false;
        const { frames, more } = await this.#source.read(this.#position);
        for (const frame of frames) {
          if (!this.#open) return;
          if (this.#stuckSince !== null) {
            this.#again = true;
            break;
          }
          this.#position = frame.position;
          this.#write(asText(frame));
        }
        if (more) this.#again = true;
      } while (this.#again && this.#open && this.#stuckSince === null);
    } catch (error) {
      // The next note, or the look that all streams share, reads again.
      this.#source.failed(error);
    } finally {
      this.#reading = false;
    }
  }

  #write(text: string): void {
    if (!this.#open) return;
    const taken = this.#response.write(text);
    if (taken) return;
    this.#stuckSince ??= performance.now();
    if (this.#response.writableLength > MOST_BUFFERED) this.#cut();
  }

  #cut(): void {
    this.#finish();
    this.#response.destroy();
  }

  #finish(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#source.ended();
  }
}

function asText(frame: ThreadFrame): string {
  const data = frame.kind === "message" ? frame.message : { id: frame.id, status: frame.status };
  return `id: ${writeCursor(frame.position)}\nevent: ${frame.kind}\ndata: ${JSON.stringify(data)}\n\n`;
}
