import type { Tx } from "../db/database.ts";
import { passOverSequences } from "./event-store.ts";

/** More events than a workspace stores between two backups, and few enough for a receiver that keeps 32 bits. */
const PASSED_OVER = 10_000_000;

/**
 * Leaves out ten million numbers of every workspace's events. After a restore, events would otherwise get numbers that
 * receivers have seen: they would take them for old ones, and a reader of the feed would pass over them.
 */
export const passOverNumbers = (tx: Tx): Promise<void> => passOverSequences(tx, PASSED_OVER);
