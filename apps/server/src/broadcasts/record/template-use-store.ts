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
