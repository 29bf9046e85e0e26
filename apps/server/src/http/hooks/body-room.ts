import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, tooLarge } from "../../errors.ts";
import { clientAddress } from "../edge/client-address.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** How many bytes bodies may hold at once: in this process, for one channel, for one address. */
interface RoomLimits {
  readonly process: number;
  readonly channel: number;
  readonly address: number;
}

/** Nearly every call is smaller than this. */
const SMALL_BODY = 64 * KIB;

/**
 * The largest calls (4 MB) find room three times in a process, twice for a channel and twice for an
 * address. Small bodies have room of their own: large ones that fill the other do not delay them.
 */
const BODY_ROOM: { readonly small: RoomLimits; readonly large: RoomLimits } = {
  small: { process: 6 * MIB, channel: 3 * MIB, address: 3 * MIB },
  large: { process: 12 * MIB, channel: 8 * MIB, address: 8 * MIB },
};

/** How long a caller that found no room is asked to wait, in seconds. Platforms repeat a call that was answered 503. */
const RETRY_AFTER_S = 10;

interface Place {
  readonly channel: string;
  readonly address: string;
  readonly mostBytes: number;
  /** Reserved bytes, and their budget. */
  held: number;
  budget: Budget;
}

/**
 * The memory that bodies of calls from outside may use before anybody knows whether they are genuine. A body's
 * length is reserved when its header has come and given back when the call is answered. A body that does not fit
 * is answered 503 before it is read, and its connection is closed.
 */
export class BodyRoom {
  readonly #small: Budget;
  readonly #large: Budget;
  readonly #places = new WeakMap<IncomingMessage, Place>();

  constructor(limits = BODY_ROOM) {
    this.#small = new Budget(limits.small);
    this.#large = new Budget(limits.large);
  }

  /** How many bytes are reserved now. */
  get bytes(): number {
    return this.#small.bytes + this.#large.bytes;
  }

  /**
   * Reserves the announced length of the body. `channel` is the called one: a channel or an account of a gateway.
   * Null: it fits. 413: longer than `mostBytes`. 503: no room now. The refusal is answered and the body is not
   * kept.
   */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    channel: string,
    mostBytes: number,
  ): 413 | 503 | null {
    const { raw } = request;
    const announced = raw.headers["content-length"];
    const chunked = raw.headers["transfer-encoding"] !== undefined;
    // A body in chunks announces no length: it begins as a small one and grows when it turns out to be larger.
    const bytes = chunked ? Math.min(SMALL_BODY, mostBytes) : Number(announced ?? 0);
    if (bytes > mostBytes) return 413;
    const budget = bytes > SMALL_BODY ? this.#large : this.#small;
    const address = clientAddress(request);
    if (!budget.take(bytes, channel, address)) {
      reply.header("retry-after", String(RETRY_AFTER_S));
      return 503;
    }
    const place = { channel, address, mostBytes, held: bytes, budget };
    this.#places.set(raw, place);
    const leave = () => this.#leave(raw);
    reply.raw.once("finish", leave);
    reply.raw.once("close", leave);
    return null;
  }

  /**
   * Reads bodies of any content type into a buffer, within what `admit` reserved. A connection whose call is
   * answered before its body was read is closed with the answer. Otherwise Node would read and drop the rest, 2 MB
   * of each connection in one turn of the event loop (32 reads of 64 KiB), and 450 connections stopped the process
   * for seconds.
   */
  readBodiesOf(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    scope.addHook("onSend", (request, reply, _payload, done) => {
      const { complete, headers } = request.raw;
      const rest = headers["transfer-encoding"] ?? Number(headers["content-length"] ?? 0);
      if (!complete && (typeof rest === "string" || rest > SMALL_BODY))
        reply.header("connection", "close");
      done();
    });
    scope.addContentTypeParser("*", (request: FastifyRequest, payload: IncomingMessage) =>
      this.#read(request.raw, payload),
    );
  }

  #read(raw: IncomingMessage, payload: IncomingMessage): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const place = this.#places.get(raw);
    if (!place) return Promise.reject(new Error("a body that nobody admitted"));
    let whole = Buffer.allocUnsafeSlow(place.held);
    let length = 0;
    const stop = (error: unknown) => {
      payload.off("data", take);
      payload.pause();
      whole = Buffer.alloc(0);
      reject(error);
    };
    const take = (chunk: Buffer) => {
      if (length + chunk.length > whole.length) {
        const refusal = this.#grow(place, length + chunk.length);
        if (refusal !== null) {
          stop(refusal);
          return;
        }
        const larger = Buffer.allocUnsafeSlow(place.held);
        whole.copy(larger, 0, 0, length);
        whole = larger;
      }
      chunk.copy(whole, length);
      length += chunk.length;
    };
    payload.on("data", take);
    payload.once("end", () => resolve(whole.subarray(0, length)));
    payload.once("error", stop);
    payload.once("close", () => stop(raw.errored ?? new Error("the connection was cut")));
    return promise;
  }

  /** From then on the body counts as the largest possible. */
  #grow(place: Place, bytes: number): AppError | null {
    if (bytes > place.mostBytes) return tooLarge(place.mostBytes);
    const { channel, address, mostBytes } = place;
    if (!this.#large.take(mostBytes, channel, address))
      return new AppError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_S });
    place.budget.give(place.held, channel, address);
    place.budget = this.#large;
    place.held = mostBytes;
    return null;
  }

  #leave(raw: IncomingMessage): void {
    const place = this.#places.get(raw);
    if (!place || !this.#places.delete(raw)) return;
    place.budget.give(place.held, place.channel, place.address);
  }
}

/** Bytes taken, under three limits at once. Channels that hold none are not remembered. */
class Budget {
  readonly #limits: RoomLimits;
  readonly #channels = new Map<string, number>();
  readonly #addresses = new Map<string, number>();
  #taken = 0;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#taken;
  }

  /** False, and nothing is taken, when one of the three would be exceeded. */
  take(bytes: number, channel: string, address: string): boolean {
    const ofChannel = (this.#channels.get(channel) ?? 0) + bytes;
    const ofAddress = (this.#addresses.get(address) ?? 0) + bytes;
    const { process, channel: mostOfChannel, address: mostOfAddress } = this.#limits;
    if (this.#taken + bytes > process || ofChannel > mostOfChannel || ofAddress > mostOfAddress)
      return false;
    this.#taken += bytes;
    this.#channels.set(channel, ofChannel);
    this.#addresses.set(address, ofAddress);
    return true;
  }

  give(bytes: number, channel: string, address: string): void {
    this.#taken -= bytes;
    less(this.#channels, channel, bytes);
    less(this.#addresses, address, bytes);
  }
}

function less(counts: Map<string, number>, name: string, bytes: number): void {
  const left = (counts.get(name) ?? 0) - bytes;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}
