import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { OtpRecord } from "./otp-record.ts";
import { selectRecords } from "./otp-store.ts";

/** Passcodes of one page. */
const PAGE = 50;

/**
 * One page of the workspace's passcodes, newest first, from below the record `before` (null: the newest). No text is
 * stored, so none is given. `next` is the `before` of the next page; null at the end. A `before` that is no id gives the
 * first page.
 */
export async function listPasscodes(
  context: Pick<Context, "db">,
  workspaceId: string,
  before: string | null,
): Promise<{ readonly items: readonly OtpRecord[]; readonly next: string | null }> {
  const below = before !== null && isId(before) ? before : null;
  const rows = await selectRecords(context.db, workspaceId, below, PAGE + 1);
  const items = rows.slice(0, PAGE);
  return { items, next: rows.length > PAGE ? (items.at(-1)?.id ?? null) : null };
}
