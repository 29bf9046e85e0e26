import { customerAddress } from "../contacts/record/customer-address.ts";
import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { invalid } from "../errors.ts";
import type { DeskOrder, DeskPage, DeskRow, MineOf } from "../wire/desk-shapes.ts";
import type { ViewTerms } from "../wire/in-view.ts";
import { cutPage } from "../lib/cut-page.ts";
import { isId } from "../lib/ids.ts";
import type { ChannelType } from "../wire/words.ts";
import {
  countDesk,
  selectDeskChanges,
  selectDeskIds,
  selectInDesk,
  selectDeskNumbers,
  selectDeskPage,
  selectDeskRows,
  selectOwnParts,
  type DeskPlace,
  type StoredDeskRow,
} from "./desk-read-store.ts";
import { isPersonal } from "./desk-view-sql.ts";

export { countAssigned, selectDeskMarks as deskMarks, type DeskMark } from "./desk-read-store.ts";

/** The member who looks at the inbox. */
export interface DeskMember {
  readonly workspaceId: string;
  readonly memberId: string;
}

/** Views are counted up to this number. */
const MOST_COUNTED = 1_000;
const VIEWS_A_STATEMENT = 100;
/** These channels have no reply window: we may answer at any time. */
const WITHOUT_WINDOW: ReadonlySet<ChannelType> = new Set<ChannelType>(["TELEGRAM", "WEB"]);

/** A row as the API shows it. */
function presentDeskRow(row: StoredDeskRow): DeskRow {
  const address = customerAddress(row);
  return {
    id: row.id,
    contactId: row.contactId,
    name: row.contactName ?? (address === "" ? `#${row.contactId.slice(-6)}` : address),
    named: row.contactName !== null,
    address,
    channelId: row.channelId,
    channelType: row.channelType,
    status: row.status,
    assigneeId: row.assigneeId,
    labels: [...row.labels],
    preview: row.preview,
    previewKind: row.previewKind,
    previewSide: row.previewSide,
    previewBy: row.previewBy,
    lastInboundId: row.lastInboundId,
    lastOutboundId: row.lastOutboundId,
    inboundCount: row.inboundCount,
    answeredCount: row.answeredCount,
    deskAt: row.deskAt.toISOString(),
    waitingSince: row.waitingSince?.toISOString() ?? null,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    windowExpiresAt: row.windowExpiresAt?.toISOString() ?? null,
    hasWindow: !WITHOUT_WINDOW.has(row.channelType),
    failed: row.failed,
    handler: row.handler,
    botId: row.botId,
    handedReason: row.handedReason,
    change: row.change,
  };
}

/** One page of a view, complete for the screen, in one statement. Throws VALIDATION_FAILED for a wrong cursor. */
export async function listDesk(
  context: Pick<Context, "db" | "clock">,
  member: DeskMember,
  list: {
    readonly terms: ViewTerms;
    readonly order: DeskOrder;
    readonly unread: boolean;
    readonly cursor: string | undefined;
    readonly limit: number;
  },
): Promise<DeskPage> {
  const rows = await selectDeskPage(
    context.db,
    { ...member, now: context.clock.now() },
    { ...list, after: deskPlaceOf(list.cursor, list.order), limit: list.limit + 1 },
  );
  const { items, last } = cutPage(rows, list.limit);
  return {
    rows: items.map(presentDeskRow),
    mine: items.flatMap(({ id, seen, keptUnread, mentioned }) =>
      seen === null
        ? []
        : [
            {
              conversationId: id,
              seen,
              keptUnread: keptUnread === true,
              mentioned: mentioned === true,
              draft: null,
            },
          ],
    ),
    nextCursor: last && cursorOf(last, list.order),
    change:
      rows[0]?.number ??
      (await deskNumbers(context.db, [member.workspaceId])).get(member.workspaceId) ??
      0,
  };
}

const cursorOf = (row: StoredDeskRow, order: DeskOrder): string =>
  `${(order === "waiting" ? row.waitingSince : row.deskAt)?.getTime() ?? ""}_${row.id}`;

/** The row that a page ended with. Throws VALIDATION_FAILED for a wrong cursor. */
export function deskPlaceOf(cursor: string | undefined, order: DeskOrder): DeskPlace | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split("_");
  if (!/^\d{0,14}$/.test(at) || !isId(id) || (at === "" && order !== "waiting"))
    throw invalid("cursor", "must be a nextCursor");
  return { at: at === "" ? null : new Date(Number(at)), id };
}

/**
 * How many conversations each view holds for each of these members, at most 1,000. `of`: the member of a personal
 * view; null: a view for everybody. A count that is the same for everybody is made once.
 */
export async function countDeskViews(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  memberIds: readonly string[],
  views: readonly (readonly [name: string, terms: ViewTerms, of: string | null])[],
): Promise<ReadonlyMap<string, Readonly<Record<string, number>>>> {
  const counted = views.map(([name, terms, of]) => ({
    name,
    terms,
    memberIds: of !== null ? [of] : isPersonal(terms) ? memberIds : null,
  }));
  const looker = { workspaceId, now: context.clock.now() };
  const counts = new Map(memberIds.map((id): [string, Record<string, number>] => [id, {}]));
  for (let from = 0; from < counted.length; from += VIEWS_A_STATEMENT) {
    const part = counted.slice(from, from + VIEWS_A_STATEMENT);
    for (const { name, memberId, n } of await countDesk(context.db, looker, part, MOST_COUNTED))
      for (const id of memberId === null ? memberIds : [memberId]) {
        const own = counts.get(id);
        if (own) own[name] = n;
      }
  }
  return counts;
}

/** These rows, in no order. Rows that are not in the inbox are left out. */
export async function deskRows(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<DeskRow[]> {
  const rows = await selectDeskRows(db, workspaceId, ids.filter(isId));
  return rows.map(presentDeskRow);
}

/** One row; undefined: it is not in the inbox. */
export async function deskRow(
  db: Queryable,
  workspaceId: string,
  conversationId: string,
): Promise<DeskRow | undefined> {
  const [row] = await deskRows(db, workspaceId, [conversationId]);
  return row;
}

/** What changed in the inbox after a number, in the order of the changes. */
export async function deskChangesAfter(
  db: Queryable,
  workspaceId: string,
  after: number,
  limit = 500,
): Promise<DeskRow[]> {
  return (await selectDeskChanges(db, workspaceId, after, limit)).map(presentDeskRow);
}

/** The present number of each inbox, by workspace: one statement for all streams. */
export async function deskNumbers(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await selectDeskNumbers(db, workspaceIds);
  return new Map(rows.map((row) => [row.workspaceId, row.number]));
}

/** The member's own part of these conversations, one for each id. */
export async function mineOf(
  db: Queryable,
  workspaceId: string,
  memberId: string,
  ids: readonly string[],
): Promise<MineOf[]> {
  const valid = ids.filter(isId);
  const rows = await selectOwnParts(db, workspaceId, memberId, valid);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return valid.map((id) => ({
    conversationId: id,
    seen: byId.get(id)?.seen ?? 0,
    keptUnread: byId.get(id)?.keptUnread ?? false,
    mentioned: byId.get(id)?.mentioned ?? false,
    draft: null,
  }));
}

/** The ids of up to `limit` conversations of a view, the newest first. */
export function deskIdsOf(
  context: Pick<Context, "db" | "clock">,
  member: DeskMember,
  list: { readonly terms: ViewTerms; readonly unread: boolean },
  limit: number,
): Promise<string[]> {
  return selectDeskIds(context.db, { ...member, now: context.clock.now() }, list, limit);
}

/** Which of these conversations are in the inbox. */
export async function deskIds(
  db: Queryable,
  keys: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  return new Set((await selectInDesk(db, keys)).map(({ id }) => id));
}
