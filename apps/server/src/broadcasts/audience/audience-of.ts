import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import { compileSegment } from "../../segments/segment-sql.ts";
import { findSegment } from "../../segments/find-segment.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { selectFamily } from "../record/broadcast-store.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";
import { failedBefore } from "./audience-store.ts";

/**
 * Codes of any provider that say that the number or account itself accepts no message. A resend leaves these
 * recipients out unless they are asked for (channels.md §0.2, address_permanent).
 */
const PERMANENT_CODES = [
  "131021",
  "131026",
  "131030",
  "131062",
  // Telegram: the customer blocked the bot.
  "403",
  "INVALID_NUMBER",
  "BLOCKED_BY_RECIPIENT",
];

/**
 * The audience of a campaign, as a condition over contact `c`; null when its segment is gone. `after`: only
 * contacts after this one.
 */
export async function audienceOf(
  context: Pick<Context, "clock"> & { readonly db: Queryable },
  broadcast: Broadcast,
  after: string | null = null,
): Promise<Sql | null> {
  const { workspaceId, contactIds, parentId, segmentId } = broadcast;
  if (contactIds !== null) return sql`c.id = any (${contactIds}::uuid[])`;
  if (parentId !== null) return failedIn(context, broadcast, parentId, after ?? NIL_ID);
  if (segmentId === null) return sql`c.opted_out_at is null`;
  const segment = await findSegment(context.db, workspaceId, segmentId);
  return segment && compileSegment(segment.definition, context.clock.now());
}

/** Whether its audience depends on what other resends of the same campaign have. */
export const isResend = ({ contactIds, parentId }: Broadcast): boolean =>
  contactIds === null && parentId !== null;

/**
 * The failed recipients of the parent campaign, also under the id of a contact that was merged since. One with an
 * unknown outcome only when a person asked for these. Never one that got the message by another resend, or waits
 * for it there.
 */
async function failedIn(
  context: { readonly db: Queryable },
  { workspaceId, id, parentAll, parentUnknown }: Broadcast,
  parentId: string,
  after: string,
): Promise<Sql> {
  const without = [
    ...(parentUnknown ? [] : [OUTCOME_UNKNOWN]),
    ...(parentAll ? [] : PERMANENT_CODES),
  ];
  const family = await selectFamily(context.db, { workspaceId, id: parentId });
  const resends = family.filter((one) => one.id !== id);
  const others = resends.map((one) => one.id);
  const over = resends.filter((one) => one.over).map((one) => one.id);
  // A person asked for them, so they are sent to although their outcome is unknown.
  const asked = parentUnknown ? resends.filter((one) => one.above).map((one) => one.id) : [];
  return failedBefore({ workspaceId, id: parentId }, { after, without, others, over, asked });
}
