import { OPERATOR } from "../../apps/server/src/actor.ts";
import { buildApp } from "../../apps/server/src/app.ts";
import { connectChannel } from "../../apps/server/src/channels/connect-channel.ts";
import { migrate } from "../../apps/server/src/db/migrate.ts";
import { Sql, sql } from "../../apps/server/src/db/sql.ts";
import { benchConfig, SECRETS } from "../config.ts";
import { idAt, idText, seedConversations, seedWorkspaces, WORKSPACE } from "../seed.ts";
import { CHANNEL } from "../world.ts";

export const SHOP = 301;
const workspaceId = idAt(SHOP, WORKSPACE);
/** The secret of the member's session. */
export const TOKEN = `p${"0".repeat(42)}`;
export interface PagesSize {
  readonly conversations: number;
  /** Of the one long thread. */
  readonly messages: number;
}
/** Conversations with a thread as customers have it. */
const TALKED = 1_000;
export const longThread = idAt(SHOP, 1);

/** A workspace with a large inbox, filled straight in SQL: the newest conversation has the long thread. */
export async function seedPages(
  databaseUrl: string,
  { conversations, messages }: PagesSize,
): Promise<void> {
  await migrate(databaseUrl);
  const app = await buildApp({ ...benchConfig(databaseUrl), logLevel: "silent" }, SECRETS);
  const { db } = app;
  const text = (raw: string) => new Sql([raw], []);
  const id = (index: string) => text(idText(String(SHOP), index));
  try {
    await seedWorkspaces(
      db,
      { first: SHOP, last: SHOP, contacts: conversations, keys: 1 },
      () => {},
    );
    const ids = { next: () => idAt(SHOP, CHANNEL) };
    await connectChannel(OPERATOR, { ...app, ids, operator: true }, workspaceId, {
      type: "WHATSAPP",
      name: "Shop",
      phoneNumberId: "1000301",
      wabaId: "2000301",
      accessToken: "token",
      appSecret: "secret",
      verifyToken: "verify",
    });
    await db.query(sql`update channel set sync_due_at = null where workspace_id = ${workspaceId}`);
    await seedConversations(db, SHOP, SHOP, conversations);
    await db.query(sql`
      insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
        source, created_at)
      select ${id("0")}, uuidv7(- n * interval '1 minute'), ${id("i")}, ${id("i")}, ${idAt(SHOP, CHANNEL)}::uuid, 'inbound', 'text',
        'Where is my order number ' || n || '? ' || repeat('It should have come. ', n % 5), 'received', 'channel',
        now() - n * interval '1 minute'
      from generate_series(1, ${TALKED}::int) i,
        generate_series(1, case when i = 1 then ${messages}::int else 12 end) n`);
    await db.query(sql`
      insert into desk_conversation (workspace_id, conversation_id, channel_id, status, desk_at, waiting_since,
        window_expires_at, last_inbound_id, preview, inbound_count, change)
      select ${id("0")}, ${id("i")}, ${idAt(SHOP, CHANNEL)}::uuid, 'open', now() - i * interval '1 minute',
        now() - i * interval '1 minute', now() + interval '30 days', ${id("i")}, 'Where is my order number 5?', 12, i
      from generate_series(1, ${conversations}::int) i`);
    await db.query(sql`insert into event_sequence (workspace_id, last, desk)
      values (${workspaceId}, 0, ${conversations})
      on conflict (workspace_id) do update set desk = excluded.desk`);
    await db.query(sql`insert into login (id, email, created_at)
      values (${idAt(SHOP, 1)}, 'agent@bench.example', now())`);
    await db.query(sql`
      insert into member (workspace_id, id, email, name, role, created_at, login_id)
      values (${workspaceId}, ${idAt(SHOP, 1)}, 'agent@bench.example', 'Agent', 'agent', now(), ${idAt(SHOP, 1)})`);
    await db.query(sql`
      insert into session (token_hash, workspace_id, member_id, id, created_at, seen_at, expires_at, proven_at, ip, agent)
      values (sha256(convert_to(${TOKEN}, 'UTF8')), ${workspaceId}, ${idAt(SHOP, 1)}, ${idAt(SHOP, 1)}, now(), now(),
        now() + interval '1 day', now(), '', '')`);
    await db.query(text("vacuum analyze"));
  } finally {
    await app[Symbol.asyncDispose]();
  }
}
