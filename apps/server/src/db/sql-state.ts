import pg from "pg";

/** 53100: disk_full. */
export const FULL = "53100";

/** SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** No word of the database, or its last one (08: connection lost; 57P0x: shutting down). */
export function isLostConnection(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^(08|57P0)/.test(state);
}
