import type { Queryable } from "../db/database.ts";
import { nilId, sql, type Sql } from "../db/sql.ts";

/** A sandbox channel, or the sandbox SMS account of a workspace (type SMS; its id is the provider's). */
export interface SandboxLineRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly apiUrl: string | null;
  readonly verified: boolean;
}

const LINES = sql`select workspace_id as "workspaceId", id, type, name, api_url as "apiUrl", true as verified
    from channel where sandbox and status <> 'disconnected'
  union all
  select workspace_id, id, 'SMS', 'SMS sandbox', api_url, verified_at is not null from sms_provider where sandbox`;

/** What the sandbox serves, of every workspace: the one place where it reads across them. Web chat has no platform. */
export function selectSandboxLines(db: Queryable): Promise<SandboxLineRow[]> {
  return db.query(sql`select * from (${LINES}) as line where type <> 'WEB' order by id`);
}

/** The same with web chats, of one workspace or of all: for the command line. */
export function selectListedLines(
  db: Queryable,
  workspaceId: string | null,
): Promise<SandboxLineRow[]> {
  return db.query(sql`select * from (${LINES}) as line
    where ${workspaceId}::uuid is null or "workspaceId" = ${workspaceId}::uuid order by id`);
}

/** One of them, whichever workspace it is in. */
export async function selectSandboxLine(db: Queryable, id: string): Promise<SandboxLineRow | null> {
  const rows = await db.query<SandboxLineRow>(
    sql`select * from (${LINES}) as line where id = ${id}::uuid`,
  );
  return rows[0] ?? null;
}

export interface KnownTemplateRow {
  readonly metaId: string;
  readonly name: string;
  readonly language: string;
  readonly category: string | null;
  readonly status: string;
  readonly parameterFormat: "POSITIONAL" | "NAMED";
  readonly components: readonly { readonly type: string }[];
}

/** The templates of a sandbox channel, for an emulator that begins anew. */
export function selectKnownTemplates(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<KnownTemplateRow[]> {
  return db.query(sql`select meta_id as "metaId", name, language, category, status,
      parameter_format as "parameterFormat", components
    from template where workspace_id = ${workspaceId} and channel_id = ${channelId} and status <> 'DELETED'
    order by id`);
}

export interface CustomerRow {
  readonly externalId: string;
  readonly name: string | null;
  readonly windowExpiresAt: Date | null;
  readonly replies: number;
  readonly blocked: boolean;
}

/**
 * Who wrote to a channel, the newest ten thousand, with what the platform must know of them. They are chosen before
 * anything is looked up for them: a campaign to everybody makes hundreds of thousands of them.
 */
export function selectCustomers(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<CustomerRow[]> {
  return db.query(sql`select i.external_id as "externalId", c.name, v.window_expires_at as "windowExpiresAt",
      coalesce(r.replies, 0) as replies, coalesce(c.opted_out_at is not null and k.source = 'platform', false) as blocked
    from (select * from contact_identity where workspace_id = ${workspaceId} and channel_id = ${channelId}
      order by created_at desc limit 10000) i
    cross join lateral (select name, opted_out_at from contact
      where workspace_id = i.workspace_id and id = i.contact_id limit 1) c
    left join lateral (select * from conversation where workspace_id = i.workspace_id and channel_id = i.channel_id
      and contact_id = i.contact_id limit 1) v on true
    left join lateral (select count(*) filter (where m.direction = 'outbound' and m.status <> 'failed') as replies
      from message m where m.workspace_id = v.workspace_id and m.conversation_id = v.id and v.channel_type = 'TIKTOK'
        and m.id > coalesce((select x.id from message x where x.workspace_id = v.workspace_id
          and x.conversation_id = v.id and x.direction = 'inbound' order by x.id desc limit 1), ${nilId})) r on true
    left join lateral (select e.source from consent_entry e where e.workspace_id = i.workspace_id
      and e.contact_id = i.contact_id order by e.id desc limit 1) k on true
    order by i.created_at desc`);
}

/** The phones that wrote STOP, for the SMS account, which has no identities. */
export async function selectStoppedPhones(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{ phone: string }>(sql`select phone from contact
    where workspace_id = ${workspaceId} and opted_out_at is not null and phone is not null limit 10000`);
  return rows.map((row) => row.phone);
}

export interface PastMessage {
  readonly customer: string;
  readonly direction: "inbound" | "outbound";
  readonly messageId: string;
  readonly text: string | null;
  readonly type: string;
  readonly at: Date;
}

/** The latest messages of the conversations of a channel in which something was said last: no index tells a channel's. */
const latestMessages = (workspaceId: string, channelId: string): Sql => sql`
  (select * from conversation where workspace_id = ${workspaceId} and channel_id = ${channelId}
    order by last_message_at desc nulls last limit 200) v
  cross join lateral (select * from message where workspace_id = v.workspace_id and conversation_id = v.id
    and provider_message_id is not null order by id desc limit 20) m`;

/** The latest messages that reached a channel's customers or came from them, newest first. */
export function selectPastMessages(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<PastMessage[]> {
  return db.query(sql`select i.external_id as customer, m.direction, m.provider_message_id as "messageId", m.text,
      m.type, m.created_at as at
    from ${latestMessages(workspaceId, channelId)}
    join lateral (select external_id from contact_identity i where i.workspace_id = v.workspace_id
      and i.channel_id = v.channel_id and i.contact_id = v.contact_id order by i.created_at, i.is_number desc limit 1) i on true
    order by m.id desc limit 200`);
}

/** The highest number that Telegram gave to one of the latest messages of a bot; 0: none. Numbers rise with time. */
export async function selectLastNumber(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<number> {
  const rows = await db.query<{ last: number | null }>(sql`
    select max(split_part(m.provider_message_id, ':', 2)::bigint) as last from ${latestMessages(workspaceId, channelId)}
    where m.provider_message_id ~ '^[0-9]+:[0-9]{1,15}$'`);
  return rows[0]?.last ?? 0;
}

/** A message as it was stored, by the platform's id. */
export async function selectTakenIn(
  db: Queryable,
  workspaceId: string,
  channelId: string,
  providerMessageId: string,
): Promise<{ messageId: string; conversationId: string | null; contactId: string | null } | null> {
  const rows = await db.query<{
    messageId: string;
    conversationId: string | null;
    contactId: string | null;
  }>(sql`select m.id as "messageId", m.conversation_id as "conversationId",
      coalesce(v.contact_id, m.contact_id) as "contactId"
    from message m left join conversation v on v.workspace_id = m.workspace_id and v.id = m.conversation_id
    where m.workspace_id = ${workspaceId} and m.channel_id = ${channelId}
      and m.provider_message_id = ${providerMessageId}`);
  return rows[0] ?? null;
}

/** Where a message of ours is. */
export async function selectByMessage(
  db: Queryable,
  workspaceId: string,
  messageId: string,
): Promise<{ messageId: string; conversationId: string | null; contactId: string | null }> {
  const rows = await db.query<{ conversationId: string | null; contactId: string | null }>(sql`
    select m.conversation_id as "conversationId", coalesce(v.contact_id, m.contact_id) as "contactId"
    from message m left join conversation v on v.workspace_id = m.workspace_id and v.id = m.conversation_id
    where m.workspace_id = ${workspaceId} and m.id = ${messageId}`);
  return { messageId, conversationId: null, contactId: null, ...rows[0] };
}

/** The conversation with a customer on a channel, or null. */
export async function selectConversation(
  db: Queryable,
  workspaceId: string,
  channelId: string,
  externalId: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(sql`select id from conversation
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and external_id = ${externalId}`);
  return rows[0]?.id ?? null;
}

/** The sealed secret of an endpoint: the demo's receiver runs here and must check signatures. */
export async function selectEndpointSecret(
  db: Queryable,
  workspaceId: string,
  endpointId: string,
): Promise<Buffer | null> {
  const rows = await db.query<{ sealed: Buffer }>(sql`select secret_sealed as sealed from endpoint
    where workspace_id = ${workspaceId} and id = ${endpointId}`);
  return rows[0]?.sealed ?? null;
}

/** The workspaces that the demo made, by the audit log. */
export async function selectDemoWorkspaces(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select w.id from workspace w where exists (
    select 1 from audit_entry a where a.workspace_id = w.id and a.action = 'workspace.created' and a.actor = 'demo')`);
  return rows.map((row) => row.id);
}
