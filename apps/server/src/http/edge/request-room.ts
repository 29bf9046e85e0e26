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
/** From this share of the room on, no key has more than its own share. Below, a key may burst as its rate allows. */
const CROWDED = 0.625;

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
  #inFlight = 0;

  constructor(limits: RoomLimits, pressure: Pressure) {
    this.#limits = limits;
    this.#pressure = pressure;
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
    const level = LEVELS[importance];
    const taken = this.#inFlight / this.#limits.requests;
    if (taken >= level.room) return "room";
    if (taken >= FEW && this.#pressure.loopMs() > level.loopMs) return "loop";
    if (this.#pressure.memory() > level.memory) return "memory";
    const own = key === undefined ? 0 : (this.#byKey.get(key) ?? 0);
    return taken >= CROWDED && own >= this.#limits.perKey ? "key" : null;
  }

  /** Counts a request, of a key if one is named, until the function that it gives is called. */
  enter(key?: string): () => void {
    this.#inFlight++;
    if (key !== undefined) this.#byKey.set(key, (this.#byKey.get(key) ?? 0) + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#inFlight--;
      if (key === undefined) return;
      const left = (this.#byKey.get(key) ?? 1) - 1;
      if (left > 0) this.#byKey.set(key, left);
      else this.#byKey.delete(key);
    };
  }
}

/**
 * Refuses requests while the room is too full for them, the least important first, with 503 OVERLOADED and
 * `Retry-After`. It looks twice: before the credential, where a refusal costs next to nothing, and where the work
 * begins, which is where a request is counted, so that a body or a file on a slow line takes no place. A place ends
 * with the answer; that of an export when its last line was taken. Must be called before the routes are made.
 */
export function boundRequests(fastify: FastifyInstance, room: RequestRoom): void {
  fastify.decorateRequest("leaveRoom", null);
  fastify.addHook("onRoute", (route) => {
    const importance = importanceOf(route.url, route.config?.heavy === true);
    route.config = { ...route.config, importance };
  });
  fastify.addHook("onRequest", (request, _reply, done) => {
    done(room.refusal(importanceNow(request)));
  });
  fastify.addHook("preValidation", (request, reply, done) => {
    const importance = importanceNow(request);
    if (importance === "always" || request.routeOptions.config.slowBody === true) return done();
    const key = importance === "member" ? undefined : request.admitted?.caller;
    const refused = room.refusal(importance, key);
    if (refused) return done(refused);
    const leave = room.enter(key);
    request.leaveRoom = leave;
    // Without an answer: a stream that stays open, or a client that hung up on a handler that has ended.
    reply.raw.once("close", () => {
      if (reply.sent) leave();
    });
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
