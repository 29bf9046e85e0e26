import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { cutPage } from "../../lib/cut-page.ts";
import { isId } from "../../lib/ids.ts";
import type { RecipientJson } from "../../wire/broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { SKIP_REASONS } from "../audience/recipient.ts";
import { RECIPIENT_STATUSES } from "../../wire/words.ts";
import {
  selectRecipients,
  selectWindowEnd,
  type RecipientFilter,
  type ReportedRecipient,
} from "./report-recipient-store.ts";

export type { ReportedRecipient } from "./report-recipient-store.ts";

export interface RecipientPage {
  readonly items: readonly ReportedRecipient[];
  /** Pass it as `after` for the next page; null: this was the last. */
  readonly next: string | null;
}

/** The recipient as the API shows it. */
export function presentRecipient(one: ReportedRecipient): RecipientJson {
  return {
    contactId: one.contactId,
    name: one.name,
    address: one.address,
    status: one.status,
    reason: one.reason,
    detail: one.detail,
    messageId: one.messageId,
    sentAt: one.sentAt?.toISOString() ?? null,
    deliveredAt: one.deliveredAt?.toISOString() ?? null,
    readAt: one.readAt?.toISOString() ?? null,
  };
}

/**
 * How many recipients are read for one page. Sent, delivered and read recipients have no index of their own: among
 * a million recipients, the three whose message never arrived were not found within a request's time.
 */
const WINDOW = 20_000;

/**
 * Recipients of a campaign in the order of their contacts, after a contact, up to 1,000 a page (100 by default). A
 * page may have fewer without being the last. `reason` is why it was skipped, or the platform's code. Errors:
 * `BROADCAST_NOT_FOUND`, `VALIDATION_FAILED` for an invalid filter or cursor.
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
  checkFilter(options);
  if (after !== undefined && !isId(after)) throw invalid("after", "must be a contact's id");
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 1_000))
    throw invalid("limit", "must be a whole number from 1 to 1000");
  const broadcast = await findBroadcast(context, workspaceId, id);
  const { db } = context;
  const from = after ?? null;
  const rows = await selectRecipients(db, broadcast, options, from, limit + 1, WINDOW);
  const { items, last } = cutPage(rows, limit);
  if (last !== null) return { items, next: last.contactId };
  return { items, next: await selectWindowEnd(db, broadcast, options, from, WINDOW) };
}

/**
 * Refuses, with VALIDATION_FAILED, an unknown status, and for skipped recipients an unknown reason. Other statuses
 * may have any reason: the codes of platforms and gateways are open lists.
 */
export function checkFilter({ status = [], reason }: RecipientFilter): void {
  const asked = [status].flat();
  if (!asked.every((one) => RECIPIENT_STATUSES.includes(one)))
    throw invalid("status", `must be one of ${RECIPIENT_STATUSES.join(", ")}`);
  const known: readonly string[] = SKIP_REASONS;
  const skipped = asked.length > 0 && asked.every((one) => one === "skipped");
  if (skipped && reason !== undefined && !known.includes(reason))
    throw invalid("reason", `of the skipped must be one of ${SKIP_REASONS.join(", ")}`);
}
