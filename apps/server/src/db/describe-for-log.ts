import { sqlState } from "./sql-state.ts";

/**
 * What of an error goes to the log, of requests and of loops alike: where and of what kind. Words of the database or of a parser quote what they
 * could not read, which may be a customer's text, so those stay out.
 */
export function describeForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const quotes = sqlState(error) !== undefined || error instanceof SyntaxError;
  return {
    error: error.name,
    ...("code" in error && { code: error.code }),
    ...("constraint" in error && { constraint: error.constraint }),
    ...(!quotes && { reason: error.message.slice(0, 300) }),
    at: error.stack
      ?.split("\n")
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
  };
}
