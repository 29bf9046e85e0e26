import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { ClaimedProfile, ProfileRequest } from "./profile-request.ts";

/** One request per contact, however many messages come. */
export async function insertRequests(
  tx: Tx,
  requests: readonly ProfileRequest[],
  at: Date,
): Promise<void> {
  await tx.query(sql`
    insert into profile_request (workspace_id, contact_id, channel_id, external_id, available_at)
    select w, c, h, x, ${at} from unnest(
      ${requests.map((one) => one.workspaceId)}::uuid[], ${requests.map((one) => one.contactId)}::uuid[],
      ${requests.map((one) => one.channelId)}::uuid[], ${requests.map((one) => one.externalId)}::text[]
    ) as r(w, c, h, x)
    on conflict (workspace_id, contact_id) do nothing`);
}

/** Claims due requests, oldest first. A request whose lease ended is due again. */
export function claimRequests(
  db: Queryable,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<ClaimedProfile[]> {
  return db.query(sql`
    with due as (
      select workspace_id, contact_id from profile_request where available_at <= ${now}::timestamptz
      order by available_at limit ${limit} for update skip locked
    )
    update profile_request r set attempts = r.attempts + 1, available_at = ${leaseUntil}::timestamptz
    from due where r.workspace_id = due.workspace_id and r.contact_id = due.contact_id
    returning r.workspace_id as "workspaceId", r.contact_id as "contactId", r.channel_id as "channelId",
      r.external_id as "externalId", r.attempts`);
}

/** Makes the request due again at `at`. Does nothing when another worker has it by now. */
export async function postponeRequest(
  db: Queryable,
  claim: ClaimedProfile,
  at: Date,
): Promise<void> {
  await db.query(sql`
    update profile_request set available_at = ${at}
    where workspace_id = ${claim.workspaceId} and contact_id = ${claim.contactId} and attempts = ${claim.attempts}`);
}

/** False: another process has the request by now. */
export async function deleteProfileRequest(db: Queryable, claim: ClaimedProfile): Promise<boolean> {
  const rows = await db.query(sql`
    delete from profile_request
    where workspace_id = ${claim.workspaceId} and contact_id = ${claim.contactId} and attempts = ${claim.attempts}
    returning 1`);
  return rows.length > 0;
}
