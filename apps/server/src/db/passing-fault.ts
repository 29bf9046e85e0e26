import { LostCommit } from "../lib/lost-commit.ts";
import { sqlState } from "./sql-state.ts";
import { NoAnswer, QueryTimeout } from "./time-limit.ts";
import { ReadOnlyServer } from "./writable-client.ts";

// 08: connection lost. 25006: the server is a standby (until the new primary's address is known). 53: disk full, out of
// memory or connections. 57014: cancelled. 57P0x: shutting down or starting. 55P03: lock time-out. 40: gave way to
// others four times.
const BUSY_STATES = /^(08...|25006|53...|57014|57P0.|55P03|40001|40P01)$/;
// While a database moves, its name or its address may lead nowhere.
const BUSY_ERRNO = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EAI_AGAIN ENOTFOUND EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN".split(
    " ",
  ),
);
const BUSY_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client has encountered a connection error)/;

/**
 * True when the database could not answer now but may soon (away, full, restarting), so that nothing is wrong with the
 * request. The edge answers 503. A platform that called is asked to call again.
 */
export function isPassingFault(error: unknown): boolean {
  if (error instanceof QueryTimeout || error instanceof LostCommit) return true;
  if (error instanceof NoAnswer || error instanceof ReadOnlyServer) return true;
  if (BUSY_STATES.test(sqlState(error) ?? "")) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isPassingFault);
  // ENOENT of `connect` means that the database's socket is not there. A missing file is a defect.
  const code = "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "syscall" in error && error.syscall === "connect";
  if (BUSY_ERRNO.has(code)) return true;
  return BUSY_TEXT.test(error.message);
}
