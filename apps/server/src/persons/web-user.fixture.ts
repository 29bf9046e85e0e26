import { OPERATOR } from "../actor.ts";
import { createHmac } from "node:crypto";
import type { App } from "../app.ts";
import { loadAccounts } from "../channels/load-accounts.ts";
import { admitVisitor } from "../chat/chat-channel.ts";
import { openSession } from "../chat/open-session.ts";
import { writeMessage } from "../chat/write-message.ts";
import { mergeContacts } from "../contacts/identity/merge-contacts.ts";
import { sql } from "../db/sql.ts";

export const SECRET = "parley-identity-secret";

/**
 * Signs a visitor in on a site and writes a message; the contact that this creates is merged into another. Gives
 * the token.
 */
export async function chatAsUser(
  app: App,
  key: { readonly workspaceId: string; readonly channelId: string },
  marker: string,
  keepId: string,
): Promise<string> {
  const account = (await loadAccounts(app, [key])).get(key.channelId);
  if (!account) throw new Error("no web channel");
  const hash = createHmac("sha256", SECRET).update(`user-${marker}`).digest("hex");
  const user = {
    id: `user-${marker}`,
    hash,
    name: `Web ${marker}`,
    email: `web-${marker}@example.com`,
  };
  const { token } = await openSession(app, account, { user }, "192.0.2.1");
  const guest = await admitVisitor(app, account, token);
  await writeMessage(app, guest, { clientId: "c1", text: `chat ${marker}` });
  const [web] = await app.db.query<{ id: string }>(sql`
    select contact_id as id from contact_identity where channel_id = ${key.channelId}
      and external_id = ${`user:user-${marker}`}`);
  await mergeContacts(OPERATOR, app, key.workspaceId, keepId, web?.id ?? "");
  return token;
}
