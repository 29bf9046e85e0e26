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
 * Codes that say the number or account itself takes no message, by any of the providers: a resend leaves them out
 * unless they are asked for (channels.md §0.2, address_permanent).
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
 * The audience of a campaign, as a condition over contact `c`; null when its segment is gone. `after`: contacts up to there
 * are not asked for.
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

/** Whether its audience hangs on what other resends of the same campaign hold. */
export const isResend = ({ contactIds, parentId }: Broadcast): boolean =>
  contactIds === null && parentId !== null;

/**
 * The failed recipients of the campaign before, also under the id of a contact that was merged since. One with an
 * unknown outcome only where a person asked for them; never one that got the message by another resend, or waits for
 * it there.
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
  // Asked for, they are sent to although they are unknown where they failed.
  const asked = parentUnknown ? resends.filter((one) => one.above).map((one) => one.id) : [];
  return failedBefore({ workspaceId, id: parentId }, { after, without, others, over, asked });
}
