import type { Queryable } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { CheckedProvider, WorkspaceSmsProvider } from "./sms-provider.ts";

export type SmsProviderRow = WorkspaceSmsProvider & {
  readonly secretsSealed: Buffer;
  /** True when a workspace set `apiUrl`: the account is then called through the address guard. */
  readonly apiUrlGuarded: boolean;
};

const COLUMNS = sql`id, workspace_id as "workspaceId", provider, api_url as "apiUrl", api_url_guarded as "apiUrlGuarded", settings,
  secrets_sealed as "secretsSealed", sandbox, verified_at as "verifiedAt", created_at as "createdAt", updated_at as "updatedAt"`;

async function selectOne(db: Queryable, condition: Sql): Promise<SmsProviderRow | undefined> {
  const [row] = await db.query<SmsProviderRow>(
    sql`select ${COLUMNS} from sms_provider where ${condition}`,
  );
  return row;
}

/** The workspace's one gateway account. */
export function selectByWorkspace(
  db: Queryable,
  workspaceId: string,
): Promise<SmsProviderRow | undefined> {
  return selectOne(db, sql`workspace_id = ${workspaceId}`);
}

/**
 * The account that waits for its test while the workspace's present one keeps sending. It has the id of the present
 * account, which it takes over when the test passes.
 */
export async function selectUnverified(
  db: Queryable,
  workspaceId: string,
): Promise<SmsProviderRow | undefined> {
  const [row] = await db.query<SmsProviderRow>(sql`
    select p.id, n.workspace_id as "workspaceId", n.provider, n.api_url as "apiUrl", n.api_url_guarded as "apiUrlGuarded",
      n.settings, n.secrets_sealed as "secretsSealed", false as sandbox, null as "verifiedAt",
      p.created_at as "createdAt", n.updated_at as "updatedAt"
    from sms_provider_next n join sms_provider p using (workspace_id) where n.workspace_id = ${workspaceId}`);
  return row;
}

/** The account that a gateway's call names, before the workspace is known. */
export function selectProviderById(db: Queryable, id: string): Promise<SmsProviderRow | undefined> {
  return selectOne(db, sql`id = ${id}`);
}

interface ProviderWrite extends Pick<CheckedProvider, "provider" | "apiUrl" | "settings"> {
  readonly workspaceId: string;
  readonly id: string;
  readonly secretsSealed: Buffer;
  readonly apiUrlGuarded: boolean;
  readonly sandbox: boolean;
  readonly at: Date;
}

/** Stores an account beside the present one, until its test. An earlier one that waits is replaced. */
export async function writeNext(db: Queryable, row: ProviderWrite): Promise<void> {
  await db.query(sql`
    insert into sms_provider_next as n (workspace_id, provider, api_url, api_url_guarded, settings, secrets_sealed, updated_at)
    values (${row.workspaceId}, ${row.provider}, ${row.apiUrl}, ${row.apiUrlGuarded}, ${JSON.stringify(row.settings)}::jsonb,
      ${row.secretsSealed}, ${row.at})
    on conflict (workspace_id) do update set provider = excluded.provider, api_url = excluded.api_url,
      api_url_guarded = excluded.api_url_guarded, settings = excluded.settings, secrets_sealed = excluded.secrets_sealed,
      updated_at = excluded.updated_at`);
}

/** Deletes the account that waits for its test; false when there is none. */
export async function deleteNext(db: Queryable, workspaceId: string): Promise<boolean> {
  const rows = await db.query(
    sql`delete from sms_provider_next where workspace_id = ${workspaceId} returning workspace_id`,
  );
  return rows.length > 0;
}

/**
 * Puts the account that waited in the place of the present one, verified. Undefined when it was changed or discarded
 * after `updatedAt`: the tested values are no longer those that wait.
 */
export async function replaceVerified(
  db: Queryable,
  workspaceId: string,
  updatedAt: Date,
  at: Date,
): Promise<SmsProviderRow | undefined> {
  const [row] = await db.query<SmsProviderRow>(sql`
    with n as (delete from sms_provider_next where workspace_id = ${workspaceId} and updated_at = ${updatedAt} returning *),
    taken as (update sms_provider p set provider = n.provider, api_url = n.api_url, api_url_guarded = n.api_url_guarded,
        settings = n.settings, secrets_sealed = n.secrets_sealed, sandbox = false, verified_at = ${at},
        updated_at = n.updated_at
      from n where p.workspace_id = n.workspace_id returning p.*)
    select ${COLUMNS} from taken`);
  return row;
}

/**
 * Stores the one account of a workspace. A new account keeps the id, so its call-back address stays, and is
 * unverified.
 */
export async function upsertProvider(
  db: Queryable,
  row: ProviderWrite,
): Promise<SmsProviderRow | undefined> {
  const [stored] = await db.query<SmsProviderRow>(sql`
    insert into sms_provider as p (workspace_id, id, provider, api_url, api_url_guarded, settings, secrets_sealed, sandbox,
      created_at, updated_at)
    values (${row.workspaceId}, ${row.id}, ${row.provider}, ${row.apiUrl}, ${row.apiUrlGuarded}, ${JSON.stringify(row.settings)}::jsonb,
      ${row.secretsSealed}, ${row.sandbox}, ${row.at}, ${row.at})
    on conflict (workspace_id) do update set provider = excluded.provider, api_url = excluded.api_url,
      api_url_guarded = excluded.api_url_guarded, settings = excluded.settings, secrets_sealed = excluded.secrets_sealed,
      sandbox = excluded.sandbox, verified_at = null,
      updated_at = excluded.updated_at
    where p.id = excluded.id
    returning ${COLUMNS}`);
  return stored;
}

/** Undefined when the account was changed after `updatedAt`: the tested settings are no longer the present ones. */
export async function markVerified(
  db: Queryable,
  workspaceId: string,
  updatedAt: Date,
  at: Date,
): Promise<SmsProviderRow | undefined> {
  const [row] = await db.query<SmsProviderRow>(sql`
    update sms_provider set verified_at = ${at}
    where workspace_id = ${workspaceId} and updated_at = ${updatedAt} returning ${COLUMNS}`);
  return row;
}

/** All verified accounts at one gateway. */
export function selectVerified(db: Queryable, provider: string): Promise<SmsProviderRow[]> {
  return db.query<SmsProviderRow>(sql`
    select ${COLUMNS} from sms_provider where provider = ${provider} and verified_at is not null order by id`);
}

/** Stores where a sandbox account is served now. It stays verified, because the same account is there. */
export async function writeSandboxUrl(
  db: Queryable,
  workspaceId: string,
  id: string,
  apiUrl: string,
): Promise<void> {
  await db.query(sql`update sms_provider set api_url = ${apiUrl}
    where workspace_id = ${workspaceId} and id = ${id} and sandbox`);
}
