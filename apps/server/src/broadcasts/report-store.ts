import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { BroadcastKey } from "./broadcast-store.ts";
import { OUTCOME_UNKNOWN, type RecipientStatus } from "./recipient.ts";

export interface StatusCount {
  readonly status: RecipientStatus;
  readonly reason: string | null;
  readonly count: number;
}

/** Every recipient of a campaign, counted by status and reason. Reads them all: minutes apart, not per request. */
export function countRecipients(db: Queryable, key: BroadcastKey): Promise<StatusCount[]> {
  return db.query<StatusCount>(statusCounts(key));
}

export const statusCounts = (key: BroadcastKey) => sql`
  select status, reason, count(*) as count from broadcast_recipient
  where workspace_id = ${key.workspaceId} and broadcast_id = ${key.id}
  group by status, reason order by status, reason`;

/** A recipient of whom nobody can say whether the message arrived. */
export interface UnknownOutcome {
  readonly contactId: string;
  readonly name: string | null;
  readonly address: string;
  readonly messageId: string;
  readonly calledAt: Date;
}

export function selectUnknown(
  db: Queryable,
  key: BroadcastKey,
  after: string | null,
  limit: number,
): Promise<UnknownOutcome[]> {
  return db.query<UnknownOutcome>(sql`
    select r.contact_id as "contactId", c.name, r.address, r.message_id as "messageId", r.called_at as "calledAt"
    from broadcast_recipient r
    left join contact c on c.workspace_id = r.workspace_id and c.id = r.contact_id
    where r.workspace_id = ${key.workspaceId} and r.broadcast_id = ${key.id} and r.status = 'failed'
      and r.reason = ${OUTCOME_UNKNOWN}
      and r.contact_id > ${after ?? "00000000-0000-0000-0000-000000000000"}
    order by r.contact_id limit ${limit}`);
}
