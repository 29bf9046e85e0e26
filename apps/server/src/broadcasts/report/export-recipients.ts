import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { permitRight } from "../../policies.ts";
import { recorded } from "../../workspaces/record-export.ts";
import { csvLine } from "../../contacts/record/csv-cell.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { checkFilter } from "./list-recipients.ts";
import {
  selectRecipients,
  type RecipientFilter,
  type ReportedRecipient,
} from "./report-recipient-store.ts";

const PAGE = 1_000;
/** Without it Excel reads the file in the system's old code page, and Arabic names become rubbish. */
const MARK = "\ufeff";

const COLUMNS = [
  "contactId",
  "name",
  "address",
  "status",
  "reason",
  "detail",
  "variant",
  "messageId",
  "calledAt",
  "sentAt",
  "deliveredAt",
  "readAt",
  "settledAt",
  "repliedAt",
  "optedOutAt",
] as const satisfies readonly (keyof ReportedRecipient)[];

/**
 * Every recipient of a campaign, or those with a status and reason, as lines of CSV in the order of their
 * contacts: RFC 4180, CRLF, header first, times in UTC, cells that a spreadsheet would read as formulas made
 * harmless. Reads page by page along the key, so memory does not grow; a recipient that changes meanwhile appears
 * as it was on its page. `mark`: with a byte order mark, for Excel. Errors, before the first line: FORBIDDEN, and
 * those of `listRecipients`. The audit keeps who took them, their count and which fields chose them.
 */
export function exportRecipients(
  actor: Actor,
  context: Pick<Context, "db" | "clock" | "ids">,
  workspaceId: string,
  id: string,
  options: RecipientFilter & { readonly mark?: boolean } = {},
): AsyncGenerator<string> {
  const tally = { count: 0 };
  const lines = recipientLines(actor, context, workspaceId, id, options, tally);
  const fields = (["status", "reason"] as const).filter((field) => options[field] !== undefined);
  return recorded(actor, context, workspaceId, lines, () => ({
    action: "broadcast.exported",
    subject: id,
    facts: { ...tally, ...(fields.length > 0 && { fields }) },
  }));
}

async function* recipientLines(
  actor: Actor,
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  options: RecipientFilter & { readonly mark?: boolean },
  tally: { count: number },
): AsyncGenerator<string> {
  permitRight(actor, "recipients.export");
  checkFilter(options);
  const broadcast = await findBroadcast(context, workspaceId, id);
  const names = broadcast.variants.map((variant) => variant.name);
  yield (options.mark === true ? MARK : "") + csvLine([...COLUMNS]);
  let after: string | null = null;
  for (;;) {
    const page: ReportedRecipient[] = await selectRecipients(
      context.db,
      broadcast,
      options,
      after,
      PAGE,
    );
    if (page.length === 0) return;
    tally.count += page.length;
    yield page.map((one) => csvLine(COLUMNS.map((column) => textOf(one, column, names)))).join("");
    if (page.length < PAGE) return;
    after = page.at(-1)?.contactId ?? null;
  }
}

function textOf(
  recipient: ReportedRecipient,
  column: (typeof COLUMNS)[number],
  names: readonly string[],
): string {
  const value = recipient[column];
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "number") return names[value] ?? String(value);
  return value ?? "";
}
