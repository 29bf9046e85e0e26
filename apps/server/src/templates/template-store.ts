import type { PlatformTemplate } from "../channels/adapter.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ApprovedFilter } from "./list-templates.ts";
import type { TemplateFilter, TemplatePlace } from "./page-templates.ts";
import type { StoredTemplate } from "./template.ts";
import { isDisconnected } from "../channels/channel-sql.ts";

const COLUMNS = sql`workspace_id as "workspaceId", id, channel_id as "channelId", meta_id as "metaId", name, language,
  category, status, components, body_variable_count as "bodyVariableCount", header_format as "headerFormat",
  parameter_format as "parameterFormat", last_synced_at as "lastSyncedAt", rejected_reason as "rejectedReason",
  rejection_detail as "rejectionDetail", quality`;

/**
 * The approved templates by name, then language. They are sorted with "C", so that the order is the same on every
 * machine. Templates of a disconnected channel are left out: they are kept for its history but cannot be sent.
 */
export function selectApproved(
  db: Queryable,
  workspaceId: string,
  { channelId, name, anyStatus = false, limit }: ApprovedFilter,
): Promise<StoredTemplate[]> {
  const state = anyStatus ? sql`and status <> 'DELETED'` : sql`and status = 'APPROVED'`;
  const named = name === undefined ? sql`` : sql`and name = ${name}`;
  const channel = channelId === undefined ? sql`` : sql`and channel_id = ${channelId}`;
  return db.query(sql`select ${COLUMNS} from template t where workspace_id = ${workspaceId} ${state} ${named}
      and not ${isDisconnected(sql`t.workspace_id`, sql`t.channel_id`)} ${channel}
    order by name collate "C", language collate "C", id limit ${limit ?? null}`);
}

/** How many templates of a channel its platform lists, in any status. */
export async function countTemplates(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from template
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and status <> 'DELETED'`);
  return row?.count ?? 0;
}

/** One template of the workspace in any status, or null. */
export async function selectTemplate(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<StoredTemplate | null> {
  const rows = await db.query<StoredTemplate>(
    sql`select ${COLUMNS} from template where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return rows[0] ?? null;
}

/** A template of the channel that the platform still has, by name and language, or null. */
export async function selectTemplateByName(
  db: Queryable,
  workspaceId: string,
  { channelId, name, language }: { channelId: string; name: string; language: string },
): Promise<StoredTemplate | null> {
  const rows = await db.query<StoredTemplate>(
    sql`select ${COLUMNS} from template where workspace_id = ${workspaceId} and channel_id = ${channelId}
      and name = ${name} and language = ${language} and status <> 'DELETED' order by id desc limit 1`,
  );
  return rows[0] ?? null;
}

/** The templates of the workspace's connected channels with this name and language, of any status but DELETED. */
export function selectTemplatesNamed(
  db: Queryable,
  workspaceId: string,
  { name, language }: { readonly name: string; readonly language: string },
): Promise<StoredTemplate[]> {
  return db.query(sql`select ${COLUMNS} from template t where workspace_id = ${workspaceId} and name = ${name}
      and language = ${language} and status <> 'DELETED'
      and not ${isDisconnected(sql`t.workspace_id`, sql`t.channel_id`)}
    order by id desc limit 200`);
}

/** The languages in which these channels can send a template of this name, in the order of the alphabet. */
export async function selectSendableLanguages(
  db: Queryable,
  workspaceId: string,
  { name, channelIds, most }: { name: string; channelIds: readonly string[]; most: number },
): Promise<string[]> {
  const rows = await db.query<{ language: string }>(sql`
    select distinct language from template where workspace_id = ${workspaceId} and name = ${name}
      and channel_id = any(${channelIds}::uuid[]) and status = 'APPROVED'
    order by language limit ${most}`);
  return rows.map(({ language }) => language);
}

export interface TemplateWrite extends PlatformTemplate {
  readonly id: string;
  readonly bodyVariableCount: number;
  readonly headerFormat: string | null;
}

/** A template that changed its status; `previousStatus` is null for a new one. */
export interface StatusMove {
  readonly id: string;
  readonly metaId: string;
  readonly name: string;
  readonly language: string;
  readonly previousStatus: string | null;
  readonly status: string;
}

/**
 * Stores the platform's whole list and marks missing templates as DELETED, in one statement. Returns the changes.
 * `readAt` is when the list was requested. What a push has reported since then stays.
 */
export function replaceTemplates(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  list: readonly TemplateWrite[],
  { readAt, at }: { readonly readAt: Date; readonly at: Date },
): Promise<StatusMove[]> {
  const rows = list.map((one) => ({
    id: one.id,
    meta_id: one.metaId,
    name: one.name,
    language: one.language,
    category: one.category,
    status: one.status,
    parameter_format: one.parameterFormat,
    // As text, so that it reaches the json column byte for byte.
    components: JSON.stringify(one.components),
    body_variable_count: one.bodyVariableCount,
    header_format: one.headerFormat,
    rejected_reason: one.rejectedReason,
    quality: one.quality,
  }));
  return tx.query<StatusMove>(sql`
    with listed as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(id uuid, meta_id text, name text, language text,
        category text, status text, parameter_format text, components text, body_variable_count integer, header_format text,
        rejected_reason text, quality text)
    ), before as (
      select meta_id, status from template where workspace_id = ${workspaceId} and channel_id = ${channelId}
    ), written as (
      insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, parameter_format,
        components, body_variable_count, header_format, rejected_reason, quality, last_synced_at)
      select ${workspaceId}, id, ${channelId}, meta_id, name, language, category, status, parameter_format,
        components::json, body_variable_count, header_format, rejected_reason, quality, ${at}::timestamptz from listed
      on conflict (workspace_id, channel_id, meta_id) do update set
        name = excluded.name, language = excluded.language, category = excluded.category,
        status = case when template.told_at > ${readAt}::timestamptz then template.status else excluded.status end,
        parameter_format = excluded.parameter_format, components = excluded.components,
        body_variable_count = excluded.body_variable_count, header_format = excluded.header_format,
        rejected_reason = case when template.told_at > ${readAt}::timestamptz then template.rejected_reason
          else excluded.rejected_reason end,
        -- The list has the word alone: the sentences of a push stay as long as the word does.
        rejection_detail = case when template.told_at > ${readAt}::timestamptz
            or template.rejected_reason = excluded.rejected_reason then template.rejection_detail end,
        quality = excluded.quality, last_synced_at = excluded.last_synced_at
      returning id, meta_id, name, language, status
    ), gone as (
      update template t set status = 'DELETED', last_synced_at = ${at}::timestamptz
      where workspace_id = ${workspaceId} and channel_id = ${channelId} and status <> 'DELETED'
        and (told_at is null or told_at <= ${readAt}::timestamptz)
        and not exists (select 1 from listed where listed.meta_id = t.meta_id)
      returning id, meta_id, name, language, status
    )
    select m.id, m.meta_id as "metaId", m.name, m.language, before.status as "previousStatus", m.status
    from (select * from written union all select * from gone) m left join before using (meta_id)
    where before.status is distinct from m.status
    order by m.name collate "C", m.language collate "C"`);
}

/** What a push says about a template: its status, and for a refusal the platform's word and sentences. */
export interface TemplateWord {
  readonly status: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly at: Date;
}

/**
 * Changes the status of one template. Returns "unknown" when we do not have it, and null when it already had that
 * status.
 */
export async function moveTemplate(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  metaId: string,
  { status, reason, detail, at }: TemplateWord,
): Promise<StatusMove | "unknown" | null> {
  const rows = await tx.query<StatusMove>(sql`
    select id, meta_id as "metaId", name, language, status as "previousStatus", ${status}::text as status
    from template where workspace_id = ${workspaceId} and channel_id = ${channelId} and meta_id = ${metaId} for update`);
  const move = rows[0];
  if (move === undefined) return "unknown";
  await tx.query(
    sql`update template set status = ${status}, told_at = ${at}, rejected_reason = ${reason},
        rejection_detail = ${detail}
      where workspace_id = ${workspaceId} and id = ${move.id}`,
  );
  return move.previousStatus === status ? null : move;
}

/** A template as the platform has it. */
export interface KnownTemplate {
  readonly metaId: string;
  readonly name: string;
  readonly language: string;
  readonly category: string | null;
  readonly status: string;
  readonly parameterFormat: "POSITIONAL" | "NAMED";
  readonly components: readonly { readonly type: string }[];
}

/** The templates of a channel that its platform still has, oldest first. */
export function selectKnown(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<KnownTemplate[]> {
  return db.query(sql`select meta_id as "metaId", name, language, category, status,
      parameter_format as "parameterFormat", components
    from template where workspace_id = ${workspaceId} and channel_id = ${channelId} and status <> 'DELETED'
    order by id`);
}

/** A page of the templates that the platforms still have, after a place in the order of name, language, id. */
export function selectTemplatePage(
  db: Queryable,
  workspaceId: string,
  { channelId, status, q }: TemplateFilter,
  after: TemplatePlace | null,
  limit: number,
): Promise<StoredTemplate[]> {
  const channel = channelId === undefined ? sql`` : sql`and channel_id = ${channelId}`;
  const state = status === undefined ? sql`` : sql`and status = ${status}`;
  const named = q === undefined ? sql`` : sql`and strpos(name, ${q.toLowerCase()}) > 0`;
  const beyond =
    after === null
      ? sql``
      : sql`and (name collate "C", language collate "C", id) > (${after.name}, ${after.language}, ${after.id}::uuid)`;
  return db.query(sql`select ${COLUMNS} from template t where workspace_id = ${workspaceId} and status <> 'DELETED'
      and not ${isDisconnected(sql`t.workspace_id`, sql`t.channel_id`)} ${channel} ${state} ${named} ${beyond}
    order by name collate "C", language collate "C", id limit ${limit}`);
}

/** Stores a template that the platform has just accepted. When a sync was faster, its row already exists. */
export async function insertTemplate(
  tx: Tx,
  template: StoredTemplate,
  at: Date,
): Promise<StoredTemplate> {
  const [row] = await tx.query<StoredTemplate>(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, parameter_format,
      components, body_variable_count, header_format, last_synced_at, told_at)
    values (${template.workspaceId}, ${template.id}, ${template.channelId}, ${template.metaId}, ${template.name},
      ${template.language}, ${template.category}, ${template.status}, ${template.parameterFormat},
      ${JSON.stringify(template.components)}::json, ${template.bodyVariableCount}, ${template.headerFormat}, ${at}, ${at})
    on conflict (workspace_id, channel_id, meta_id) do update set last_synced_at = excluded.last_synced_at
    returning ${COLUMNS}`);
  if (!row) throw new Error("the template was not stored");
  return row;
}

/** Stores new components of a template, which is reviewed again. */
export async function changeTemplate(
  tx: Tx,
  workspaceId: string,
  id: string,
  to: Pick<StoredTemplate, "components" | "bodyVariableCount" | "headerFormat" | "status">,
  at: Date,
): Promise<void> {
  await tx.query(sql`
    update template set components = ${JSON.stringify(to.components)}::json, status = ${to.status},
      body_variable_count = ${to.bodyVariableCount}, header_format = ${to.headerFormat}, rejected_reason = null,
      rejection_detail = null, told_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id}`);
}
