import { isPassingFault } from "./passing-fault.ts";
import { sqlState } from "./sql-state.ts";

/** How many levels of causes are described: the outer error says what was tried, the inner ones why it failed. */
const DEPTH = 3;
const INNER = 3;

/** What is known of an error without what it may quote. */
interface ErrorFacts {
  readonly error: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly reason?: string;
  readonly causes?: readonly ErrorFacts[];
}

/**
 * The part of an error that goes to the log, of requests and of loops alike: its place and kind, and the kinds of its
 * causes. Words of the database or of a parser stay out: they quote what they could not read, which may be a customer's
 * text. A line that the database causes, because it is away or full, may come thousands of times: the log gathers it
 * (`lib/gathered-lines.ts`).
 */
export function describeForLog(error: unknown): Record<string, unknown> {
  const facts = { ...factsOf(error, DEPTH), ...(isPassingFault(error) && { outage: true }) };
  return error instanceof Error ? { ...facts, at: placesOf(error) } : { ...facts };
}

/** The same in one line for the table that keeps what could not be taken in, which holds no place and no NUL. */
export function describeInLine(error: unknown): string {
  return wordsOf(factsOf(error, DEPTH)).replaceAll("\0", "").toWellFormed().slice(0, 500);
}

function wordsOf({ error, code, constraint, reason, causes = [] }: ErrorFacts): string {
  const named = [code, constraint].filter((one) => one !== undefined).map(String);
  return [
    named.length > 0 ? `${error} (${named.join(", ")})` : error,
    ...(reason ? [reason] : []),
    ...(causes.length > 0 ? [causes.map(wordsOf).join("; ")] : []),
  ].join(": ");
}

function factsOf(error: unknown, depth: number): ErrorFacts {
  if (!(error instanceof Error)) return { error: typeof error };
  const causes = [...(error instanceof AggregateError ? error.errors : []), error.cause]
    .filter((one) => one !== undefined && one !== null)
    .slice(0, depth > 1 ? INNER : 0);
  const inner: readonly unknown[] = causes;
  return {
    error: error.name,
    ...("code" in error && { code: error.code }),
    ...("constraint" in error && { constraint: error.constraint }),
    ...(!quotes(error) && { reason: error.message.slice(0, 300) }),
    ...(inner.length > 0 && { causes: inner.map((one) => factsOf(one, depth - 1)) }),
  };
}

/**
 * PostgreSQL's words of these kinds name its own files, limits and state: connection, roles, room, operator, system.
 */
const OWN_WORDS = /^(08|28|53|57|58)/;

function quotes(error: Error): boolean {
  const state = sqlState(error);
  return error instanceof SyntaxError || (state !== undefined && !OWN_WORDS.test(state));
}

/** The stack begins with the message, and a line of the message may look like a place. */
function placesOf({ stack = "", message }: Error): string[] {
  const after = stack.indexOf(message) + message.length;
  return stack
    .slice(stack.includes(message) ? after : 0)
    .split("\n")
    .filter((line) => /^ {4}at .*(?::\d+:\d+\)?|<anonymous>\)?|\(native\))$/.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
}
