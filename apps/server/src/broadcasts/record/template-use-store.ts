import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { BroadcastStatus } from "../../wire/words.ts";

export interface NamedCampaign {
  readonly id: string;
  readonly name: string;
  readonly status: BroadcastStatus;
}

/** The newest campaigns that send a template. */
export function selectOfTemplate(
  db: Queryable,
  workspaceId: string,
  templateId: string,
  limit: number,
): Promise<NamedCampaign[]> {
  return db.query<NamedCampaign>(sql`
    select id, name, status from broadcast
    where workspace_id = ${workspaceId} and template_id = ${templateId} order by id desc limit ${limit}`);
}

/** The names of campaigns that are scheduled or started and send a template, also as one of their variants. At most 5. */
export async function campaignsSending(
  db: Queryable,
  workspaceId: string,
  templateId: string,
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select name from broadcast
    where workspace_id = ${workspaceId} and status in ('SCHEDULED', 'QUEUED', 'RUNNING', 'PAUSED')
      and (template_id = ${templateId}
        or variants @> ${JSON.stringify([{ templateId }])}::jsonb)
    order by id limit 5`);
  return rows.map((row) => row.name);
}
