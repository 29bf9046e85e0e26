import type { Writable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A piece of text for a reader, with the reader's place once it has the piece. */
export interface LiveFrame<Place> {
  readonly place: Place;
  readonly text: string;
}

/** `inbox`: a member's browser; `events`: a program's `GET /v1/events`; `chat`: a visitor; `sandbox`: an emulated phone. */
export type StreamKind = "inbox" | "events" | "chat" | "sandbox";

const open: Record<StreamKind, number> = { inbox: 0, events: 0, chat: 0, sandbox: 0 };

/** How many streams of each kind this process holds open. */
export const openStreams = (): Readonly<Record<StreamKind, number>> => open;

export interface LiveSource<Place> {
  readonly kind: StreamKind;
  /** How many bytes may wait in memory for this reader. */
  readonly mostBuffered: number;
  /** What follows a place, and the place of a reader that has all of it. */
  read(after: Place): Promise<{
    readonly frames: readonly LiveFrame<Place>[];
    readonly next: Place;
    readonly more: boolean;
  }>;
  /** Called when a read threw; the next pump reads again. */
  failed(error: unknown): void;
  /** Called once, whatever ended the stream. */
  ended(): void;
}

/**
 * One open stream of server-sent events. It reads when it is told that there may be something, never twice at a
 * time, and waits for a slow reader before it reads on. A reader that was cut off gets all it missed when it comes
 * back with the place of its last frame.
 */
export class LiveStream<Place> {
  readonly #response: Writable;
  readonly #source: LiveSource<Place>;
  #place: Place;
  #reading = false;
  #again = false;
  #open = true;
  /** Since when the reader has taken nothing, by the process's own clock. */
  #stuckSince: number | null = null;

  /** The response must be open: its head is written. */
  constructor(response: Writable, after: Place, source: LiveSource<Place>) {
    this.#response = response;
    this.#place = after;
    this.#source = source;
    open[source.kind]++;
    response.on("drain", () => {
      this.#stuckSince = null;
      if (this.#again) this.pump();
    });
    response.on("close", () => this.#finish());
    response.on("error", () => this.#finish());
  }

  /** The place up to which the reader has everything it asked for. */
  get place(): Place {
    return this.#place;
  }

  /** There may be something to read. */
  pump(): void {
    if (!this.#open) return;
    if (this.#reading || this.#stuckSince !== null) this.#again = true;
    else void this.#readOn();
  }

  /** Writes a frame without a place; a stuck reader misses it. */
  say(text: string): void {
    if (this.#stuckSince === null) this.#write(text);
  }

  /** Says why, and ends. */
  end(reason: string): void {
    if (!this.#open) return;
    this.#write(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
    this.#finish();
    this.#response.end();
    // A reader that is gone would otherwise keep the connection as long as it likes.
    if (this.#response.writableLength > 0)
      setTimeout(() => this.#response.destroy(), 1_000).unref();
  }

  /** Cuts off a reader that has taken nothing for this long. */
  checkReader(patienceMs: number): void {
    const since = this.#stuckSince;
    if (since !== null && performance.now() - since >= patienceMs) this.#cut();
  }

  async #readOn(): Promise<void> {
    this.#reading = true;
    try {
      do {
        this.#again = false;
        const { frames, next, more } = await this.#source.read(this.#place);
        if (this.#tell(frames)) {
          this.#place = next;
          if (more) this.#again = true;
        } else this.#again = true;
      } while (this.#again && this.#open && this.#stuckSince === null);
    } catch (error) {
      this.#source.failed(error);
    } finally {
      this.#reading = false;
    }
  }

  /** False when the reader did not take all of them: the rest is read again. */
  #tell(frames: readonly LiveFrame<Place>[]): boolean {
    for (const { place, text } of frames) {
      if (!this.#open || this.#stuckSince !== null) return false;
      this.#place = place;
      this.#write(text);
    }
    return true;
  }

  #write(text: string): void {
    // The connection was gone before the stream began, and will not report it again.
    if (this.#response.destroyed) this.#finish();
    if (!this.#open || this.#response.write(text)) return;
    this.#stuckSince ??= performance.now();
    if (this.#response.writableLength > this.#source.mostBuffered) this.#cut();
  }

  #cut(): void {
    this.#finish();
    this.#response.destroy();
  }

  #finish(): void {
    if (!this.#open) return;
    this.#open = false;
    open[this.#source.kind]--;
    this.#source.ended();
  }
}

/** Answers 200 with the head of a stream, including the headers that hooks have set. The rest is written by hand. */
export function answerWithStream(request: FastifyRequest, reply: FastifyReply): Writable {
  const { raw } = reply.hijack();
  // Streams have limits of their own, and wait nearly all the time.
  request.leaveRoom?.();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    // Otherwise nginx would hold frames back to fill its buffer.
    "x-accel-buffering": "no",
  });
  raw.flushHeaders();
  request.raw.socket.setNoDelay(true);
  return raw;
}

/**
 * Ends the streams of a scope when the server stops, before it waits for connections: a stream would delay the
 * stop.
 */
export function endAtStop(fastify: FastifyInstance, end: () => void): void {
  fastify.addHook("preClose", (done) => {
    end();
    done();
  });
}
