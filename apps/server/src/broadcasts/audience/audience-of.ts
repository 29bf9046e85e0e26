import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import { compileSegment } from "../../segments/compile-segment.ts";
import { findSegment } from "../../segments/find-segment.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { selectFamily } from "../record/broadcast-store.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";

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
 * Whom a campaign is for, as a condition over contact `c`; null when its segment is gone. `after`: contacts up to there
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
 * Who failed in the campaign before, also under the id of a contact that was merged since. One of whom nobody knows
 * whether it arrived only where a person asked for them; never one who got the message by another resend, or waits for
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
  const others = family.filter((one) => one.id !== id);
  const over = others.filter((one) => one.over).map((one) => one.id);
  // Asked for, they are sent to although they are unknown where they failed.
  const asked = parentUnknown ? others.filter((one) => one.above).map((one) => one.id) : [];
  const person = sql`any (array(select c.id union all select a.id from contact_alias a
      where a.workspace_id = ${workspaceId} and a.contact_id = c.id))`;
  // Those who can be meant come from the index of failures, and from whom others were merged into: all contacts of the
  // workspace were looked at for a few who failed. Each is then looked up by the key, so as scalars with a limit, and the
  // reason in a case: right after a campaign the planner took those who failed for one or none, and went through all of
  // them for each contact.
  return sql`c.id = any (array(select contact_id from broadcast_recipient where workspace_id = ${workspaceId}
      and broadcast_id = ${parentId} and trouble = 'failed' and contact_id > ${after}
      union all select contact_id from contact_alias where workspace_id = ${workspaceId} and contact_id > ${after}))
    and (select true from broadcast_recipient p where p.workspace_id = ${workspaceId}
    and p.broadcast_id = ${parentId} and p.contact_id = ${person}
    and case when p.status = 'failed' then p.reason <> all (${without}::text[]) end limit 1) is not null
    and (select true from broadcast_recipient g where g.workspace_id = ${workspaceId}
      and g.broadcast_id = any (${others.map((one) => one.id)}::uuid[]) and g.contact_id = ${person}
      and case g.status when 'pending' then g.broadcast_id <> all (${over}::uuid[])
        when 'failed' then g.reason = ${OUTCOME_UNKNOWN} and g.broadcast_id <> all (${asked}::uuid[])
        else g.status <> 'skipped' end limit 1) is null`;
}
