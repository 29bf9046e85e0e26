import type { Random } from "./random.ts";

/**
 * Groups of calls for which a fault can be set. `upload`: a file uploaded to the platform; `media`: the look-up of
 * a file; `download`: its bytes; `account`: token and webhook; `updates`: the long poll.
 */
export type Operation =
  | "send"
  | "templates"
  | "media"
  | "upload"
  | "download"
  | "profile"
  | "account"
  | "updates";

/**
 * What goes wrong with a call.
 * - status: HTTP `status` with `body`
 * - code: the platform's error `code` (its own HTTP status, or `status`)
 * - delay: handled as usual, answered after `delayMs`
 * - drop: the connection is cut; `accepted` says whether the message was taken before
 * - slow: half of the answer, the rest after `delayMs`; cut: half of it, then the connection ends
 * - oversize: `bytes` of zeros in place of the answer, their length not told
 * - html, empty, truncated: a 200 that is no JSON; redirect: a 302 elsewhere; hang: no answer at all
 * - as: the call is treated as one to an address with the ending `as`, from the table of magic numbers
 */
export interface Fault {
  readonly kind:
    | "status"
    | "code"
    | "delay"
    | "drop"
    | "html"
    | "empty"
    | "truncated"
    | "redirect"
    | "hang"
    | "slow"
    | "cut"
    | "oversize"
    | "as";
  /** Only for kind `as`: the ending. */
  readonly as?: string;
  /** How many calls it hits. Default 1. */
  readonly next?: number;
  /** How many calls pass before the first hit. */
  readonly skip?: number;
  /** Hits only this share of the calls (seeded). */
  readonly chance?: number;
  /** Only calls to this address (digits). */
  readonly to?: string;
  /** Which calls: sends by default. */
  readonly on?: Operation | "any";
  /**
   * Whether the message is accepted although the answer is wrong. Default: true for delay, hang, slow, cut,
   * oversize, html, empty, truncated.
   */
  readonly accepted?: boolean;
  readonly status?: number;
  readonly code?: number;
  /** Meta's `error_subcode` beside it. */
  readonly subcode?: number;
  readonly details?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** Only for kind `oversize`. Default 64 MiB. */
  readonly bytes?: number;
  /** Telegram: the wait that a 429 asks for, in seconds. */
  readonly retryAfter?: number;
  readonly location?: string;
}

const FAULT_KINDS: readonly Fault["kind"][] = [
  "status",
  "code",
  "delay",
  "drop",
  "html",
  "empty",
  "truncated",
  "redirect",
  "hang",
  "slow",
  "cut",
  "oversize",
  "as",
];

/** The faults that wait for calls, in the order in which they were set. */
export class Faults {
  readonly #random: Random;
  #waiting: { fault: Fault; left: number; skip: number }[] = [];
  constructor(random: Random) {
    this.#random = random;
  }

  add(fault: Fault): void {
    if (this.#waiting.length >= 1000) throw new Error("too many faults wait");
    this.#waiting.push({ fault, left: fault.next ?? 1, skip: fault.skip ?? 0 });
  }

  clear(): void {
    this.#waiting = [];
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** The fault that hits this call, if any; counts it down. */
  take(operation: Operation, to: string | null): Fault | null {
    for (const [index, entry] of this.#waiting.entries()) {
      const { fault } = entry;
      const on = fault.on ?? "send";
      if (on !== "any" && on !== operation) continue;
      if (fault.to !== undefined && fault.to !== to) continue;
      if (entry.skip > 0) {
        entry.skip -= 1;
        continue;
      }
      if (fault.chance !== undefined && !this.#random.chance(fault.chance)) continue;
      entry.left -= 1;
      if (entry.left <= 0) this.#waiting.splice(index, 1);
      return fault;
    }
    return null;
  }
}

/** Whether a call hit by this fault still has its effect. */
export function faultAccepts(fault: Fault): boolean {
  return (
    fault.accepted ??
    ["delay", "hang", "slow", "cut", "oversize", "html", "empty", "truncated", "as"].includes(
      fault.kind,
    )
  );
}

/** How a magic address begins: a country code that nobody has, so that no real number triggers anything by chance. */
const MAGIC_PREFIX = "999";

/** Whether an address is one of the fictitious ones with a special ending. */
export function isMagic(address: string): boolean {
  return address.replace(/^\+/, "").startsWith(MAGIC_PREFIX);
}

/** The ending that decides about a call: the fault's `as`, else the magic address's; null for an ordinary address. */
export function magicKey(fault: Fault | null, magic: boolean, address: string): string | null {
  if (fault?.kind === "as") return fault.as ?? "";
  return magic && isMagic(address) ? address : null;
}

/** Reads a fault from JSON; refuses a kind that does not exist. */
export function asFault(body: Readonly<Record<string, unknown>>): Fault {
  const kind = FAULT_KINDS.find((known) => known === body["kind"]);
  if (!kind) throw new Error(`kind must be one of ${FAULT_KINDS.join(", ")}`);
  return { ...(body as Omit<Fault, "kind">), kind };
}
