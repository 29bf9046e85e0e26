import type { Queryable, Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { BotKind, BotStatus } from "../../wire/words.ts";

/** A bot's document as it is stored. A draft may have faults; what is published has none. */
export type StoredBotDocument = Readonly<Record<string, unknown>>;

/** A bot with its draft. */
export interface Bot {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly kind: BotKind;
  readonly status: BotStatus;
  readonly draft: StoredBotDocument;
  /** The published version; null: none yet. */
  readonly version: number | null;
  /** What is published; null: nothing yet. */
  readonly published: StoredBotDocument | null;
  /** The draft differs from what is published. */
  readonly changed: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When what signs its calls was made; null: never. */
  readonly secretMadeAt: Date | null;
}

/** The ids that the segments of a published flow had then, by the names under which its branches ask for them. */
export type NamedSegments = Readonly<Record<string, string>>;

/** A bot as it answers: its published document. */
export interface LiveBot {
  readonly id: string;
  readonly name: string;
  readonly kind: BotKind;
  readonly version: number;
  readonly document: StoredBotDocument;
  readonly segments: NamedSegments;
}

const COLUMNS: Sql = sql`b.workspace_id as "workspaceId", b.id, b.name, b.kind, b.status, b.draft, b.version,
  v.document as published, v.document is distinct from b.draft as changed, b.created_at as "createdAt",
  b.updated_at as "updatedAt",
  (select made_at from bot_secret s where s.workspace_id = b.workspace_id and s.bot_id = b.id) as "secretMadeAt"`;
/** A version's row holds its document and, beside the document's members, the ids of its segments. */
const DOCUMENT: Sql = sql`document - 'segments' as document`;
const SEGMENTS: Sql = sql`coalesce(v.document->'segments', '{}') as segments`;
const VERSION: Sql = sql`left join lateral (select ${DOCUMENT} from bot_version
  where workspace_id = b.workspace_id and bot_id = b.id and number = b.version limit 1) v on true`;

/** The bots of a workspace, the newest first; archived ones last. */
export function selectBots(db: Queryable, workspaceId: string): Promise<Bot[]> {
  return db.query<Bot>(sql`
    select ${COLUMNS} from bot b ${VERSION} where b.workspace_id = ${workspaceId}
    order by b.status = 'archived', b.id desc limit 1000`);
}

/** One bot; null: the workspace has none with that id. */
export async function selectBot(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Bot | null> {
  const [row] = await db.query<Bot>(sql`
    select ${COLUMNS} from bot b ${VERSION} where b.workspace_id = ${workspaceId} and b.id = ${id}`);
  return row ?? null;
}

/** Locks one bot. */
export async function lockBot(tx: Tx, workspaceId: string, id: string): Promise<Bot | null> {
  await tx.query(
    sql`select 1 from bot where workspace_id = ${workspaceId} and id = ${id} for update`,
  );
  return selectBot(tx, workspaceId, id);
}

/** The names of bots, by id. */
export function selectBotNames(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly name: string }[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.query(sql`
    select id, name from bot where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`);
}

/** All bots of a workspace by name, archived ones too: a conversation names the bot that answered last. */
export function selectAllNames(
  db: Queryable,
  workspaceId: string,
): Promise<{ readonly id: string; readonly name: string }[]> {
  return db.query(sql`
    select id, name from bot where workspace_id = ${workspaceId} order by id desc limit 1000`);
}

/** The bots that answer, the oldest first. */
export function selectLiveBots(db: Queryable, workspaceId: string): Promise<LiveBot[]> {
  return db.query<LiveBot>(sql`
    select b.id, b.name, b.kind, b.version, v.document - 'segments' as document, ${SEGMENTS} from bot b
    join bot_version v on v.workspace_id = b.workspace_id and v.bot_id = b.id and v.number = b.version
    where b.workspace_id = ${workspaceId} and b.status = 'live' order by b.id`);
}

/** The flows that answer or are paused. */
export function selectPublishedFlows(db: Queryable, workspaceId: string): Promise<LiveBot[]> {
  return db.query<LiveBot>(sql`
    select b.id, b.name, b.kind, b.version, v.document - 'segments' as document, ${SEGMENTS} from bot b
    join bot_version v on v.workspace_id = b.workspace_id and v.bot_id = b.id and v.number = b.version
    where b.workspace_id = ${workspaceId} and b.kind = 'flow' and b.status in ('live', 'paused') order by b.id`);
}

/** A published version of a bot; null: there is none. */
export async function selectBotVersion(
  db: Queryable,
  workspaceId: string,
  botId: string,
  number: number,
): Promise<LiveBot | null> {
  const [row] = await db.query<LiveBot>(sql`
    select b.id, b.name, b.kind, v.number as version, v.document - 'segments' as document, ${SEGMENTS} from bot b
    join bot_version v on v.workspace_id = b.workspace_id and v.bot_id = b.id and v.number = ${number}
    where b.workspace_id = ${workspaceId} and b.id = ${botId}`);
  return row ?? null;
}

/** How many bots count for the plan, without this one. Call it under the workspace's lock. */
export async function countOtherBots(tx: Tx, workspaceId: string, id: string): Promise<number> {
  const [row] = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from bot where workspace_id = ${workspaceId} and id <> ${id}
      and status in ('live', 'paused')`);
  return row?.n ?? 0;
}

/** Stores a new bot. */
export async function insertBot(
  tx: Tx,
  bot: Pick<Bot, "workspaceId" | "id" | "name" | "kind" | "draft" | "createdAt">,
): Promise<void> {
  await tx.query(sql`
    insert into bot (workspace_id, id, name, kind, draft, created_at, updated_at)
    values (${bot.workspaceId}, ${bot.id}, ${bot.name}, ${bot.kind}, ${JSON.stringify(bot.draft)}::jsonb,
      ${bot.createdAt}, ${bot.createdAt})`);
}

/** Writes what may change of a bot. It must be locked. */
export async function writeBot(
  tx: Tx,
  bot: Pick<Bot, "workspaceId" | "id" | "name" | "status" | "draft" | "version" | "updatedAt">,
): Promise<void> {
  await tx.query(sql`
    update bot set name = ${bot.name}, status = ${bot.status}, draft = ${JSON.stringify(bot.draft)}::jsonb,
      version = ${bot.version}, updated_at = ${bot.updatedAt}
    where workspace_id = ${bot.workspaceId} and id = ${bot.id}`);
}

/** What was published. */
export interface StoredVersion {
  readonly number: number;
  readonly document: StoredBotDocument;
  readonly publishedBy: string;
  readonly publishedAt: Date;
  readonly note: string | null;
  readonly untested: boolean;
}

/** Stores a version with the ids of its segments. It is never changed. */
export async function insertVersion(
  tx: Tx,
  { workspaceId, id }: Pick<Bot, "workspaceId" | "id">,
  version: StoredVersion,
  segments: NamedSegments = {},
): Promise<void> {
  const named = Object.keys(segments).length === 0 ? {} : { segments };
  const document = JSON.stringify({ ...version.document, ...named });
  await tx.query(sql`
    insert into bot_version (workspace_id, bot_id, number, document, published_by, published_at, note, untested)
    values (${workspaceId}, ${id}, ${version.number}, ${document}::jsonb,
      ${version.publishedBy}, ${version.publishedAt}, ${version.note}, ${version.untested})`);
}

/** The versions of a bot, the newest first, at most 200. */
export function selectVersions(
  db: Queryable,
  workspaceId: string,
  botId: string,
): Promise<StoredVersion[]> {
  return db.query<StoredVersion>(sql`
    select number, ${DOCUMENT}, published_by as "publishedBy", published_at as "publishedAt", note, untested
    from bot_version where workspace_id = ${workspaceId} and bot_id = ${botId} order by number desc limit 200`);
}

/** The workspace of a bot that an operator names by its id alone. */
export async function workspaceOfBot(db: Queryable, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    sql`select workspace_id as "workspaceId" from bot where id = ${id}`,
  );
  return row?.workspaceId;
}
