import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { accountExists } from "../../channels/channel-sql.ts";
import { messagesOf } from "../../messages/record/message-sql.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";

/** The newest messages that a prompt is made of, and that are compared before its answer is stored. */
export const NEWEST = 20;

/** A message as a bot reads it. */
export interface BotMessage {
  readonly id: string;
  readonly at: Date;
  /** When the platform says that it was written; ours until it says so. */
  readonly writtenAt: Date;
  /** `program`: a key, a campaign, another bot. */
  readonly from: "customer" | "bot" | "person" | "program";
  readonly type: string;
  readonly text: string | null;
  readonly attachments: readonly AttachmentJson[];
}

/**
 * Whether a message is part of the talk. What a program or a campaign writes answers nothing, and a reaction asks nothing: a
 * bot goes on as if they were not there.
 */
export const isTalk = ({ from, type }: Pick<BotMessage, "from" | "type">): boolean =>
  from !== "program" && type !== "reaction";

/** Whether the customer has the last word, and waits. */
export const customerWaits = (messages: readonly Pick<BotMessage, "from" | "type">[]): boolean =>
  messages.findLast(isTalk)?.from === "customer";

const FROM = sql`case when m.direction = 'inbound' then 'customer' when m.author like 'bot:%' then 'bot'
  when m.author like 'member:%' or m.author = 'cli' or m.source = 'channel' then 'person' else 'program' end`;

/** The newest messages of a conversation, without these ids, newest first. */
export function selectNewestIds(
  db: Queryable,
  {
    workspaceId,
    conversationId,
  }: { readonly workspaceId: string; readonly conversationId: string },
  without: readonly string[],
): Promise<Pick<BotMessage, "id" | "at" | "from" | "type">[]> {
  return db.query(sql`
    select m.id, m.created_at as at, m.type, ${FROM} as "from" from ${messagesOf(workspaceId, conversationId)} m
    where m.id <> all (${without}::uuid[])
    order by m.id desc limit ${NEWEST}::int`);
}

/** The same with their content. */
export function selectNewest(
  db: Queryable,
  {
    workspaceId,
    conversationId,
  }: { readonly workspaceId: string; readonly conversationId: string },
): Promise<BotMessage[]> {
  return db.query<BotMessage>(sql`
    select m.id, m.created_at as at, coalesce(m.sent_at, m.created_at) as "writtenAt", m.type, m.text, m.attachments,
      ${FROM} as "from"
    from ${messagesOf(workspaceId, conversationId)} m
    order by m.id desc limit ${NEWEST}::int`);
}

/** Those after a time, oldest first. A bot's talk is the newest messages that are after the start of the talk. */
export const after = <M extends Pick<BotMessage, "at">>(newest: readonly M[], since: Date): M[] =>
  newest.filter(({ at }) => at > since).reverse();

/** The text of a message of a conversation; null: it has none. Undefined: there is no such message in it. */
export async function selectTextOf(
  db: Queryable,
  {
    workspaceId,
    conversationId,
  }: { readonly workspaceId: string; readonly conversationId: string },
  id: string,
): Promise<string | null | undefined> {
  const [row] = await db.query<{ text: string | null }>(sql`
    select m.text from ${messagesOf(workspaceId, conversationId)} m where m.id = ${id}`);
  return row && row.text;
}

/** Whether a person of the workspace wrote in a conversation after a time. */
export async function hasPersonSince(
  db: Queryable,
  {
    workspaceId,
    conversationId,
  }: { readonly workspaceId: string; readonly conversationId: string },
  since: Date,
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select 1 from ${messagesOf(workspaceId, conversationId)} m
      where m.created_at > ${since}::timestamptz and m.direction = 'outbound'
        and (m.author like 'member:%' or m.author = 'cli' or m.source = 'channel')) as found`);
  return row?.found ?? false;
}

/** How many messages bots wrote in a conversation after a time, counted up to 100. */
export async function countBotMessages(
  db: Queryable,
  {
    workspaceId,
    conversationId,
  }: { readonly workspaceId: string; readonly conversationId: string },
  since: Date,
): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*)::int as n from (select m.created_at, m.author
      from ${messagesOf(workspaceId, conversationId)} m order by m.id desc limit 100) m
    where m.created_at > ${since}::timestamptz and m.author like 'bot:%'`);
  return row?.n ?? 0;
}

/** Whether an account of this installation has this id on a platform: then a bot would talk to a bot. */
export async function isOwnAccount(
  db: Queryable,
  type: string,
  externalId: string,
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    sql`select ${accountExists(type, externalId)} as found`,
  );
  return row?.found ?? false;
}
