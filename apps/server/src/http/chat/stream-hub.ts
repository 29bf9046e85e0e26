import type { Writable } from "node:stream";
import {
  findVisitorsWithNews,
  readChanges,
  writeCursor,
  type Position,
  type ThreadFrame,
  type ThreadOwner,
} from "../../chat/read-thread.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { RESYNC_TOPIC, visitorTopic, type Hint } from "../../lib/topics.ts";
import { LiveStream, type LiveFrame } from "../edge/live-stream.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

export interface HubLimits {
  /** Between two pings. */
  readonly pingMs: number;
  /** Between two looks for missed messages, while hints come in and while they do not. */
  readonly lookMs: number;
  readonly blindLookMs: number;
  /** How long a reader may take nothing. */
  readonly patienceMs: number;
  /** Streams of one visitor: the oldest ends when another begins. */
  readonly perVisitor: number;
  readonly perProcess: number;
}

export const HUB_LIMITS: HubLimits = {
  pingMs: 20_000,
  lookMs: 30_000,
  blindLookMs: 2_000,
  patienceMs: 30_000,
  perVisitor: 6,
  perProcess: 10_000,
};

const TICK_MS = 1_000;
/** How much may wait in memory for one reader. */
const MOST_BUFFERED = 256 * 1024;

type ChatStream = LiveStream<Position>;

export interface StreamOwner extends ThreadOwner {
  readonly visitorId: string;
}

/**
 * The streams of this process. A hint wakes the streams of its visitor. Besides, one statement looks for missed
 * messages of all streams at once, so that an idle stream costs no query of its own.
 */
export class StreamHub {
  readonly #context: Context;
  readonly #limits: HubLimits;
  readonly #streams = new Map<string, Map<ChatStream, StreamOwner>>();
  #count = 0;
  #closing = false;
  #timer: NodeJS.Timeout | undefined;
  #forget: (() => void) | undefined;
  #elapsed = { ping: 0, look: 0 };
  #looking = false;

  constructor(context: Context, limits: HubLimits = HUB_LIMITS) {
    this.#context = context;
    this.#limits = limits;
  }

  get size(): number {
    return this.#count;
  }

  /**
   * Throws OVERLOADED when this process has as many streams as it can, or stops. Called before anything is
   * answered.
   */
  admit(): void {
    if (this.#closing || this.#count >= this.#limits.perProcess)
      throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
  }

  /** The response must be open, with its head written. */
  add(owner: StreamOwner, after: Position, response: Writable): ChatStream {
    const topic = visitorTopic(owner.channelId, owner.externalId);
    const context = this.#context;
    const stream: ChatStream = new LiveStream(response, after, {
      kind: "chat",
      mostBuffered: MOST_BUFFERED,
      read: async (from) => {
        const { frames, more } = await readChanges(context, owner, owner.visitorId, from);
        return { frames: frames.map(asFrame), next: frames.at(-1)?.position ?? from, more };
      },
      failed: (error) => context.log.warn(describeForLog(error), "a chat stream was not read"),
      ended: () => {
        unsubscribe();
        const left = this.#streams.get(topic);
        if (left?.delete(stream)) this.#count--;
        if (left?.size === 0) this.#streams.delete(topic);
        if (this.#count === 0) this.#rest();
      },
    });
    const unsubscribe = context.topics.subscribe(topic, (hint) => hear(stream, owner, hint));
    let mine = this.#streams.get(topic);
    if (!mine) this.#streams.set(topic, (mine = new Map()));
    mine.set(stream, owner);
    this.#count++;
    if (mine.size > this.#limits.perVisitor) [...mine.keys()][0]?.end("replaced");
    this.#begin();
    stream.pump();
    return stream;
  }

  /** Ends every stream. The browsers connect again, to a process that serves. */
  close(): void {
    this.#closing = true;
    this.#rest();
    for (const [stream] of this.#all()) stream.end("shutdown");
  }

  /** One statement for all streams; wakes those with something to read. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const streams = this.#all();
      const list = streams.map(([stream, owner]) => ({ ...owner, ...stream.place }));
      for (const index of await findVisitorsWithNews(this.#context, list))
        streams[index]?.[0].pump();
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "chat streams were not looked after");
    } finally {
      this.#looking = false;
    }
  }

  ping(): void {
    for (const [stream] of this.#all()) stream.say("event: ping\ndata: {}\n\n");
  }

  #all(): [ChatStream, StreamOwner][] {
    return [...this.#streams.values()].flatMap((mine) => [...mine]);
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    // One look for all: ten thousand reads, one a stream, would hit a database that just came back.
    this.#forget ??= this.#context.topics.subscribe(RESYNC_TOPIC, () => void this.look());
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#forget?.();
    this.#forget = undefined;
  }

  /** Runs once a second, by its own timer, while there are streams. */
  tick(): void {
    const { pingMs, lookMs, blindLookMs, patienceMs } = this.#limits;
    this.#elapsed.ping += TICK_MS;
    this.#elapsed.look += TICK_MS;
    if (this.#elapsed.ping >= pingMs) {
      this.#elapsed.ping = 0;
      this.ping();
    }
    if (this.#elapsed.look >= (this.#context.topics.connected ? lookMs : blindLookMs)) {
      this.#elapsed.look = 0;
      void this.look();
    }
    for (const [stream] of this.#all()) stream.checkReader(patienceMs);
  }
}

function hear(stream: ChatStream, owner: StreamOwner, hint: Hint): void {
  switch (hint.kind) {
    case "thread":
      if (!isKnown(stream.place, hint.sequence)) stream.pump();
      return;
    case "typing":
      return stream.say(typing(hint.active));
    case "ended":
      if (hint.visitorId === owner.visitorId) stream.end("logout");
      return;
    case "nudge":
    case "resync":
    case "desk":
    case "notice":
    case "suggestion":
  }
}

/** Numbers of another conversation mean nothing here, because each conversation has numbers of its own. */
const isKnown = ({ conversationId, sequence }: Position, told: number): boolean =>
  conversationId !== null && told <= sequence;

const typing = (active: boolean): string =>
  `event: typing\ndata: ${JSON.stringify({ from: "agent", active })}\n\n`;

function asFrame(frame: ThreadFrame): LiveFrame<Position> {
  const data = frame.kind === "message" ? frame.message : { id: frame.id, status: frame.status };
  const cursor = writeCursor(frame.position);
  return {
    place: frame.position,
    text: `id: ${cursor}\nevent: ${frame.kind}\ndata: ${JSON.stringify(data)}\n\n`,
  };
}
