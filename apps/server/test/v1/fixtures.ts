import { OPERATOR } from "../../src/actor.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { openConversations } from "../../src/conversations/open-conversations.ts";
import { sql } from "../../src/db/sql.ts";
import type { Api } from "./api.ts";

let numbers = 100_000;

/** A WhatsApp channel that reaches nobody: nothing is dispatched in these tests. */
export async function connectWhatsApp(api: Api, workspaceId = api.workspaceId): Promise<string> {
  const { id } = await connectChannel(OPERATOR, api.app, workspaceId, {
    type: "WHATSAPP",
    name: "Main line",
    phoneNumberId: String(++numbers),
    wabaId: "1",
    accessToken: "token",
    appSecret: "secret",
    verifyToken: "verify",
    apiUrl: "http://127.0.0.1:9/v25.0",
  });
  return id;
}

/** A conversation in which the customer wrote `hoursAgo`. */
export async function openConversation(
  api: Api,
  options: { workspaceId?: string; hoursAgo?: number; channelId?: string; phone?: string } = {},
): Promise<string> {
  const { workspaceId = api.workspaceId, hoursAgo = 1 } = options;
  const { phone = String(20_100_000_000 + ++numbers) } = options;
  const channelId = options.channelId ?? (await connectWhatsApp(api, workspaceId));
  const contact = await api.call("POST", "/contacts", {
    json: { phone },
    bearer: await api.key([], workspaceId),
  });
  const now = api.clock.now();
  const [opened] = await api.app.db.transaction((tx) =>
    openConversations(api.app, tx, [
      {
        workspaceId,
        contactId: String(contact.body["id"]),
        channelId,
        channelType: "WHATSAPP",
        externalId: String(contact.body["phone"]),
        at: now,
      },
    ]),
  );
  const id = opened?.conversation.id ?? "";
  const expires = new Date(now.getTime() + (24 - hoursAgo) * 3_600_000);
  await api.app.db.query(
    sql`update conversation set window_expires_at = ${expires} where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return id;
}

/** An approved template, or one in another status. */
export async function addTemplate(
  api: Api,
  channelId: string,
  template: {
    name: string;
    status?: string;
    workspaceId?: string;
    language?: string;
    body?: string;
  },
): Promise<string> {
  const id = api.app.ids.next();
  const text = template.body ?? "Hello {{1}}, {{2}} and {{1}}";
  const components = JSON.stringify([{ type: "BODY", text, zeta: 1, alpha: 2 }]);
  await api.app.db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, header_format, last_synced_at)
    values (${template.workspaceId ?? api.workspaceId}, ${id}, ${channelId}, ${id}, ${template.name}, ${template.language ?? "en"}, 'UTILITY',
      ${template.status ?? "APPROVED"}, ${components}::json, ${text.includes("{{2}}") ? 2 : 1}, null, ${api.clock.now()})`);
  return id;
}
