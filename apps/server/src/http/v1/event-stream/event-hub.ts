import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Principal } from "../../../api-keys/api-key.ts";
import { liveKeys } from "../../../api-keys/live-keys.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import type { EventKind } from "../../../wire/words.ts";
import { lastSequences, type FeedEvent, type FeedPage } from "../../../webhooks/read-feed.ts";
import { LiveStream, type LiveFrame } from "../../edge/live-stream.ts";
import { FeedReads } from "./feed-reads.ts";
import { describeForLog } from "../../../db/describe-for-log.ts";

export interface EventHubLimits {
  readonly pingMs: number;
  /** The longest time until events that another process stored are seen. */
  readonly lookMs: number;
  /** How often open streams' keys are checked. */
  readonly keysMs: number;
  /** How long a reader may take nothing. */
  readonly patienceMs: number;
  /** Streams of one key: the oldest ends when another begins. */
  readonly perKey: number;
  /** Streams of one workspace, whatever its number of keys: other workspaces need some too. */
  readonly perWorkspace: number;
  readonly perProcess: number;
}

export const EVENT_HUB_LIMITS: EventHubLimits = {
  pingMs: 15_000,
  lookMs: 500,
  keysMs: 2_000,
  patienceMs: 30_000,
  perKey: 5,
  perWorkspace: 50,
  perProcess: 1_000,
};

const TICK_MS = 1_000;
// Under a flood of events looks follow each other: this many a second are enough.
const LOOK_GAP_MS = 25;
/** How much may wait in memory for one reader. */
const MOST_BUFFERED = 1024 * 1024;

type EventStream = LiveStream<number>;

interface Owner {
  readonly principal: Principal;
  /** Null: all kinds. */
  readonly types: readonly EventKind[] | null;
}

/**
 * The event streams of this process. After every event of this process, and twice a second besides, one statement
 * for all of them asks which workspaces have new events; an idle stream costs no query of its own. Events are not
 * told by NOTIFY: every commit that notifies waits for one lock of the whole server, and nearly every commit has
 * events.
 */
export class EventHub {
  readonly #context: Context;
  readonly #limits: EventHubLimits;
  readonly #reads: FeedReads;
  readonly #streams = new Map<EventStream, Owner>();
  readonly #halt = new AbortController();
  #running = false;
  #timer: NodeJS.Timeout | undefined;
  #elapsed = { ping: 0, keys: 0 };

  constructor(context: Context, limits: EventHubLimits = EVENT_HUB_LIMITS) {
    this.#context = context;
    this.#limits = limits;
    this.#reads = new FeedReads(context);
  }

  get size(): number {
    return this.#streams.size;
  }

  /**
   * Called before anything is answered. Throws OVERLOADED when this process has as many streams as it can, or
   * stops. Throws RATE_LIMITED when the workspace has its share and the key has no stream that could end for this
   * one.
   */
  admit({ workspaceId, keyId }: Principal): void {
    if (this.#halt.signal.aborted || this.#streams.size >= this.#limits.perProcess)
      throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
    const owners = [...this.#streams.values()].map((one) => one.principal);
    const mine = owners.filter((one) => one.keyId === keyId).length;
    const shared = owners.filter((one) => one.workspaceId === workspaceId).length;
    if (mine < this.#limits.perKey && shared >= this.#limits.perWorkspace)
      throw new AppError("RATE_LIMITED", {
        retryAfterSeconds: 30,
        explanation: `the workspace has ${shared} event streams open; close one`,
      });
  }

  /** The response must be open: its head is written. */
  add(owner: Owner, after: number, response: Writable): EventStream {
    const { workspaceId, keyId } = owner.principal;
    const context = this.#context;
    const stream: EventStream = new LiveStream(response, after, {
      kind: "events",
      mostBuffered: MOST_BUFFERED,
      read: async (from) => framesOf(from, await this.#reads.read(workspaceId, from, owner.types)),
      failed: (error) => context.log.warn(describeForLog(error), "an event stream was not read"),
      ended: () => this.#streams.delete(stream),
    });
    const mine = [...this.#streams].filter(([, one]) => one.principal.keyId === keyId);
    if (mine.length >= this.#limits.perKey) mine[0]?.[0].end("replaced");
    this.#streams.set(stream, owner);
    // Sent at once: a reader that is cut off before the first event comes back to this place.
    stream.say(`event: open\nid: ${after}\ndata: {"after":${after}}\n\n`);
    this.#begin();
    stream.pump();
    return stream;
  }

  /** Ends every stream: their readers connect again to a process that serves. */
  close(): void {
    this.#halt.abort();
    clearInterval(this.#timer);
    for (const stream of this.#streams.keys()) stream.end("shutdown");
  }

  /** Wakes the streams whose workspace has events after their place. */
  async look(): Promise<void> {
    try {
      const owners = [...this.#streams.values()];
      const ids = [...new Set(owners.map((owner) => owner.principal.workspaceId))];
      const last = await lastSequences(this.#context, ids);
      for (const [stream, { principal }] of this.#streams)
        if ((last.get(principal.workspaceId) ?? 0) > stream.place) stream.pump();
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "event streams were not looked after");
    }
  }

  /** Ends the streams whose key was revoked or has expired. */
  async checkKeys(): Promise<void> {
    try {
      const streams = [...this.#streams];
      const keys = streams.map(([, { principal }]) => principal);
      const live = await liveKeys(this.#context, keys);
      for (const [stream, { principal }] of streams)
        if (!live.has(principal.keyId)) stream.end("revoked");
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "keys of event streams were not checked");
    }
  }

  /** A comment with the place: a reader of rare types comes back to the present place, not to its last event. */
  ping(): void {
    for (const stream of this.#streams.keys()) stream.say(`: ping\nid: ${stream.place}\n\n`);
  }

  #begin(): void {
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    if (!this.#running) void this.#run();
  }

  /** Looks while there are streams. */
  async #run(): Promise<void> {
    const { wake } = this.#context;
    this.#running = true;
    while (this.#streams.size > 0 && !this.#halt.signal.aborted) {
      const nudges = wake.nudges("feed");
      await this.look();
      await sleep(LOOK_GAP_MS, undefined, { ref: false });
      if (wake.nudges("feed") === nudges)
        await wake.wait("feed", this.#limits.lookMs, this.#halt.signal);
    }
    this.#running = false;
  }

  /** Runs once a second, by its own timer, while there are streams. */
  tick(): void {
    const { pingMs, keysMs, patienceMs } = this.#limits;
    if (this.#streams.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#elapsed.ping += TICK_MS;
    this.#elapsed.keys += TICK_MS;
    if (this.#elapsed.ping >= pingMs) {
      this.#elapsed.ping = 0;
      this.ping();
    }
    if (this.#elapsed.keys >= keysMs) {
      this.#elapsed.keys = 0;
      void this.checkKeys();
    }
    for (const stream of this.#streams.keys()) stream.checkReader(patienceMs);
  }
}

function framesOf(after: number, page: FeedPage) {
  const { events, gap, oldestSequence, nextAfter: next, hasMore: more } = page;
  const frames = events.map(asFrame);
  const lost = JSON.stringify({ after, oldestSequence });
  if (gap) frames.unshift({ place: after, text: `event: gap\ndata: ${lost}\n\n` });
  return { frames, next, more };
}

// A stored body is one line of JSON, so one data line holds exactly its bytes.
const asFrame = ({ sequence, type, body }: FeedEvent): LiveFrame<number> => ({
  place: sequence,
  text: `id: ${sequence}\nevent: ${type}\ndata: ${body}\n\n`,
});
