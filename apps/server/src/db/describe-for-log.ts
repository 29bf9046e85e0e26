import { isPassingFault } from "./passing-fault.ts";
import { sqlState } from "./sql-state.ts";

/** How many levels of causes are described. The outer error says what was tried, the inner ones why it failed. */
const DEPTH = 3;
const INNER = 3;

/** What may be told about an error: nothing that quotes data. */
interface ErrorFacts {
  readonly error: string;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly reason?: string;
  readonly causes?: readonly ErrorFacts[];
}

/**
 * The part of an error that goes to the log: its place, its kind and the kinds of its causes. The words of the database
 * or of a parser stay out, because they quote what they could not read, which may be a customer's text. An error of a
 * database that is away or full may come thousands of times. It is marked as an outage, and the log gathers such lines
 * (`lib/gathered-lines.ts`).
 */
export function describeForLog(error: unknown): Record<string, unknown> {
  const facts = { ...factsOf(error, DEPTH), ...(isPassingFault(error) && { outage: true }) };
  return error instanceof Error ? { ...facts, at: placesOf(error) } : { ...facts };
}

/**
 * The same in one line of at most 500 characters, without places. It is stored with calls that could not be taken in.
 */
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
 * In these classes (connection, roles, resources, operator, system) PostgreSQL's words name only its own files, limits
 * and state.
 */
const OWN_WORDS = /^(08|28|53|57|58)/;

function quotes(error: Error): boolean {
  const state = sqlState(error);
  return error instanceof SyntaxError || (state !== undefined && !OWN_WORDS.test(state));
}

/** The places of the stack. The stack begins with the message, of which a line may look like a place. */
function placesOf({ stack = "", message }: Error): string[] {
  const after = stack.indexOf(message) + message.length;
  return stack
    .slice(stack.includes(message) ? after : 0)
    .split("\n")
    .filter((line) => /^ {4}at .*(?::\d+:\d+\)?|<anonymous>\)?|\(native\))$/.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
}
