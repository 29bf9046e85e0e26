import type { FastifyInstance, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import type { Pressure } from "../../lib/pressure.ts";

/**
 * Who is refused first when there is more to do than this process can (docs/operations.md, Overload):
 * - heavy: exports, lists, reports and imports of programs, and the exports of members
 * - program: every other call with a key
 * - member: the dashboard, its pages, the documents
 * - platform: calls of platforms and gateways, visitors of web chat, files of messages
 * - always: probes and metrics; never refused and never counted
 */
const IMPORTANCE = ["heavy", "program", "member", "platform", "always"] as const;
export type Importance = (typeof IMPORTANCE)[number];

/** From which share of the room, lateness of the event loop (ms) and share of the memory a request is refused. */
const LEVELS = {
  heavy: { room: 0.625, loopMs: 200, memory: 0.8 },
  program: { room: 0.75, loopMs: 300, memory: 0.85 },
  member: { room: 0.875, loopMs: 600, memory: 0.9 },
  platform: { room: 1, loopMs: 1_000, memory: 0.95 },
} as const satisfies Record<Exclude<Importance, "always">, object>;
/** Below this share of the room a late loop is not the requests' doing, and refusing them would not help. */
const FEW = 0.125;
/**
 * How long requests may take on average while some are refused because the room is full. When they take longer, there
 * is less room for programs: what waits here only waits for the same database.
 */
const SLOW_MS = 60;
const LEAST_ROOM = 32;
const LOOK_MS = 100;
/** From this share of the room on, no key has more than its own share. Below, a key may burst as its rate allows. */
const CROWDED = 0.625;

/**
 * A refusal rests about this long before it is answered, those beyond `MOST_RESTING` excepted. A client that repeats its
 * call at once would otherwise fill each turn of the event loop with refusals, and every step of an admitted request
 * waits for a turn. With 200 ms a thousand connections took four fifths of what the process could do. Rests differ, so
 * that those who were refused together do not return together.
 */
const REST_MS = 1_000;
const MOST_RESTING = 2_000;

/** Why a request is refused. */
type RefusalCause = "room" | "key" | "loop" | "memory";

type RoomLimits = NonNullable<Config["requestRoom"]>;

export const ROOM_LIMITS: RoomLimits = { requests: 256, perKey: 16 };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Among the first to be refused. */
    readonly heavy?: boolean;
    /** Follows from the route's address and `heavy`. */
    readonly importance?: Importance;
  }
  interface FastifyRequest {
    /** Ends the request's place in the room. Null: it has none. */
    leaveRoom: (() => void) | null;
  }
}

/** The requests that this process works on, and those that it refused because it had enough to do. */
export class RequestRoom {
  readonly #limits: RoomLimits;
  readonly #pressure: Pressure;
  readonly #byKey = new Map<string, number>();
  readonly #refused = new Map<
    string,
    { importance: Importance; cause: RefusalCause; count: number }
  >();
  readonly #now: () => number;
  #inFlight = 0;
  /** How many requests there may be before programs are refused: fewer than the limit while they are slow. */
  #room: number;
  /** Since the last look: what ended, how long it took, and whether one was refused because the room was full. */
  #since = { at: 0, ended: 0, ms: 0, full: false };

  constructor(limits: RoomLimits, pressure: Pressure, now = () => performance.now()) {
    this.#limits = limits;
    this.#pressure = pressure;
    this.#now = now;
    this.#room = limits.requests;
  }

  /** How many requests are worked on now. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many were refused so far, by importance and cause. */
  refusals(): readonly { importance: Importance; cause: RefusalCause; count: number }[] {
    return [...this.#refused.values()];
  }

  /** OVERLOADED when a request of this importance, and perhaps of this key, is refused now. Counts the refusal. */
  refusal(importance: Importance, key?: string): AppError | undefined {
    const cause = this.#causeOf(importance, key);
    if (cause === null) return undefined;
    const name = `${importance} ${cause}`;
    const sum = this.#refused.get(name) ?? { importance, cause, count: 0 };
    sum.count++;
    this.#refused.set(name, sum);
    return new AppError("OVERLOADED", {
      // Spread, so that not all of them return at once.
      retryAfterSeconds: 1 + Math.floor(Math.random() * 3),
      ...(cause === "key" && {
        details: [
          {
            path: "policy",
            message: `in-flight: while the server is busy, a key has ${this.#limits.perKey} requests at once`,
          },
        ],
      }),
    });
  }

  #causeOf(importance: Importance, key: string | undefined): RefusalCause | null {
    if (importance === "always") return null;
    this.#look();
    const level = LEVELS[importance];
    const isProgram = importance === "heavy" || importance === "program";
    const taken = this.#inFlight / (isProgram ? this.#room : this.#limits.requests);
    if (taken >= level.room) {
      this.#since.full = true;
      return "room";
    }
    if (taken >= FEW && this.#pressure.loopMs() > level.loopMs) return "loop";
    if (this.#pressure.memory() > level.memory) return "memory";
    const own = key === undefined ? 0 : (this.#byKey.get(key) ?? 0);
    return taken >= CROWDED && own >= this.#limits.perKey ? "key" : null;
  }

  /** Ten times a second: makes the room of programs smaller by a third, or larger by a step. */
  #look(): void {
    const now = this.#now();
    const { at, ended, ms, full } = this.#since;
    if (now - at < LOOK_MS) return;
    this.#since = { at: now, ended: 0, ms: 0, full: false };
    const { requests } = this.#limits;
    const meanMs = ended === 0 ? now - at : ms / ended;
    if (full && meanMs > SLOW_MS)
      this.#room = Math.max(Math.min(LEAST_ROOM, requests), Math.floor((this.#room * 2) / 3));
    else if (!full || meanMs < SLOW_MS / 2) this.#room = Math.min(requests, this.#room + 8);
  }

  /** Counts a request, of a key if one is named, until the function that it gives is called. */
  enter(key?: string): () => void {
    this.#inFlight++;
    if (key !== undefined) this.#byKey.set(key, (this.#byKey.get(key) ?? 0) + 1);
    let inside = true;
    const begun = this.#now();
    return () => {
      if (!inside) return;
      inside = false;
      this.#inFlight--;
      this.#since.ended++;
      // An export may take minutes, and says nothing of the others.
      this.#since.ms += Math.min(this.#now() - begun, 1_000);
      if (key === undefined) return;
      const left = (this.#byKey.get(key) ?? 1) - 1;
      if (left > 0) this.#byKey.set(key, left);
      else this.#byKey.delete(key);
    };
  }
}

/**
 * Refuses requests while the room is too full for them, the least important first, with 503 OVERLOADED and
 * `Retry-After`, before the credential is looked at. A request takes a place from then on, because credentials and
 * limits are asked of the database too. While its body arrives it has none, so that slow lines fill no room, and it is
 * checked again when the work begins, now that its key is known. A place ends with the answer; that of an export when
 * its last line was taken. Must be called before the routes are made.
 */
export function boundRequests(fastify: FastifyInstance, room: RequestRoom): void {
  const rest = resting(MOST_RESTING);
  fastify.decorateRequest("leaveRoom", null);
  fastify.addHook("onRoute", (route) => {
    const importance = importanceOf(route.url, route.config?.heavy === true);
    route.config = { ...route.config, importance };
  });
  fastify.addHook("onRequest", (request, reply, done) => {
    const importance = importanceNow(request);
    if (importance === "always") return done();
    const refused = room.refusal(importance);
    if (refused) return rest(() => done(refused));
    request.leaveRoom = room.enter();
    // Without an answer: a stream that stays open, or a client that hung up on a handler that has ended.
    reply.raw.once("close", () => {
      if (reply.sent) request.leaveRoom?.();
    });
    done();
  });
  fastify.addHook("preParsing", (request, _reply, _payload, done) => {
    request.leaveRoom?.();
    done();
  });
  fastify.addHook("preValidation", (request, _reply, done) => {
    const importance = importanceNow(request);
    if (importance === "always" || request.routeOptions.config.slowBody === true) return done();
    const key = importance === "member" ? undefined : request.admitted?.caller;
    const refused = room.refusal(importance, key);
    if (refused) return done(refused);
    request.leaveRoom = room.enter(key);
    done();
  });
  fastify.addHook("onSend", (request, reply, payload, done) => {
    const leave = request.leaveRoom;
    const written = payload instanceof Readable && importanceNow(request) === "heavy";
    if (leave && written && !reply.raw.destroyed) reply.raw.once("close", leave);
    else leave?.();
    done(null, payload);
  });
}

/** Calls `then` after a rest, or at once for those beyond `most`. */
function resting(most: number): (then: () => void) => void {
  let resting = 0;
  return (then) => {
    if (resting >= most) return then();
    resting++;
    setTimeout(
      () => {
        resting--;
        then();
      },
      REST_MS * (0.5 + Math.random()),
    );
  };
}

/** An address without a route, and a browser's question before a call, cost nothing. */
function importanceNow(request: FastifyRequest): Importance {
  if (request.is404 || request.method === "OPTIONS") return "always";
  return request.routeOptions.config.importance ?? "program";
}

/** The importance of a route. What is neither a program's nor a platform's address is read by people in browsers. */
function importanceOf(url: string, heavy: boolean): Importance {
  if (heavy) return "heavy";
  if (/^\/(?:healthz|readyz|metrics)$/.test(url)) return "always";
  if (/^\/(?:hooks|chat|media)\//.test(url)) return "platform";
  if (/^\/(?:api\/v1\/|mcp$)/.test(url)) return "program";
  return "member";
}
