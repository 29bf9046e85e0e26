import pg from "pg";

/** 53100: disk_full. */
export const FULL = "53100";

/** SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Whether the connection was lost: the error is not the database's, or it is its last one (08: connection lost; 57P0x:
 * shutting down).
 */
export function isLostConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^(08|57P0)/.test(state);
}
