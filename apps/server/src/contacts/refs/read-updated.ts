import type { Db } from "../../db/database.ts";
import type { Sql } from "../../db/sql.ts";
import type { ContactRecordJson } from "../../wire/contact-record.ts";
import {
  selectNewestContacts,
  selectUpdated,
  type UpdatedAfter,
} from "../record/updated-page-store.ts";
import { readRecords } from "./read-records.ts";

/**
 * Contacts that fit a condition over `contact c`, the one that changed longest ago first, and after which of them the next
 * page begins (null: at the end). Throws `QueryTimeout` after five seconds.
 */
export async function readUpdated(
  db: Db,
  workspaceId: string,
  where: Sql,
  after: UpdatedAfter | null,
  size: number,
): Promise<{ readonly items: readonly ContactRecordJson[]; readonly next: UpdatedAfter | null }> {
  const rows = await selectUpdated(db, workspaceId, where, after, size + 1);
  const shown = rows.slice(0, size);
  const ids = shown.map(({ id }) => id);
  const items = await readRecords(db, workspaceId, ids);
  return { items, next: rows.length > size ? (shown.at(-1) ?? null) : null };
}

/** Contacts that fit a condition over `contact c`, the newest first, from below this id. Throws as `readUpdated`. */
export async function readNewest(
  db: Db,
  workspaceId: string,
  where: Sql,
  below: string | null,
  size: number,
): Promise<{ readonly items: readonly ContactRecordJson[]; readonly next: string | null }> {
  const ids = await selectNewestContacts(db, workspaceId, where, below, size + 1);
  const shown = ids.slice(0, size);
  const items = await readRecords(db, workspaceId, shown);
  return { items, next: ids.length > size ? (shown.at(-1) ?? null) : null };
}
