import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { RECIPIENT_STATUSES } from "./recipient.ts";
import {
  selectRecipients,
  type RecipientFilter,
  type ReportedRecipient,
} from "./report-recipient-store.ts";

export interface RecipientPage {
  readonly items: readonly ReportedRecipient[];
  /** Pass it as `after` for the next page; null: this was the last. */
  readonly next: string | null;
}

/**
 * Recipients of a campaign in the order of their contacts, up to 1,000 a page (100 when not told), from after a
 * contact on. `reason` is what it was skipped for or the platform's code. Errors: `BROADCAST_NOT_FOUND`,
 * `VALIDATION_FAILED` for a status or cursor that is none.
 */
export async function listRecipients(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  options: RecipientFilter & {
    readonly after?: string | undefined;
    readonly limit?: number | undefined;
  } = {},
): Promise<RecipientPage> {
  const { after, limit = 100 } = options;
  if (options.status !== undefined && !RECIPIENT_STATUSES.includes(options.status))
    throw invalid("status", `must be one of ${RECIPIENT_STATUSES.join(", ")}`);
  if (after !== undefined && !isId(after)) throw invalid("after", "must be a contact's id");
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 1_000))
    throw invalid("limit", "must be a whole number from 1 to 1000");
  const broadcast = await findBroadcast(context, workspaceId, id);
  const items = await selectRecipients(context.db, broadcast, options, after ?? null, limit);
  return { items, next: items.length < limit ? null : (items.at(-1)?.contactId ?? null) };
}
