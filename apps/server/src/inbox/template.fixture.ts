import type { Desk, Messaging } from "../../test/messaging.ts";
import { sql } from "../db/sql.ts";

/** An approved template of the desk's channel, without variables. */
export async function addTemplate(
  m: Messaging,
  desk: Desk,
  category: string | null,
): Promise<string> {
  const { app, clock } = m.t;
  const id = app.ids.next();
  const components = JSON.stringify([{ type: "BODY", text: "Hello" }]);
  await app.db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, last_synced_at)
    values (${desk.workspaceId}, ${id}, ${desk.account.channelId}, ${id}, ${`t_${id}`}, 'en', ${category}, 'APPROVED',
      ${components}, 0, ${clock.now()})`);
  return id;
}
