import type { Writable } from "node:stream";
import type { FeedEvent, FeedPage } from "../../webhooks/read-feed.ts";

export type StreamEnd = "revoked" | "replaced" | "shutdown";

/** What may wait in memory for one reader. */
const MOST_BUFFERED = 1024 * 1024;

interface Source {
  read(after: number): Promise<FeedPage>;
  failed(error: unknown): void;
  ended(): void;
}

/**
 * One open stream of a workspace's events. It reads when it is told that there is something, never twice at a time,
 * and waits for a slow reader before it reads on; one that takes nothing is cut off and finds all it missed when it
 * comes back with its last id.
 */
export class EventStream {
  readonly #response: Writable;
  readonly #source: Source;
  #position: number;
  #reading = false;
  #again = false;
  #open = true;
  /** Since when the reader has taken nothing, by the process's own clock. */
  #stuckSince: number | null = null;

  constructor(response: Writable, after: number, source: Source) {
    this.#response = response;
    this.#position = after;
    this.#source = source;
    response.on("drain", () => {
      this.#stuckSince = null;
      if (this.#again) this.pump();
    });
    response.on("close", () => this.#finish());
    response.on("error", () => this.#finish());
    // Named at once: who is cut off before the first event comes back to this place.
    this.#write(`event: open\nid: ${after}\ndata: {"after":${after}}\n\n`);
  }

  /** Up to which event the reader was told, or passed over what it did not ask for. */
  get position(): number {
    return this.#position;
  }

  /** There may be something to read. */
  pump(): void {
    if (!this.#open) return;
    if (this.#reading || this.#stuckSince !== null) this.#again = true;
    else void this.#readOn();
  }

  /** A comment, and the place: a reader of rare types comes back to where it is, not to its last event. */
  ping(): void {
    if (this.#stuckSince === null) this.#write(`: ping\nid: ${this.#position}\n\n`);
  }

  /** Tells why, and ends. */
  end(reason: StreamEnd): void {
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

  async #readOn(): Promise<void> {
    this.#reading = true;
    try {
      do {
        this.#again = false;
        this.#tell(await this.#source.read(this.#position));
      } while (this.#again && this.#open && this.#stuckSince === null);
    } catch (error) {
      // The next look reads again.
      this.#source.failed(error);
    } finally {
      this.#reading = false;
    }
  }

  #tell(page: FeedPage): void {
    if (page.gap) this.#write(`event: gap\ndata: ${gapOf(this.#position, page)}\n\n`);
    for (const event of page.events) {
      if (!this.#open) return;
      if (this.#stuckSince !== null) {
        this.#again = true;
        return;
      }
      this.#position = event.sequence;
      this.#write(asText(event));
    }
    this.#position = page.nextAfter;
    if (page.hasMore) this.#again = true;
  }

  #write(text: string): void {
    if (!this.#open) return;
    if (this.#response.write(text)) return;
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

const gapOf = (after: number, { oldestSequence }: FeedPage): string =>
  JSON.stringify({ after, oldestSequence });

// A stored body is one line of JSON, so one data line holds its very bytes.
const asText = ({ sequence, type, body }: FeedEvent): string =>
  `id: ${sequence}\nevent: ${type}\ndata: ${body}\n\n`;
