import { inspect } from "node:util";
import type { LoggerOptions } from "pino";

/**
 * The facts of a log line about an outage (of the database, say). Each request and each round would write the same
 * line.
 */
interface OutageFacts {
  readonly outage: true;
  readonly error: string;
  readonly code?: unknown;
  readonly reason?: string;
}

type Hook = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const TOLD_EVERY_MS = 10_000;
/** Causes that are told apart at a time. All others are counted as one. */
const MOST_CAUSES = 50;
/** Of these, how many may be no outage's. */
const MOST_PLAIN = 25;
const OTHERS = "others";

/** Pino's number of the level "warn". */
const WARN = 40;

/** What a line is counted under, and what is said of it later. */
interface Cause {
  readonly key: string;
  readonly said: object | null;
}

/**
 * Writes the first line of each cause. Every ten seconds after that, one line says how often the same came and in which
 * lines, until ten seconds pass without it. Lines about an outage have their error as cause (an outage of 13 minutes had
 * written 19 MB). A warning or error that belongs to no request, as those of loops, has all its facts as cause: a round
 * that fails each time had written some 70 MB a day. Other lines pass unchanged.
 */
export function gatherLines(everyMs = TOLD_EVERY_MS): Hook {
  const causes = new Map<string, Map<string, number>>();
  return function (args, write, level) {
    const [facts, text = facts]: unknown[] = args;
    const message = typeof text === "string" ? text : "";
    const cause = isOutage(facts)
      ? causeOfOutage(facts, causes)
      : level < WARN || hasRequest(facts)
        ? null
        : { key: `${message} ${factsOf(facts)}`, said: typeof facts === "object" ? facts : null };
    // Beyond these places, a line that is no outage's is written: no other line has its ids.
    const isFull = causes.size >= MOST_PLAIN && !isOutage(facts);
    if (cause === null || (isFull && !causes.has(cause.key))) return write.apply(this, args);
    const { key, said } = cause;
    const counted = causes.get(key);
    if (counted) {
      counted.set(message, (counted.get(message) ?? 0) + 1);
      return;
    }
    causes.set(key, new Map());
    write.apply(this, args);
    const timer = setInterval(() => {
      const since = causes.get(key) ?? new Map<string, number>();
      if (since.size === 0) {
        causes.delete(key);
        clearInterval(timer);
        return;
      }
      causes.set(key, new Map());
      const times = [...since.values()].reduce((sum, one) => sum + one, 0);
      const lines = Object.fromEntries(since);
      write.call(this, { ...said, at: undefined, times, lines }, "the same again");
    }, everyMs).unref();
  };
}

function causeOfOutage(facts: OutageFacts, causes: ReadonlyMap<string, unknown>): Cause {
  const { error, code, reason } = facts;
  const key = [error, code, reason].join(" ");
  return causes.has(key) || causes.size < MOST_CAUSES
    ? { key, said: { error, code, reason } }
    : { key: OTHERS, said: { error: OTHERS } };
}

const hasRequest = (facts: unknown): boolean => Object.hasOwn(Object(facts), "requestId");

/** The facts as text, without the place in the code. */
function factsOf(facts: unknown): string {
  if (typeof facts !== "object" || facts === null) return "";
  return Object.entries(facts)
    .filter(([name]) => name !== "at")
    .map(([name, value]) => `${name}=${inspect(value)}`)
    .join(" ");
}

function isOutage(facts: unknown): facts is OutageFacts {
  return typeof facts === "object" && facts !== null && "outage" in facts && facts.outage === true;
}
