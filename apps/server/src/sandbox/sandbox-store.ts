import type { Queryable, Tx } from "../db/database.ts";
import { ifGiven, sql, type Sql } from "../db/sql.ts";
import { sandboxChannels } from "../channels/channel-sql.ts";
import { lastConsentSource } from "../contacts/consent/consent-sql.ts";
import { firstIdentity, newestIdentities } from "../contacts/identity/identity-sql.ts";
import { contactAt, contactsOf } from "../contacts/record/contact-sql.ts";
import { newestThreads, threadOf } from "../conversations/conversation-sql.ts";
import { newestKnown, repliesSince } from "../messages/record/message-sql.ts";
import { sandboxAccounts } from "../sms/sms-provider-sql.ts";

/** A sandbox channel, or the sandbox SMS account of a workspace (type SMS; its id is the provider's). */
export interface SandboxLineRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly apiUrl: string | null;
  readonly verified: boolean;
}

const LINES = sql`${sandboxChannels} union all ${sandboxAccounts}`;

/**
 * Everything that the sandbox serves, in all workspaces. Only here does the sandbox read across workspaces. Web chat
 * has no platform, so it is left out.
 */
export function selectSandboxLines(db: Queryable): Promise<SandboxLineRow[]> {
  return db.query(sql`select * from (${LINES}) as line where type <> 'WEB' order by id`);
}

/** The same with web chats, of one workspace or of all, for the command line. */
export function selectListedLines(
  db: Queryable,
  workspaceId: string | null,
): Promise<SandboxLineRow[]> {
  return db.query(sql`select * from (${LINES}) as line
    ${ifGiven(workspaceId, (given) => sql`where "workspaceId" = ${given}::uuid`)} order by id`);
}

/** One line of any workspace. */
export async function selectSandboxLine(db: Queryable, id: string): Promise<SandboxLineRow | null> {
  const rows = await db.query<SandboxLineRow>(
    sql`select * from (${LINES}) as line where id = ${id}::uuid`,
  );
  return rows[0] ?? null;
}

export interface CustomerRow {
  readonly externalId: string;
  readonly name: string | null;
  readonly windowExpiresAt: Date | null;
  readonly replies: number;
  readonly blocked: boolean;
}

/**
 * The newest ten thousand customers of a channel, with what the platform must know about them. The customers are chosen
 * before anything is looked up for them, because a campaign to everybody creates hundreds of thousands.
 */
export function selectCustomers(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<CustomerRow[]> {
  return db.query(sql`select i.external_id as "externalId", c.name, v.window_expires_at as "windowExpiresAt",
      case when v.channel_type = 'TIKTOK' then ${repliesSince(sql`v.workspace_id`, sql`v.id`)} else 0 end as replies,
      coalesce(c.opted_out_at is not null
        and ${lastConsentSource(sql`i.workspace_id`, sql`i.contact_id`)} = 'platform', false) as blocked
    from ${newestIdentities(workspaceId, channelId, 10_000)} i
    cross join lateral ${contactAt(sql`i.workspace_id`, sql`i.contact_id`)} c
    left join lateral ${threadOf(sql`i.workspace_id`, sql`i.channel_id`, sql`i.contact_id`)} v on true
    order by i.created_at desc`);
}

/** Who is at the other end of a thread, by the address on its channel; null: nobody that the channel knows. */
export async function selectCustomerOf(
  db: Queryable,
  {
    workspaceId,
    channelId,
    contactId,
  }: { readonly workspaceId: string; readonly channelId: string; readonly contactId: string },
): Promise<{ readonly customer: string; readonly name: string | null } | null> {
  const [w, contact] = [sql`${workspaceId}::uuid`, sql`${contactId}::uuid`];
  const rows = await db.query<{ customer: string; name: string | null }>(sql`
    select i.external_id as customer, c.name from ${contactAt(w, contact)} c
    cross join lateral ${firstIdentity(w, sql`${channelId}::uuid`, contact)} i`);
  return rows[0] ?? null;
}

/** The phones that are opted out, for the SMS account, which has no identities. */
export async function selectStoppedPhones(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.query<{
    phone: string;
  }>(sql`select c.phone from ${contactsOf(workspaceId)} c
    where c.opted_out_at is not null and c.phone is not null limit 10000`);
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

/**
 * The latest messages of the channel's most recent conversations. (No index leads to the latest messages of a channel.)
 */
const latestMessages = (workspaceId: string, channelId: string): Sql => sql`
  ${newestThreads(workspaceId, channelId, 200)} v
  cross join lateral ${newestKnown(sql`v.workspace_id`, sql`v.id`, 20)} m`;

/** The latest messages that reached a channel's customers or came from them, newest first. */
export function selectPastMessages(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<PastMessage[]> {
  return db.query(sql`select i.external_id as customer, m.direction, m.provider_message_id as "messageId", m.text,
      m.type, m.created_at as at
    from ${latestMessages(workspaceId, channelId)}
    cross join lateral ${firstIdentity(sql`v.workspace_id`, sql`v.channel_id`, sql`v.contact_id`)} i
    order by m.id desc limit 200`);
}

/** The highest message number that Telegram lately gave a bot, or 0. Numbers rise with time. */
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

/** Waits for the right to decide about the demo, and has it until the transaction ends. */
export async function lockDemo(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('demo', 0))`);
}
