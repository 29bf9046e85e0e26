import type { Db, Queryable, Tx } from "../db/database.ts";
import { sql, Sql } from "../db/sql.ts";

export interface SandboxChannelRow {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly apiUrl: string | null;
}

/** The open sandbox channels of every workspace: the one place where the sandbox reads across them. */
export function selectSandboxChannels(db: Queryable): Promise<SandboxChannelRow[]> {
  return db.query(sql`select workspace_id as "workspaceId", id as "channelId", api_url as "apiUrl"
    from channel where sandbox and type = 'WHATSAPP' and status <> 'disconnected' order by id`);
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
}

/** Who wrote to a channel, the newest ten thousand. */
export function selectCustomers(
  db: Queryable,
  workspaceId: string,
  channelId: string,
): Promise<CustomerRow[]> {
  return db.query(sql`select v.external_id as "externalId", c.name
    from conversation v
    left join contact c on c.workspace_id = v.workspace_id and c.id = v.contact_id
    where v.workspace_id = ${workspaceId} and v.channel_id = ${channelId}
    order by v.id desc limit 10000`);
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

export async function hasWorkspaces(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select 1 from workspace limit 1`)).length > 0;
}

/** The workspaces that the demo made, by the audit log. */
export async function selectDemoWorkspaces(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select w.id from workspace w where exists (
    select 1 from audit_entry a where a.workspace_id = w.id and a.action = 'workspace.created' and a.actor = 'demo')`);
  return rows.map((row) => row.id);
}

/** Every table that belongs to workspaces, those that others refer to last. */
async function workspaceTables(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select t.table_name as name
    from information_schema.columns t
    join information_schema.tables b on b.table_schema = t.table_schema and b.table_name = t.table_name
    where t.table_schema = current_schema() and t.column_name = 'workspace_id' and b.table_type = 'BASE TABLE'
    order by t.table_name`);
  return rows.map((row) => row.name);
}

/** Deletes the demo's workspaces with all their rows. For `parley demo reset` and nothing else. */
export async function deleteDemoWorkspaces(db: Db): Promise<number> {
  const ids = await selectDemoWorkspaces(db);
  if (ids.length === 0) return 0;
  const tables = await workspaceTables(db);
  await db.transaction(async (tx) => {
    for (const table of tables) await deleteRows(tx, table, ids);
    await tx.query(sql`delete from workspace where id = any(${ids}::uuid[])`);
  });
  return ids.length;
}

function deleteRows(tx: Tx, table: string, ids: readonly string[]): Promise<unknown> {
  // A table's name cannot be a parameter; it comes from the catalogue.
  if (!/^[a-z_]+$/.test(table)) throw new Error(`unexpected table name ${table}`);
  return tx.query(new Sql([`delete from ${table} where workspace_id = any(`, "::uuid[])"], [ids]));
}
