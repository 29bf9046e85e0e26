import { LostCommit } from "../lib/lost-commit.ts";
import { QueryTimeout, sqlState } from "./database.ts";
import { NoAnswer } from "./time-limit.ts";

// 08: connection lost; 53: disk full, out of memory or connections; 57014: cancelled; 57P0x: shutting down or
// starting; 55P03: lock time-out; 40: gave way to others four times.
const BUSY_STATES = /^(08...|53...|57014|57P0.|55P03|40001|40P01)$/;
const BUSY_ERRNO = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN"]);
const BUSY_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client has encountered a connection error)/;

/**
 * True when the database could not answer now but may soon (away, full, restarting): nothing is wrong with what was
 * asked. The edge answers 503; who is called by a platform lets it call again.
 */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof QueryTimeout || error instanceof LostCommit || error instanceof NoAnswer)
    return true;
  if (BUSY_STATES.test(sqlState(error) ?? "")) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isPassingFault);
  // ENOENT with a syscall `connect` is a database socket that is not there; a missing file is a defect.
  const code = "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "syscall" in error && error.syscall === "connect";
  if (BUSY_ERRNO.has(code)) return true;
  return BUSY_TEXT.test(error.message);
}
