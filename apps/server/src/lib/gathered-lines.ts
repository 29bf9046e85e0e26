import type { LoggerOptions } from "pino";

/** Facts of a line that an outage writes, of the database say: the same comes with each request and each round. */
interface OutageFacts {
  readonly outage: true;
  readonly error: string;
  readonly code?: unknown;
  readonly reason?: string;
}

type Hook = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

const TOLD_EVERY_MS = 10_000;
/** Of more than so many causes at a time the rest are counted as one. */
const MOST_CAUSES = 50;
const OTHERS = "others";

/**
 * Writes one line for each cause of an outage, and then every ten seconds how often the same came since and in which
 * lines, until ten seconds passed without it (an outage of 13 minutes had written 19 MB). Other lines pass as they are.
 */
export function gatherOutages(everyMs = TOLD_EVERY_MS): Hook {
  const causes = new Map<string, Map<string, number>>();
  return function (args, write) {
    const [facts, message = ""]: unknown[] = args;
    if (!isOutage(facts)) return write.apply(this, args);
    const { error, code, reason } = facts;
    const own = [error, code, reason].join(" ");
    const cause = causes.has(own) || causes.size < MOST_CAUSES ? own : OTHERS;
    const counted = causes.get(cause);
    if (counted) {
      counted.set(String(message), (counted.get(String(message)) ?? 0) + 1);
      return;
    }
    causes.set(cause, new Map());
    write.apply(this, args);
    const timer = setInterval(() => {
      const since = causes.get(cause) ?? new Map<string, number>();
      if (since.size === 0) {
        causes.delete(cause);
        clearInterval(timer);
        return;
      }
      causes.set(cause, new Map());
      const times = [...since.values()].reduce((sum, one) => sum + one, 0);
      const said = cause === OTHERS ? { error: OTHERS } : { error, code, reason };
      write.call(this, { ...said, times, lines: Object.fromEntries(since) }, "the same again");
    }, everyMs).unref();
  };
}

function isOutage(facts: unknown): facts is OutageFacts {
  return typeof facts === "object" && facts !== null && "outage" in facts && facts.outage === true;
}
